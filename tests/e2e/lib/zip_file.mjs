// A writer of zip files, also with false sizes.

import { crc32, deflateRawSync } from 'node:zlib';

const DEFLATE = 8;

const numbers = (sizes, values) => {
  const out = Buffer.alloc(sizes.reduce((sum, size) => sum + size, 0));
  let at = 0;
  sizes.forEach((size, i) => {
    at = out.writeUIntLE(values[i], at, size);
  });
  return out;
};

/** A zip of {name, bytes, claimed}: `claimed` is the stated uncompressed size. */
export function zipOf(entries) {
  const parts = [];
  const directory = [];
  let at = 0;
  for (const { name, bytes, claimed = bytes.length } of entries) {
    const packed = deflateRawSync(bytes);
    const named = Buffer.from(name);
    const common = [
      [2, 2, 2, 2, 2, 4, 4, 4, 2, 2],
      [20, 0, DEFLATE, 0, 0x21, crc32(bytes), packed.length, claimed, named.length, 0],
    ];
    const head = Buffer.concat([Buffer.from('PK\x03\x04'), numbers(...common), named]);
    directory.push(
      Buffer.from('PK\x01\x02'),
      numbers([2], [20]),
      numbers(...common),
      numbers([2, 2, 2, 4, 4], [0, 0, 0, 0, at]),
      named,
    );
    parts.push(head, packed);
    at += head.length + packed.length;
  }
  const list = Buffer.concat(directory);
  const count = entries.length;
  return Buffer.concat([
    ...parts,
    list,
    Buffer.from('PK\x05\x06'),
    numbers([2, 2, 2, 2, 4, 4, 2], [0, 0, count, count, list.length, at, 0]),
  ]);
}
