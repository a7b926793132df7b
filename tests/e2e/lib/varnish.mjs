// Varnish in front of a server, with the file of deploy/. Only the socket and the port differ.

import { strict as assert } from 'node:assert';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Child } from './child.mjs';
import { Client } from './client.mjs';
import { Connection } from './connection.mjs';
import { freePort } from './ports.mjs';
import { programPath } from './programs.mjs';
import { root } from './settings.mjs';
import { until } from './until.mjs';

const SOCKET = '/run/stockact/http.sock';

export const hasVarnish = () => programPath('varnishd') !== null;

export class Varnish {
  #child = null;

  /** Not started yet. Its port is free, and stays the same when it is started again. */
  static async make(t, upstream) {
    const varnish = new Varnish();
    varnish.folder = mkdtempSync(path.join(os.tmpdir(), 'stockact-varnish-'));
    varnish.where = { host: '127.0.0.1', port: await freePort() };
    varnish.purgeUrl = `http://127.0.0.1:${varnish.where.port}/purge`;
    const text = readFileSync(path.join(root, 'deploy', 'varnish.vcl'), 'utf8');
    assert.ok(text.includes(SOCKET));
    varnish.file = path.join(varnish.folder, 'default.vcl');
    writeFileSync(varnish.file, text.replaceAll(`"${SOCKET}"`, `"${upstream}"`));
    t.after(async () => {
      await varnish.stop();
      rmSync(varnish.folder, { recursive: true, force: true });
    });
    return varnish;
  }

  async start() {
    const { folder, file, where } = this;
    const args = ['-F', '-j', 'none', '-n', path.join(folder, 'work'), '-f', file];
    args.push('-a', `${where.host}:${where.port}`, '-T', 'none', '-s', 'malloc,32m');
    this.#child = new Child(programPath('varnishd'), args, {
      env: { PATH: process.env.PATH },
      dieWithParent: 'SIGTERM',
    });
    await until('varnish accepts', async () => {
      if (this.#child.ended) throw new Error(this.#child.describe());
      try {
        (await Connection.open(where)).destroy();
        return true;
      } catch {
        return false;
      }
    });
  }

  async stop() {
    await this.#child?.stop('SIGTERM');
    this.#child = null;
  }

  #request(method, target, headers) {
    return new Client(this.where).request(method, target, { headers, unchecked: true });
  }

  /** A GET as a visitor's browser sends it. */
  get(target, headers = {}) {
    return this.#request('GET', target, { Accept: 'text/html', ...headers });
  }

  post(target, headers) {
    return this.#request('POST', target, headers);
  }
}
