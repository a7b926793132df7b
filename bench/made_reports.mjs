// node bench/made_reports.mjs FOLDER COUNT: writes House reports with invented filers, in both
// layouts, with one to 40 rows. bench/tables/ingest.py uses them if there are no real reports.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { housePdf } from '../tests/e2e/lib/house_pdf.mjs';

const [folder, count] = process.argv.slice(2);
const ROWS = [1, 2, 3, 5, 8, 13, 40];

const row = (number) => ({
  owner: ['SP', 'JT', 'DC', ''][number % 4],
  asset: `Harbor Tools & Dies Company, Series ${number} (HRBR) [ST]`,
  type: ['P', 'S', 'S (partial)'][number % 3],
  date: '01/08/2025',
  notified: '01/09/2025',
  amount: ['$1,001 - $15,000', '$15,001 - $50,000'][number % 2],
  status: 'New',
  subholding_of: 'Invented Brokerage Account',
  description: 'Bought by a manager at his own discretion, as he often does.',
});

for (let report = 0; report < Number(count); report += 1) {
  const id = String(20990000 + report);
  const rows = Array.from({ length: ROWS[report % ROWS.length] }, (_, i) => row(i + 1));
  const layout = report % 2 ? 'old' : 'new';
  writeFileSync(path.join(folder, `${id}.pdf`), housePdf({ id, layout, rows }));
}
