// Zip files as simple as they come: nothing compressed, nothing but names and bytes.

import { crc32 } from 'node:zlib';

function header(signature, size, fields) {
  const bytes = Buffer.alloc(size);
  bytes.writeUInt32LE(signature, 0);
  for (const [at, width, value] of fields) bytes.writeUIntLE(value, at, width);
  return bytes;
}

/** `files`: name -> bytes. */
export function zip(files) {
  const local = [];
  const central = [];
  let offset = 0;
  for (const [name, bytes] of Object.entries(files)) {
    const crc = crc32(bytes);
    const length = bytes.length;
    const head = header(0x04034b50, 30, [
      [4, 2, 20],
      [14, 4, crc],
      [18, 4, length],
      [22, 4, length],
      [26, 2, name.length],
    ]);
    const entry = header(0x02014b50, 46, [
      [4, 2, 20],
      [6, 2, 20],
      [16, 4, crc],
      [20, 4, length],
      [24, 4, length],
      [28, 2, name.length],
      [42, 4, offset],
    ]);
    local.push(head, Buffer.from(name), bytes);
    central.push(entry, Buffer.from(name));
    offset += 30 + name.length + length;
  }
  const count = Object.keys(files).length;
  const directory = Buffer.concat(central);
  const end = header(0x06054b50, 22, [
    [8, 2, count],
    [10, 2, count],
    [12, 4, directory.length],
    [16, 4, offset],
  ]);
  return Buffer.concat([...local, directory, end]);
}
