// One connection to the server, byte by byte where a test wants that. Everything read from it goes
// through the strict reader of response.mjs.

import net from 'node:net';
import { parseResponse } from './response.mjs';
import { within } from './until.mjs';

const READ_MS = 15_000;

export class Connection {
  #socket;
  #bytes = Buffer.alloc(0);
  #waiting = null;
  /** null while open; then 'end' (orderly) or the error's code ('ECONNRESET'). */
  closed = null;

  /** `where`: {host, port} or {path}; `from`: a local address such as 127.0.0.9. */
  static open(where, { from } = {}) {
    const connection = new Connection();
    return new Promise((resolve, reject) => {
      const socket = net.connect({ ...where, localAddress: from, allowHalfOpen: true });
      connection.#socket = socket;
      socket.setNoDelay(true);
      socket.once('connect', () => {
        socket.unref(); // a forgotten one keeps no test process alive: each wait has its own timer
        resolve(connection);
      });
      socket.once('error', reject);
      socket.on('data', (data) => {
        connection.#bytes = Buffer.concat([connection.#bytes, data]);
        connection.#waiting?.();
      });
      socket.on('end', () => connection.#close('end'));
      socket.on('error', (error) => connection.#close(error.code));
      socket.on('close', () => connection.#close('end'));
    });
  }

  #close(how) {
    this.closed ??= how;
    this.#waiting?.();
  }

  /** Bytes received and not yet read as a response. */
  get unread() {
    return this.#bytes;
  }

  /** Sends text (as latin1) or bytes at once. */
  send(data) {
    this.#socket.write(typeof data === 'string' ? Buffer.from(data, 'latin1') : data);
  }

  /** Sends it one byte a segment, so that the server sees every split there is. */
  async sendBytewise(data) {
    for (const byte of Buffer.from(data, 'latin1')) {
      if (this.closed) return;
      await new Promise((resolve) => this.#socket.write(Buffer.of(byte), () => resolve()));
    }
  }

  /** The next response, or null when the server closed without one. `method` of its request. */
  async read({ method = 'GET', within: ms = READ_MS } = {}) {
    const attempt = () => parseResponse(this.#bytes, { method, ended: this.closed !== null });
    const found = await within(ms, `a response to ${method}`, this.#when(attempt));
    if (found === null) return null;
    this.#bytes = found.rest;
    return found.response;
  }

  /** Waits until the server has closed: 'end' or the error's code. `unread` keeps its bytes. */
  async untilClosed({ within: ms = READ_MS } = {}) {
    await within(
      ms,
      'the server closes',
      this.#when(() => this.closed),
    );
    return this.closed;
  }

  /** Resolves to the first non-null value of `look`, tried at each arrival; null once closed. */
  #when(look) {
    return new Promise((resolve, reject) => {
      const tryIt = () => {
        try {
          const value = look();
          if (value === null && this.closed === null) return;
          this.#waiting = null;
          resolve(value);
        } catch (error) {
          this.#waiting = null;
          reject(error);
        }
      };
      this.#waiting = tryIt;
      tryIt();
    });
  }

  /** Stops (or resumes) reading, so that the server's writes back up. */
  pause() {
    this.#socket.pause();
  }

  resume() {
    this.#socket.resume();
  }

  /** Says that nothing more will be sent; reading goes on. */
  end() {
    this.#socket.end();
  }

  /** Gone at once. */
  destroy() {
    this.#socket.destroy();
  }

  /** Gone with a reset instead of an orderly end. */
  reset() {
    this.#socket.resetAndDestroy();
  }
}
