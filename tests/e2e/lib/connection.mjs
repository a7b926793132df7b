// One connection to the server, byte by byte if a test needs that. All input goes through the
// strict parser of response.mjs.

import net from 'node:net';
import { parseResponse } from './response.mjs';
import { HANGS_MS, within } from './until.mjs';

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

  /** Sends one byte per segment, so that the server sees every possible split. */
  async sendBytewise(data) {
    for (const byte of Buffer.from(data, 'latin1')) {
      if (this.closed) return;
      await new Promise((resolve) => this.#socket.write(Buffer.of(byte), () => resolve()));
    }
  }

  /**
   * Resolves to the next response to a request of `method`, or null if the server closed without
   * one.
   */
  async read({ method = 'GET', within: ms = HANGS_MS } = {}) {
    const attempt = () => parseResponse(this.#bytes, { method, ended: this.closed !== null });
    const found = await within(ms, `a response to ${method}`, this.#when(attempt));
    if (found === null) return null;
    this.#bytes = found.rest;
    return found.response;
  }

  /** Waits until the server has closed: 'end' or the error's code. `unread` keeps its bytes. */
  async untilClosed({ within: ms = HANGS_MS } = {}) {
    await within(
      ms,
      'the server closes',
      this.#when(() => this.closed),
    );
    return this.closed;
  }

  /** Resolves to the first non-null value of `look`, called at each arrival; null once closed. */
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

  /** Shuts down the sending side; reading continues. */
  end() {
    this.#socket.end();
  }

  /** Closes at once. */
  destroy() {
    this.#socket.destroy();
  }

  /** Closes with a reset. */
  reset() {
    this.#socket.resetAndDestroy();
  }
}
