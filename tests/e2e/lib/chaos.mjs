// A TCP proxy that misbehaves on purpose, between one server and one engine (PostgreSQL, Redis). It
// runs in the test's process.
//
//     pass      bytes pass both ways
//     slow      every chunk that the server sends is late: each statement takes so much longer
//     stall     nothing passes and nothing is lost: bytes wait, new connections are accepted
//     mute      what clients send arrives; answers wait
//     swallow   half-open: connections are accepted, and what they send is lost without an error
//     reset     connections are reset; new ones are accepted and reset
//     cut       connections are reset; new ones are refused, as by a machine without the engine
//
// While the engine does not accept connections, the proxy does not either.

import net from 'node:net';
import { freePort } from './ports.mjs';

const LOOK_MS = 20; // between attempts to reach an engine that is gone
const TEXT_MAX = 100; // bytes of a text that a client sends and a test waits for
const WAITING_MAX = 1024 * 1024; // bytes of one direction; then the sender is paused

/** One direction of a connection. */
class Flow {
  #chunks = [];
  #bytes = 0;
  #timer = null;
  #ended = false;
  /** Of a client: what the proxy looks for, how many of its texts came, and the end of what passed. */
  #watched = null;
  #found = 0;
  #past = '';

  constructor(pair, from, to, isClients) {
    Object.assign(this, { pair, from, to, isClients });
    from.on('data', (chunk) => this.#take(chunk));
    from.on('end', () => {
      this.#ended = true;
      this.move();
    });
    to.on('drain', () => this.move());
  }

  #take(chunk) {
    const { mode, delayMs } = this.pair.proxy;
    if (mode === 'swallow') {
      this.pair.isBroken = true;
      return;
    }
    if (this.isClients && this.pair.proxy.watched) this.#look(chunk);
    const late = mode === 'slow' && this.isClients ? delayMs : 0;
    this.#chunks.push({ chunk, due: performance.now() + late });
    this.#bytes += chunk.length;
    if (this.#bytes > WAITING_MAX) this.from.pause();
    this.move();
  }

  /** Before the chunk passes. */
  #look(chunk) {
    const { proxy } = this.pair;
    if (this.#watched !== proxy.watched) {
      this.#watched = proxy.watched;
      this.#found = 0;
    }
    const { texts, then } = proxy.watched;
    this.#past += chunk.toString('latin1');
    while (this.#found < texts.length) {
      const at = this.#past.indexOf(texts[this.#found]);
      if (at < 0) break;
      this.#past = this.#past.slice(at + texts[this.#found].length);
      this.#found++;
    }
    this.#past = this.#past.slice(-TEXT_MAX);
    if (this.#found < texts.length) return;
    proxy.watched = null;
    then();
  }

  /** Sends what is due. */
  move() {
    clearTimeout(this.#timer);
    const { mode } = this.pair.proxy;
    if (mode === 'stall' || (mode === 'mute' && !this.isClients) || this.to.destroyed) return;
    while (this.#chunks.length > 0) {
      const wait = mode === 'slow' ? this.#chunks[0].due - performance.now() : 0;
      if (wait > 0) {
        this.#timer = setTimeout(() => this.move(), wait);
        return;
      }
      const { chunk } = this.#chunks.shift();
      this.#bytes -= chunk.length;
      if (!this.to.write(chunk)) return;
    }
    if (this.#ended) this.to.end();
    else this.from.resume();
  }

  stop() {
    clearTimeout(this.#timer);
  }
}

class Pair {
  /** Bytes of it were lost: it ends when the proxy passes again. */
  isBroken = false;

  constructor(proxy, client) {
    this.address = client.remoteAddress;
    const server = net.connect({ ...proxy.target, allowHalfOpen: true });
    Object.assign(this, { proxy, client, server });
    let reached = false;
    server.once('connect', () => (reached = true));
    server.once('error', () => reached || proxy.look());
    for (const socket of [client, server]) {
      socket.setNoDelay?.(true);
      socket.on('error', () => this.end());
      socket.on('close', () => this.end());
    }
    this.flows = [new Flow(this, client, server, true), new Flow(this, server, client, false)];
  }

  /** Once, in either way: what has arrived is sent before a socket closes. */
  end() {
    if (!this.proxy.pairs.delete(this)) return;
    for (const flow of this.flows) flow.stop();
    for (const socket of [this.client, this.server]) socket.destroySoon();
  }

  reset() {
    this.proxy.pairs.delete(this);
    for (const flow of this.flows) flow.stop();
    this.client.resetAndDestroy();
    this.server.destroy();
  }
}

export class ChaosProxy {
  mode = 'pass';
  delayMs = 0;
  pairs = new Set();
  watched = null;
  #refused = new Set();

  /** Forwards to `target`: {host, port} or {path} of a unix socket. Give `stop` to `t.after`. */
  static async start(target) {
    const proxy = new ChaosProxy();
    proxy.target = target;
    proxy.port = await freePort();
    await proxy.#listen();
    return proxy;
  }

  #listener;
  #accepts = false;
  #looking = null;

  /** Resolves when it accepts. A listener that has just been closed may hold the port for a moment. */
  #listen() {
    if (this.#accepts) return;
    this.#accepts = true;
    const listener = net.createServer({ allowHalfOpen: true }, (client) => {
      const isRefused = this.mode === 'reset' || this.#refused.has(client.remoteAddress);
      if (isRefused) client.resetAndDestroy();
      else this.pairs.add(new Pair(this, client));
    });
    this.#listener = listener;
    const isWanted = () => this.#accepts && this.#listener === listener;
    return new Promise((resolve, reject) => {
      const attempt = () => listener.listen(this.port, '127.0.0.1').unref();
      listener.on('error', (error) => {
        if (error.code !== 'EADDRINUSE') reject(error);
        else if (isWanted()) setTimeout(attempt, LOOK_MS);
      });
      listener.on('listening', () => {
        if (!isWanted()) listener.close();
        resolve();
      });
      attempt();
    });
  }

  #refuse() {
    this.#accepts = false;
    this.#listener.close();
  }

  #enter(mode) {
    this.mode = mode;
    for (const pair of this.pairs) {
      if (mode === 'cut' || mode === 'reset' || (pair.isBroken && mode !== 'swallow')) pair.reset();
      else for (const flow of pair.flows) flow.move();
    }
    if (mode === 'cut') this.#refuse();
    else if (!this.#looking) this.#listen();
  }

  /** Accepts nothing until the engine does. */
  look() {
    if (this.#looking || this.mode === 'cut') return;
    this.#refuse();
    this.#looking = setInterval(() => {
      const probe = net.connect(this.target);
      probe.once('error', () => {});
      probe.once('connect', () => {
        probe.destroy();
        this.#stopLooking();
        if (this.mode !== 'cut') this.#listen();
      });
    }, LOOK_MS).unref();
  }

  #stopLooking() {
    clearInterval(this.#looking);
    this.#looking = null;
  }

  /** Calls `then` once, before the last of these texts that a client sends one after the other is
   *  passed on. */
  onSent(texts, then) {
    this.watched = { texts, then };
  }

  pass() {
    this.#enter('pass');
  }

  slow(ms) {
    this.delayMs = ms;
    this.#enter('slow');
  }

  stall() {
    this.#enter('stall');
  }

  mute() {
    this.#enter('mute');
  }

  swallow() {
    this.#enter('swallow');
  }

  /** Resets all connections, and those that are made from now on. */
  reset() {
    this.#stopLooking();
    this.#enter('reset');
  }

  cut() {
    this.#enter('cut');
  }

  /** Resets the connections from an address, as if its machine were cut off, until `admit`. */
  refuse(address) {
    this.#refused.add(address);
    for (const pair of this.pairs) if (pair.address === address) pair.reset();
  }

  admit(address) {
    this.#refused.delete(address);
  }

  /** New connections go to another target, and present ones are reset, as after a failover. */
  retarget(target) {
    this.target = target;
    for (const pair of this.pairs) pair.reset();
  }

  stop() {
    this.cut();
    this.#stopLooking();
  }
}
