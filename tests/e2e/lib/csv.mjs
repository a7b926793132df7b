// CSV, parsed by two independent parsers.

import { strict as assert } from 'node:assert';
import { parse } from 'csv-parse/sync';
import Papa from 'papaparse';

/** The rows of `text` as arrays of strings; throws if the two parsers disagree. */
export function parseCsv(text) {
  const rows = parse(text, { record_delimiter: '\r\n', relax_column_count: false });
  const papa = Papa.parse(text, { newline: '\r\n', delimiter: ',', skipEmptyLines: true });
  assert.deepEqual(papa.errors, []);
  assert.deepEqual(rows, papa.data);
  return rows;
}
