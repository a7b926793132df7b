// Free loopback ports, for programs that cannot choose one themselves and report it, and for servers
// that a test starts again where they were.

import net from 'node:net';

// Below the ports that the kernel gives to outgoing connections, on Linux by default.
const FIRST = 15_000;
const COUNT = 17_000;

/** Whether a listener on `where` could be opened. It stays open if `held`, until this process ends. */
function listens(where, { held = false } = {}) {
  return new Promise((resolve) => {
    const server = net.createServer().once('error', () => resolve(false));
    server.listen(where, () => {
      if (held) resolve(Boolean(server.unref()));
      else server.close(() => resolve(true));
    });
  });
}

/**
 * A port that stays free for this process while nothing listens on it: no outgoing connection gets
 * it, and no other process that asks here, because each port has a socket with its name (in Linux's
 * abstract namespace) that one process holds.
 */
export async function freePort() {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    const isMine = await listens({ path: `\0stockact-test-port-${port}` }, { held: true });
    if (isMine && (await listens({ port, host: '127.0.0.1' }))) return port;
  }
}
