// The files of deploy/ for containers, Kubernetes and reverse proxies: each passes the checker of
// its format, and agrees with the program and with the others. script/fresh --container runs the
// container.

import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import test, { describe } from 'node:test';
import { run } from './lib/child.mjs';
import { compose, faultsOfCompose } from './lib/compose_file.mjs';
import { containerFile } from './lib/container_file.mjs';
import { documents, faultsOfValues, faultsOfNames } from './lib/kubernetes_files.mjs';
import { programPath } from './lib/programs.mjs';
import { forServers } from './lib/proxies.mjs';
import { Authority } from './lib/receivers.mjs';
import { binary, root } from './lib/settings.mjs';

const DRAIN_S = 12; // the program's promise (src/serve/serve.c)

/** A folder that is removed when the test ends. */
function room(t) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'stockact-deploy-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The settings of a server with these variables, and with this settings file. */
async function settingsOf(t, env, file = '') {
  const folder = room(t);
  const config = path.join(folder, 'stockact.conf');
  writeFileSync(config, file);
  const done = await run(binary, ['config', 'show', '--json', '--config', config], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
  });
  assert.deepEqual([done.code, done.stderr], [0, '']);
  const lines = done.stdout.trim().split('\n');
  return new Map(lines.map((line) => JSON.parse(line)).map((one) => [one.setting, one]));
}

/** Every variable is a setting that the program takes from the environment. */
async function assertAccepted(t, env, file) {
  const settings = await settingsOf(t, env, file);
  for (const name of Object.keys(env).filter((one) => one.startsWith('STOCKACT_'))) {
    const setting = settings.get(name);
    assert.ok(setting, `${name} is a setting`);
    assert.equal(setting.from, name);
  }
  return settings;
}

const seconds = (text) => Number(/^(\d+)s$/.exec(text)[1]);

describe('the container file', () => {
  const file = containerFile();

  test('it has two stages, and the last one is not root and builds nothing', () => {
    assert.deepEqual(
      file.stages.map((stage) => stage.base),
      ['debian:bookworm-slim', 'debian:bookworm-slim'],
    );
    const last = file.last;
    assert.match(last.one('USER'), /^[1-9]\d{3,}:[1-9]\d{3,}$/);
    const installed = last.all('RUN').join(' ');
    assert.doesNotMatch(installed, /\bgcc\b|-dev\b|\bcurl\b|\bmeson\b/);
    assert.equal(last.all('ADD').length, 0);
    assert.deepEqual(last.json('ENTRYPOINT'), ['tini', '--', 'stockact']);
    assert.deepEqual(last.json('CMD'), ['serve']);
    assert.equal(last.one('STOPSIGNAL'), 'SIGTERM');
  });

  test('the program has the command of the health check', async () => {
    const check = /CMD (.*)$/.exec(file.last.one('HEALTHCHECK'))[1];
    const done = await run(binary, [...JSON.parse(check).slice(1), '--help']);
    assert.equal(done.code, 0, done.stderr);
  });

  test('the program accepts its environment', async (t) => {
    const settings = await assertAccepted(t, file.last.environment());
    assert.equal(settings.get('STOCKACT_LISTEN').value, `0.0.0.0:${file.last.one('EXPOSE')}`);
    assert.ok(
      settings.get('STOCKACT_DATABASE').value.startsWith(`sqlite:${file.last.one('VOLUME')}/`),
    );
  });

  test('the packages of the bare image are what the package recommends', () => {
    const control = readFileSync(path.join(root, 'deploy/debian/control'), 'utf8');
    const recommended = /^Recommends: (.*)$/m.exec(control)[1].split(', ');
    for (const name of recommended) assert.ok(file.last.all('RUN')[0].includes(` ${name} `), name);
  });

  test('the build context has only what the build reads, and nothing else that is large', () => {
    const lines = readFileSync(path.join(root, '.dockerignore'), 'utf8').trim().split('\n');
    const [all, ...others] = lines.filter((line) => !line.startsWith('#'));
    const names = others.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    assert.equal(all, '*');
    assert.equal(others.at(-1), 'deploy/container/secrets');
    const here = new Set(readdirSync(root));
    for (const name of names) assert.ok(here.has(name), name);
    for (const name of ['tests', 'bench', 'var', 'build', '.git']) assert.ok(!names.includes(name));
  });
});

describe('compose.yaml', () => {
  const { services, secrets, networks } = compose();
  const servers = Object.values(services).filter((one) => one.image === 'stockact');

  test('it follows the Compose Specification', () => {
    assert.deepEqual(faultsOfCompose(compose()), []);
    const wrong = structuredClone(compose());
    wrong.services.one.read_onyl = true;
    assert.equal(faultsOfCompose(wrong).length, 1);
  });

  test('two servers run confined, and the databases reach no other network', () => {
    assert.equal(servers.length, 2);
    for (const one of servers) {
      assert.equal(one.read_only, true);
      assert.deepEqual(one.cap_drop, ['ALL']);
      assert.ok(seconds(one.stop_grace_period) > DRAIN_S);
      assert.deepEqual(one.networks, ['edge', 'data']);
      assert.equal(one.ports, undefined);
    }
    for (const name of ['postgresql', 'redis']) {
      assert.deepEqual(services[name].networks, ['data']);
      assert.equal(services[name].ports, undefined);
    }
    assert.equal(networks.data.internal, true);
  });

  test('the servers trust Caddy and nobody else, and get their secrets as files', async (t) => {
    const [{ environment, secrets: given }] = servers;
    const address = services.caddy.networks.edge.ipv4_address;
    assert.equal(environment.STOCKACT_TRUSTED_PROXIES, `${address}/32`);
    const files = given.map(({ source, target }) => {
      assert.match(secrets[source].file, /^secrets\//);
      return path.posix.resolve('/run/secrets', target);
    });
    assert.deepEqual(files, ['/etc/stockact/stockact.conf', environment.STOCKACT_SECRET_KEY_FILE]);
    const env = { ...containerFile().last.environment(), ...environment };
    delete env.STOCKACT_DATABASE;
    env.STOCKACT_BASE_URL = 'https://stockact.example.org';
    await assertAccepted(t, env, 'database = postgresql://stockact:secret@postgresql/stockact\n');
  });

  test('no container gets the address of Caddy if it starts before Caddy', () => {
    const { subnet, ip_range: range, gateway } = networks.edge.ipam.config[0];
    const address = services.caddy.networks.edge.ipv4_address;
    const list = (cidr) => {
      const [net, bits] = cidr.split('/');
      const found = new BlockList();
      found.addSubnet(net, Number(bits));
      return found;
    };
    for (const one of [address, gateway]) {
      assert.ok(list(subnet).check(one), one);
      assert.ok(!list(range).check(one), one);
    }
    assert.ok(list(subnet).check(range.split('/')[0]));
    assert.notEqual(address, gateway);
  });

  test('Caddy asks both servers on their port', () => {
    const text = readFileSync(path.join(root, 'deploy/container/Caddyfile'), 'utf8');
    const port = containerFile().last.one('EXPOSE');
    assert.ok(text.includes(`reverse_proxy one:${port} two:${port} {`));
  });
});

describe('kubernetes', () => {
  const all = documents();
  const byKind = (kind) => all.find((one) => one.kind === kind);
  const deployment = byKind('Deployment');
  const pod = deployment.spec.template.spec;
  const [container] = pod.containers;

  test('every manifest has valid values', () => {
    assert.deepEqual(all.flatMap(faultsOfValues), []);
    const wrong = structuredClone(deployment);
    wrong.spec.replicas = 'two';
    assert.equal(faultsOfValues(wrong).length, 1);
  });

  test('every manifest has only fields that Kubernetes knows', async (t) => {
    const wrong = structuredClone(deployment);
    wrong.spec.template.spec.containers[0].readinesProbe = {};
    const faults = await faultsOfNames(room(t), [...all, wrong]);
    assert.equal(faults.length, 1, faults.join('\n'));
    assert.match(faults[0], /readinesProbe/);
  });

  test('kustomization.yaml applies every file but the example of the secret', () => {
    const folder = path.join(root, 'deploy/kubernetes');
    const files = readdirSync(folder).filter((name) => name !== 'kustomization.yaml');
    const { resources, images } = byKind('Kustomization');
    assert.deepEqual([...resources, 'secret.example.yaml'].sort(), files.sort());
    assert.equal(images[0].name, container.image);
  });

  test('the deployment agrees with the container file', () => {
    const [uid, gid] = containerFile().last.one('USER').split(':').map(Number);
    const { runAsUser, runAsGroup, fsGroup, runAsNonRoot } = pod.securityContext;
    assert.deepEqual([runAsUser, runAsGroup, fsGroup, runAsNonRoot], [uid, gid, gid, true]);
    assert.equal(container.ports[0].containerPort, Number(containerFile().last.one('EXPOSE')));
    assert.equal(container.securityContext.readOnlyRootFilesystem, true);
    const wait = Number(container.lifecycle.preStop.exec.command[1]);
    assert.ok(pod.terminationGracePeriodSeconds > wait + DRAIN_S);
    assert.equal(container.readinessProbe.httpGet.path, '/readyz');
    assert.equal(container.livenessProbe.httpGet.path, '/healthz');
  });

  test('names, labels and ports lead to each other', () => {
    const { labels } = deployment.spec.template.metadata;
    const port = container.ports[0].name;
    assert.deepEqual(deployment.spec.selector.matchLabels, labels);
    assert.deepEqual(byKind('Service').spec.selector, labels);
    assert.deepEqual(byKind('PodDisruptionBudget').spec.selector.matchLabels, labels);
    assert.deepEqual(byKind('NetworkPolicy').spec.podSelector.matchLabels, labels);
    assert.equal(byKind('Service').spec.ports[0].targetPort, port);
    assert.equal(byKind('NetworkPolicy').spec.ingress[0].ports[0].port, port);
    for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
      assert.equal(container[probe].httpGet.port, port);
    assert.equal(container.envFrom[0].configMapRef.name, byKind('ConfigMap').metadata.name);
    assert.equal(pod.volumes[0].secret.secretName, byKind('Secret').metadata.name);
    assert.ok(byKind('PodDisruptionBudget').spec.minAvailable < deployment.spec.replicas);
    assert.equal(deployment.spec.strategy.rollingUpdate.maxUnavailable, 0);
  });

  test('pods may ask for names, in the cluster or through the cache of their node', () => {
    const { egress } = byKind('NetworkPolicy').spec;
    const rule = egress.find(({ ports }) => ports.some(({ port }) => port === 53));
    assert.deepEqual(rule.ports.map(({ protocol }) => protocol).sort(), ['TCP', 'UDP']);
    const [pods, cache] = rule.to;
    assert.equal(pods.podSelector.matchLabels['k8s-app'], 'kube-dns');
    assert.equal(cache.ipBlock.cidr, '169.254.20.10/32');
  });

  test('the program accepts the settings of the config map and of the secret', async (t) => {
    const { stringData, data } = byKind('Secret');
    const env = { ...containerFile().last.environment(), ...byKind('ConfigMap').data };
    delete env.STOCKACT_DATABASE;
    const settings = await assertAccepted(t, env, stringData['stockact.conf']);
    const folder = container.volumeMounts[0].mountPath;
    assert.equal(settings.get('STOCKACT_SECRET_KEY_FILE').value, `${folder}/master.key`);
    assert.equal(Buffer.from(data['master.key'], 'base64').length, 32);
    assert.equal(pod.volumes[0].secret.defaultMode, 0o440);
  });
});

const SERVERS = ['192.0.2.21:8080', '192.0.2.22:8080'];

describe('reverse proxies', () => {
  const missing = (name) => (programPath(name) ? false : `${name} is not installed`);
  const deployed = (name) => readFileSync(path.join(root, 'deploy', name), 'utf8');

  test(
    'nginx accepts nginx.conf, for one server and for several',
    { skip: missing('nginx') },
    async (t) => {
      const folder = room(t);
      const made = await (await Authority.make(folder)).certificate('stockact.example.org');
      writeFileSync(path.join(folder, 'cert'), made.cert);
      writeFileSync(path.join(folder, 'key'), made.key);
      const one = deployed('nginx.conf')
        .replace(/(ssl_certificate) .*;/, `$1 ${folder}/cert;`)
        .replace(/(ssl_certificate_key) .*;/, `$1 ${folder}/key;`)
        .replace(/listen (\[::\]:)?(80|443)/g, (_, v6 = '', port) => `listen ${v6}${port}80`);
      for (const text of [one, forServers(one, SERVERS)]) {
        const file = path.join(folder, 'nginx.conf');
        mkdirSync(path.join(folder, 'temp'), { recursive: true });
        const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
        const temporary = paths
          .map((name) => `${name}_temp_path ${folder}/temp/${name};`)
          .join(' ');
        writeFileSync(
          file,
          `pid ${folder}/pid; error_log stderr; events { }
http { access_log off; ${temporary}
${text} }`,
        );
        const done = await run(programPath('nginx'), ['-t', '-q', '-c', file, '-e', 'stderr']);
        assert.deepEqual([done.code, done.stderr], [0, '']);
      }
    },
  );

  test('nginx gives up soon on a server whose machine is off', () => {
    const [, limit] = /^ +proxy_connect_timeout (\d+)s;$/m.exec(deployed('nginx.conf')) ?? [];
    assert.ok(Number(limit) <= 5, limit);
  });

  test(
    'HAProxy accepts haproxy.cfg, for one server and for several',
    { skip: missing('haproxy') },
    async (t) => {
      const folder = room(t);
      const made = await (await Authority.make(folder)).certificate('stockact.example.org');
      writeFileSync(path.join(folder, 'pem'), `${made.cert}\n${made.key}`);
      const one = deployed('haproxy.cfg').replace(/(ssl crt) \S+/, `$1 ${folder}/pem`);
      for (const text of [one, forServers(one, SERVERS)]) {
        const file = path.join(folder, 'haproxy.cfg');
        writeFileSync(file, text);
        const done = await run(programPath('haproxy'), ['-c', '-q', '-f', file]);
        assert.deepEqual([done.code, done.stderr], [0, '']);
      }
    },
  );

  test('Caddy accepts the Caddyfile', { skip: missing('caddy') }, async (t) => {
    const folder = room(t);
    const file = path.join(root, 'deploy/container/Caddyfile');
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      STOCKACT_HOST: 'stockact.example.org',
    };
    const args = ['--config', file, '--adapter', 'caddyfile'];
    const done = await run(programPath('caddy'), ['validate', ...args], { env });
    assert.equal(done.code, 0, done.stderr);
    const formatted = await run(programPath('caddy'), ['fmt', file], { env });
    assert.equal(formatted.stdout, readFileSync(file, 'utf8'));
  });
});
