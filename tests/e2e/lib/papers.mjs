// Papers of invented members, as small as a reader takes them.

/** A PDF of one empty page, as a scan without a text layer is. `mark` makes its bytes its own. */
export function scan(mark) {
  return Buffer.from(
    [
      '%PDF-1.4',
      `% ${mark}`,
      '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
      '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
      '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>endobj',
      'trailer<</Root 1 0 R>>',
      '%%EOF\n',
    ].join('\n'),
  );
}

/** A PDF of one page with a line of text. */
export function letter(text) {
  const content = `BT /F 12 Tf 72 700 Td (${text}) Tj ET`;
  return Buffer.from(
    [
      '%PDF-1.4',
      '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
      '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
      '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R',
      '/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj',
      `4 0 obj<</Length ${content.length}>>stream\n${content}\nendstream endobj`,
      'trailer<</Root 1 0 R>>',
      '%%EOF\n',
    ].join('\n'),
  );
}

const COLUMNS = ['#', 'Transaction Date', 'Owner', 'Ticker', 'Asset Name', 'Asset Type', 'Type'];

/** A Senate page with one purchase. */
export function senatePage({ first, last, filed }) {
  const cells = ['1', filed, 'Self', '--', 'Quillbrook Holdings', 'Stock', 'Purchase'];
  const line = (tag, texts) => texts.map((text) => `<${tag}>${text}</${tag}>`).join('');
  return `<!DOCTYPE html><html><body>
<h1>Periodic Transaction Report for ${filed}</h1>
<h2 class="filedReport">The Honorable ${first} ${last} (${last}, ${first})</h2>
<p><strong>Filed ${filed} @ 11:15 AM</strong></p>
<ul><li>(1 transactions total)</li></ul>
<table><thead><tr>${line('th', [...COLUMNS, 'Amount', 'Comment'])}</tr></thead>
<tbody><tr>${line('td', [...cells, '$1,001 - $15,000', '--'])}</tr></tbody></table>
</body></html>`;
}

/** A Senate page that shows pictures of a paper. */
export const paperPage = (id) => `<!DOCTYPE html><html><body><h1>Filing Document</h1>
<img class="filingImage" src="/media/${id}.gif"></body></html>`;
