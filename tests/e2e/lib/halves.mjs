// A server's pages in two parts: the second comes when the test says so, as on a slow network.

import { once } from 'node:events';
import http from 'node:http';

export class Halves {
  /**
   * Serves what `server` has, until test `t` ends. A page that has the text `seam` stops in front of
   * it until `release`.
   */
  static async start(t, server, seam) {
    const halves = new Halves();
    const proxy = http.createServer((request, response) =>
      halves.#forward(server, seam, request, response),
    );
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    t.after(() => {
      proxy.closeAllConnections();
      proxy.close();
    });
    halves.url = `http://127.0.0.1:${proxy.address().port}`;
    return halves;
  }

  async #forward(server, seam, { url, headers }, response) {
    const answer = await fetch(server.url + url, { headers: { accept: headers.accept ?? '*/*' } });
    const own = Object.fromEntries(answer.headers);
    for (const name of ['content-length', 'content-encoding', 'connection']) delete own[name];
    response.writeHead(answer.status, own);
    const body = Buffer.from(await answer.arrayBuffer());
    const at = body.indexOf(seam);
    if (at > 0) {
      response.write(body.subarray(0, at));
      await new Promise((resolve) => (this.release = resolve));
    }
    response.end(body.subarray(Math.max(at, 0)));
  }
}
