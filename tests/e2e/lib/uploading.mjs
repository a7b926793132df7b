// Uploads of documents to the desk, as a browser without script sends them, and as its script does.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { HOLLIS, VALE, membersJson } from './invented_members.mjs';
import { attribute, text } from './html.mjs';
import { Page } from './pages.mjs';

export const UPLOAD = '/desk/upload';
const BOUNDARY = '----stockact-test-0123456789';

/** multipart/form-data of [name, value] fields and {name, bytes, field} files. */
export function multipart(fields, files, boundary = BOUNDARY) {
  const parts = [];
  const begin = (rest) =>
    parts.push(Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${rest}\r\n\r\n`));
  for (const [name, value] of fields) {
    begin(`name="${name}"`);
    parts.push(Buffer.from(`${value}\r\n`));
  }
  for (const { name, bytes, field = 'files' } of files) {
    begin(`name="${field}"; filename="${name}"\r\nContent-Type: application/octet-stream`);
    parts.push(Buffer.from(bytes), Buffer.from('\r\n'));
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  return Buffer.concat(parts);
}

export const typeOf = (boundary = BOUNDARY) => `multipart/form-data; boundary=${boundary}`;

/** A site with two members, who filed nothing. */
export async function prepareUploads(site) {
  const members = path.join(site.folder, 'members.json');
  writeFileSync(members, membersJson([VALE, HOLLIS]));
  await site.stockact('members', 'import', members);
}

/** What the page tells: {name, badge, words, href} of each file. */
const resultsOf = (page) =>
  page.all('.uploads li').map((item) => {
    const find = (selector) => page.all(selector).find((node) => isWithin(node, item));
    const link = find('.uploads li a');
    return {
      name: text(find('.uploads li strong')),
      badge: text(find('.uploads li .badge')),
      words: text(find('.uploads li p')),
      href: link ? attribute(link, 'href') : null,
    };
  });

function isWithin(node, parent) {
  for (let at = node; at; at = at.parent) if (at === parent) return true;
  return false;
}

/** The form of the page with files, as a browser without script sends it: the response. */
export async function uploadForm(visitor, files, options = {}) {
  const { form = (await visitor.open(UPLOAD)).form('Import'), body, type, ...rest } = options;
  const fields = form.pairs().filter(([name]) => name !== 'files');
  const response = await visitor.request('POST', form.action, {
    headers: {
      'Sec-Fetch-Site': 'same-origin',
      Origin: visitor.server.url,
      'Content-Type': type ?? typeOf(),
      ...rest.headers,
    },
    body: body ?? multipart(fields, files),
  });
  return response;
}

/** The results of such a form, which must be a page of them. */
export async function uploadFiles(visitor, files) {
  const page = new Page(await uploadForm(visitor, files), UPLOAD, []);
  if (page.status !== 200) throw new Error(`${page.status}: ${page.text()}`);
  return resultsOf(page);
}

/** One file, as the script sends it: the response. */
export async function uploadJson(visitor, file, options = {}) {
  const { csrf, action } = options.permit ?? (await visitor.json(UPLOAD));
  return visitor.request('POST', action, {
    headers: {
      Accept: 'application/json',
      'Sec-Fetch-Site': 'same-origin',
      Origin: visitor.server.url,
      'X-CSRF-Token': csrf,
      'Content-Type': options.type ?? typeOf(),
    },
    body: options.body ?? multipart([], [file]),
  });
}
