// Actions on documents, for the table of actions.test.mjs. Their site has no invented data: only such
// a site takes documents.

import { housePdf } from './house_pdf.mjs';
import { HOUSE_ROW } from './invented_rows.mjs';
import { UPLOAD, uploadForm, uploadJson } from './uploading.mjs';

let documents = 0;

/** A report of the House that nobody has imported. */
function documentOf(own) {
  const id = String(20990001 + (documents += 1));
  own.filing = `house-${id}`;
  return { name: `${id}.pdf`, bytes: housePdf({ id, rows: [HOUSE_ROW] }) };
}

export const DOCUMENT_ACTIONS = {
  'instants.redate': {
    row: () => ({ accountId: null, subject: 'instants', subjectId: '0' }),
    command: () => ({ args: ['redate', '--reason', 'ours'] }),
    without: { form: 'only the operator moves times', json: 'only the operator' },
  },
  'clock.overrule': {
    row: () => ({ accountId: null, subject: 'time', subjectId: '2026-11-28T00:00:00Z' }),
    command: (own) => ({
      args: [
        'publish',
        '--all-accepted',
        '--by',
        own.email,
        '--at',
        '2026-11-28T00:00:00Z',
        '--reason',
        'ours',
      ],
    }),
    without: { form: 'only the operator vouches for the time', json: 'only the operator' },
  },
  'document.upload': {
    realData: true,
    row: (own) => ({ subject: 'filing', subjectId: own.filing }),
    form: (own) => ({
      form: 'Import',
      send: (visitor, form) => uploadForm(visitor, [documentOf(own)], { form }),
    }),
    json: (own) => ({ to: UPLOAD, send: ({ visitor }) => uploadJson(visitor, documentOf(own)) }),
    without: { command: '`ingest` imports thousands of files: the ledger says what it did' },
  },
};
