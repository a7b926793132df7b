// HAProxy in front of several servers, with the lines that deploy/haproxy.cfg has for them. Only the
// addresses and the interval of the checks differ.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Child } from './child.mjs';
import { Connection } from './connection.mjs';
import { freePort } from './ports.mjs';
import { programPath } from './programs.mjs';
import { until } from './until.mjs';

export const noBalancer = programPath('haproxy') ? false : 'haproxy is not installed';

const config = (port, servers, { patience = '20s', retryOn = 'conn-failure' }) => `defaults
    mode http
    timeout connect 2s
    timeout client 20s
    timeout server ${patience}
    timeout check 500ms
    timeout http-keep-alive 5s
frontend all
    bind 127.0.0.1:${port}
    option forwardfor
    default_backend stockact
backend stockact
    balance roundrobin
    retries 3
    retry-on ${retryOn}
    option redispatch
    option httpchk GET /readyz
    default-server check inter 100ms fall 1 rise 1
${servers.map((server, i) => `    server node${i} ${server}\n`).join('')}`;

export class Balancer {
  /**
   * Starts it in front of `servers` ("host:port"); `where` is its address. `patience`: how long a
   * server may take for a response; `retryOn`: what another server is tried after.
   */
  static async start(servers, options = {}) {
    const balancer = new Balancer();
    balancer.folder = mkdtempSync(path.join(os.tmpdir(), 'stockact-balancer-'));
    balancer.where = { host: '127.0.0.1', port: await freePort() };
    const file = path.join(balancer.folder, 'haproxy.cfg');
    writeFileSync(file, config(balancer.where.port, servers, options));
    balancer.child = new Child(programPath('haproxy'), ['-db', '-f', file], {
      env: { PATH: process.env.PATH },
      dieWithParent: 'SIGKILL',
    });
    await until('haproxy accepts', async () => {
      if (balancer.child.ended) throw new Error(balancer.child.describe());
      return Connection.open(balancer.where).then(
        (connection) => (connection.destroy(), true),
        () => false,
      );
    });
    return balancer;
  }

  async stop() {
    await this.child.stop('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}
