// Hostile PDFs: deep nesting, cycles, false claims. PDFs that decompress to gigabytes are in
// tests/unit/test_paper_bombs.c, where the limits can be shortened.

import { PdfFile } from './pdf_file.mjs';

const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>';

/**
 * A PDF of `kids` (text of /Kids from the numbers of the page and the tree) and objects added by
 * `fill`, whose result is the page's /Contents.
 */
function onePage(fill, { font = FONT, kids = (page) => `[${page} 0 R]`, count = 1 } = {}) {
  const file = new PdfFile();
  const [root, tree, page] = [file.reserve(), file.reserve(), file.reserve()];
  const resources = font ? `/Font << /F1 ${font} >>` : '';
  const { contents, more = '' } = fill(file, page);
  file.add(`<< /Type /Catalog /Pages ${tree} 0 R >>`, root);
  file.add(`<< /Type /Pages /Count ${count} /Kids ${kids(page, tree)} >>`, tree);
  file.add(
    `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 612 792] ` +
      `/Resources << ${resources} ${more} >> /Contents ${contents} >>`,
    page,
  );
  return file.bytes(root);
}

const withContent = (text, options) =>
  onePage((file) => ({ contents: `${file.addStream('', Buffer.from(text))} 0 R` }), options);

const WORDS = 'BT /F1 9 Tf 10 10 Td (one two three four five six seven eight) Tj ET\n';

/** {name: bytes}. */
export const hostilePdfs = () => ({
  'without a font': withContent('BT /F1 9 Tf 10 700 Td (Periodic Transaction Report) Tj ET', {
    font: '',
  }),
  'a font that is no font': withContent('BT /F1 9 Tf 10 700 Td (Report) Tj ET', { font: '17' }),
  'a page tree that contains itself': withContent(WORDS, {
    kids: (page, tree) => `[${tree} 0 R ${page} 0 R]`,
    count: 2,
  }),
  'one page a hundred thousand times': withContent(WORDS, {
    kids: (page) => `[${`${page} 0 R `.repeat(100_000)}]`,
    count: 100_000,
  }),
  'a billion pages claimed': withContent(WORDS, { count: 1_000_000_000 }),
  'contents that are the page': onePage((file, page) => ({ contents: `${page} 0 R` })),
  'a form that draws itself': onePage((file) => {
    const form = file.reserve();
    file.addStream(
      `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X ${form} 0 R >> >>`,
      Buffer.from('/X Do /X Do /X Do'),
      form,
    );
    return {
      contents: `${file.addStream('', Buffer.from('/X Do'))} 0 R`,
      more: `/XObject << /X ${form} 0 R >>`,
    };
  }),
  'a length that is its own object': onePage((file) => {
    const number = file.reserve();
    file.add(`<< /Length ${number} 0 R >>\nstream\nBT ET\nendstream`, number);
    return { contents: `${number} 0 R` };
  }),
  'arrays in arrays': onePage((file) => ({
    contents: `${file.add(`${'['.repeat(1_000_000)}`)} 0 R`,
  })),
  'a million brackets in the page': withContent('['.repeat(1_000_000)),
  'a million saved states': withContent('q '.repeat(1_000_000)),
  'no objects': Buffer.from('%PDF-1.4\nstartxref\n0\n%%EOF\n'),
  'a header alone': Buffer.from('%PDF-1.4\n'),
});
