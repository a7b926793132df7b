// A site with drafts of invented reports of the House, for tests of the review desk.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { indexXml } from './house_index.mjs';
import { housePdf, scanPdf } from './house_pdf.mjs';
import { VALE, membersJson } from './invented_members.mjs';
import { HOUSE_ROW } from './invented_rows.mjs';

export const CLEAN = ['20990001', '20990002', '20990003', '20990006'];
export const DOUBTFUL = '20990004';
export const FAILED = '20990005'; // signed on another day than the index says
export const SCAN = '9000007';

/** Imports them: four clean ones, one with a doubtful row, one with a failed check, and a scan. */
export async function fillDesk(site) {
  const inbox = path.join(site.folder, 'inbox');
  const members = path.join(site.folder, 'members.json');
  mkdirSync(inbox);
  writeFileSync(members, membersJson([VALE]));
  await site.stockact('members', 'import', members);
  const ids = [...CLEAN, DOUBTFUL, FAILED, SCAN];
  writeFileSync(path.join(inbox, '2025FD.xml'), indexXml(ids.map((DocID) => ({ DocID }))));
  const put = (id, bytes) => writeFileSync(path.join(inbox, `${id}.pdf`), bytes);
  for (const id of CLEAN) put(id, housePdf({ id, rows: [HOUSE_ROW] }));
  put(
    DOUBTFUL,
    housePdf({ id: DOUBTFUL, rows: [HOUSE_ROW, { ...HOUSE_ROW, date: '02/02/2025' }] }),
  );
  put(FAILED, housePdf({ id: FAILED, rows: [HOUSE_ROW], signed: '01/14/2025' }));
  put(SCAN, scanPdf({ pages: 2 }));
  await site.stockact('ingest', inbox);
}

export const idOf = (document) => `house-${document}`;
