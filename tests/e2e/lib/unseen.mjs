// Characters that no page shows, and that the text of a document can have all the same.

export const UNSEEN = [
  ...'\u001b\u007f\u009b\u00ad\u061c\u200b\u200d\u200f\u202e\u2060\u2066',
].concat([...'\u2800\u3164\ufe0f\ufeff\ufff9\u{e0041}']);

/** Big-endian UTF-16, as the maps of PDF fonts have it. */
export const utf16Hex = (character) => Buffer.from(character, 'utf16le').swap16().toString('hex');
