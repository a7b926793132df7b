// A receiver of webhooks that accepts everything and responds with the status in the path: /204.

import { once } from 'node:events';
import http from 'node:http';
import { until } from './until.mjs';

export class PlainReceiver {
  /** The received requests: {path, headers, body}, in order of arrival. */
  requests = [];
  #server = http.createServer((request, response) => this.#take(request, response));

  /** Starts a receiver that ends with test `t`. */
  static async start(t) {
    const receiver = new PlainReceiver();
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    t.after(() => receiver.#close());
    return receiver;
  }

  #take(request, response) {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString('utf8');
      this.requests.push({ path: request.url, headers: request.headers, body });
      response.writeHead(this.answer ?? Number(request.url.slice(1)));
      response.end(response.statusCode === 204 ? '' : 'so it is');
    });
  }

  #close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Sets the status for all paths from now on; null: the path's. */
  answer = null;

  get host() {
    return `127.0.0.1:${this.#server.address().port}`;
  }

  url(status) {
    return `http://${this.host}/${status}`;
  }

  /** Waits for `count` requests and returns them. */
  async have(count) {
    await until(`${count} requests`, () => this.requests.length >= count);
    return this.requests;
  }
}
