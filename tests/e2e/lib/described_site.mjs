// A site whose folder is a small npm project with the API's description, for third-party tools.

import { strict as assert } from 'node:assert';
import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { useSite } from './site.mjs';
import { npmPackages } from './tools.mjs';

/** Invented trades, a server, a key, and `openapi.json` in the folder: {server, key, cwd}. */
export function useDescribedSite({ trades = 250 } = {}) {
  return useSite({}, async (site) => {
    await site.stockact('demo', '--trades', trades);
    const server = await site.serve();
    const description = await server.get('/api/v1/openapi.json');
    assert.equal(description.status, 200);
    const cwd = site.folder;
    writeFileSync(path.join(cwd, 'openapi.json'), description.body);
    writeFileSync(path.join(cwd, 'package.json'), '{"type":"module"}');
    symlinkSync(npmPackages, path.join(cwd, 'node_modules'));
    return { server, cwd, key: await site.key() };
  });
}
