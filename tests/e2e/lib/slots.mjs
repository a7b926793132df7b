// Sessions that take up the connections of a PostgreSQL.

import net from 'node:net';

/** The first message of a session (protocol 3.0). */
function startup(user, database) {
  const words = Buffer.from(`user\0${user}\0database\0${database}\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + words.length, 0);
  head.writeInt32BE(196608, 4);
  return Buffer.concat([head, words]);
}

const SESSION = 'R'.charCodeAt(0); // an answer: authenticated

export class Slots {
  /** So many sessions are open. */
  open = 0;
  #sockets = new Set();
  #ended = false;

  /** Takes every connection that is free at `where` now and until `free`. */
  constructor(where) {
    this.#take(where);
  }

  #take(where) {
    if (this.#ended) return;
    const socket = net.connect(where, () => socket.write(startup('tests', 'postgres')));
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#sockets.delete(socket); // all are taken
      setTimeout(() => this.#take(where), 5).unref();
    });
    socket.once('data', (data) => {
      if (data[0] !== SESSION) return;
      this.open++;
      socket.once('close', () => this.open--);
      this.#take(where);
    });
  }

  free() {
    this.#ended = true;
    for (const socket of this.#sockets) socket.destroy();
  }
}
