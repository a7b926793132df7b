// What a phone does: one-time codes by oathtool, QR codes read by zbarimg.

import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { run } from './child.mjs';

/** The six digits for a secret in base32 at an instant (milliseconds). */
export async function oneTimeCode(secret, at) {
  const now = new Date(at).toISOString().replace('T', ' ').replace(/\..*/, ' UTC');
  const args = ['--totp', '--base32', `--now=${now}`, secret.replace(/\s+/g, '')];
  const done = await run('oathtool', args, { env: { PATH: process.env.PATH } });
  assert.equal(done.code, 0, done.stderr);
  return done.stdout.trim();
}

/** The text of the QR code in a PNG. */
export async function readQrCode(png) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'stockact-qr-'));
  try {
    const file = path.join(folder, 'code.png');
    writeFileSync(file, png);
    const args = ['--quiet', '--raw', '--nodbus', file];
    const done = await run('zbarimg', args, { env: { PATH: process.env.PATH } });
    assert.equal(done.code, 0, `no QR code was found: ${done.stderr}`);
    return done.stdout.replace(/\n$/, '');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
