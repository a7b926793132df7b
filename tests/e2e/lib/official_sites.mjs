// A stub of both official sites on one address: the Clerk's yearly index and reports, and the
// Senate's agreement, search and pages, with the same access checks as the real one. A test defines
// its content and its faults.

import http from 'node:http';
import { randomBytes } from 'node:crypto';
import { indexZip } from './house_index.mjs';

const HOME = '/search/home/';

const sent = (request) =>
  new Promise((resolve) => {
    let body = '';
    request.setEncoding('latin1').on('data', (text) => (body += text));
    request.on('end', () => resolve(new URLSearchParams(body)));
  });

const cookies = (request) =>
  Object.fromEntries(
    (request.headers.cookie ?? '')
      .split('; ')
      .filter((pair) => pair !== '')
      .map((pair) => pair.split('=')),
  );

export const agreementPage = (token) => `<!doctype html><html><body><form method="post">
<input type="hidden" name="csrfmiddlewaretoken" value="${token}">
<input type="checkbox" name="prohibition_agreement" value="1"></form></body></html>`;

/** "M/D/YYYY" or "MM/DD/YYYY" as milliseconds. */
const dayOf = (text) => {
  const [month, day, year] = text.split(' ')[0].split('/').map(Number);
  return Date.UTC(year, month - 1, day);
};

export class OfficialSites {
  /** Every request: {method, path, headers, at, endedAt}, times by the monotonic clock. */
  requests = [];
  /** The maximum number of concurrent requests. */
  atOnce = 0;
  /** Year -> {rows, etag, modified}; rows in the format of house_index.mjs. */
  indexes = new Map();
  /** "2026/20030001" -> bytes. */
  reports = new Map();
  /** The search: [{id, paper, first, last, filed, title}]. */
  rows = [];
  /** UUID -> HTML. */
  pages = new Map();
  /** The form of an expired session: 'redirect' or 'page'. */
  endsWith = 'redirect';
  #faults = [];
  #agreed = new Set();
  #server;
  #underWay = 0;

  static async start(t) {
    const sites = new OfficialSites();
    sites.#server = http.createServer((request, response) => sites.#take(request, response));
    await new Promise((resolve) => sites.#server.listen(0, '127.0.0.1', resolve));
    t.after(() => sites.stop());
    return sites;
  }

  stop() {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(resolve));
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  /** The paths requested since the last call. */
  asked() {
    return this.requests.splice(0).map((one) => `${one.method} ${one.path}`);
  }

  /** `answer(request, response)` handles the next `times` requests whose path matches. */
  fault(match, answer, { times = 1 } = {}) {
    this.#faults.push({ match, answer, times });
  }

  /** Every client must accept the agreement again. */
  endSessions() {
    this.#agreed.clear();
  }

  async #take(request, response) {
    const entry = { method: request.method, path: request.url, headers: request.headers };
    entry.at = performance.now();
    this.requests.push(entry);
    this.atOnce = Math.max(this.atOnce, ++this.#underWay);
    response.on('close', () => {
      entry.endedAt = performance.now();
      this.#underWay--;
    });
    const fault = this.#faults.find((one) => one.times > 0 && one.match.test(request.url));
    if (fault) {
      fault.times--;
      fault.answer(request, response);
      return;
    }
    const form = await sent(request);
    // A request to a proxy has the whole URL.
    const path = request.url.replace(/^http:\/\/[^/]+/, '').replace(/\?.*/, '');
    if (path.startsWith('/public_disc/')) this.#house(request, response, path);
    else this.#senate(request, response, path, form);
  }

  // --- the Clerk's site

  #house(request, response, path) {
    const [, year] = /^\/public_disc\/financial-pdfs\/(\d{4})FD\.zip$/.exec(path) ?? [];
    const [, report] = /^\/public_disc\/ptr-pdfs\/(\d{4}\/\d+)\.pdf$/.exec(path) ?? [];
    const index = this.indexes.get(Number(year));
    if (index) this.#index(request, response, year, index);
    else if (this.reports.has(report))
      response.writeHead(200, { 'content-type': 'application/pdf' }).end(this.reports.get(report));
    else response.writeHead(404, { 'content-type': 'text/html' }).end('<html>no</html>');
  }

  #index(request, response, year, { rows, etag, modified }) {
    const headers = { etag, 'last-modified': modified };
    const known = request.headers['if-none-match'] ?? '';
    if (known === etag) {
      response.writeHead(304, headers).end();
      return;
    }
    const body = indexZip(rows, { year });
    response.writeHead(200, { ...headers, 'content-type': 'application/zip' }).end(body);
  }

  // --- the Senate's site

  #senate(request, response, path, form) {
    const { csrftoken, sessionid } = cookies(request);
    if (path === HOME && request.method === 'GET') this.#home(response);
    else if (path === HOME) this.#agree(request, response, form, csrftoken);
    else if (!this.#agreed.has(sessionid)) this.#ended(response, csrftoken);
    else if (path === '/search/report/data/') this.#search(request, response, form, csrftoken);
    else this.#page(response, path);
  }

  #home(response) {
    const token = randomBytes(16).toString('hex');
    const headers = {
      'content-type': 'text/html',
      'set-cookie': `csrftoken=${token}; Path=/; SameSite=Lax`,
    };
    response.writeHead(200, headers).end(agreementPage(token));
  }

  #agree(request, response, form, csrftoken) {
    const right =
      csrftoken &&
      form.get('csrfmiddlewaretoken') === csrftoken &&
      form.get('prohibition_agreement') === '1' &&
      request.headers.referer === `${this.url}${HOME}`;
    if (!right) {
      response.writeHead(403).end();
      return;
    }
    const session = randomBytes(16).toString('hex');
    this.#agreed.add(session);
    const headers = {
      location: '/search/',
      'set-cookie': `sessionid=${session}; Path=/; HttpOnly`,
    };
    response.writeHead(302, headers).end();
  }

  #ended(response, token = 'none') {
    if (this.endsWith === 'redirect') response.writeHead(302, { location: HOME }).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end(agreementPage(token));
  }

  #search(request, response, form, csrftoken) {
    const right =
      request.method === 'POST' &&
      request.headers['x-csrftoken'] === csrftoken &&
      request.headers['x-requested-with'] === 'XMLHttpRequest' &&
      request.headers.referer === `${this.url}/search/` &&
      form.get('report_types') === '[11]' &&
      form.get('filer_types') === '[1]' &&
      Number(form.get('length')) <= 100;
    if (!right) {
      response.writeHead(403).end();
      return;
    }
    const from = dayOf(form.get('submitted_start_date'));
    const to = dayOf(form.get('submitted_end_date'));
    const found = this.rows.filter(({ filed }) => dayOf(filed) >= from && dayOf(filed) <= to);
    const start = Number(form.get('start'));
    const data = found.slice(start, start + Number(form.get('length'))).map(searchRow);
    const answer = { draw: 0, recordsTotal: found.length, recordsFiltered: found.length, data };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ ...answer, result: 'ok' }));
  }

  #page(response, path) {
    const [, id] = /^\/search\/view\/(?:ptr|paper)\/([0-9a-f-]+)\/$/.exec(path) ?? [];
    const page = this.pages.get(id);
    response.writeHead(page ? 200 : 404, { 'content-type': 'text/html' }).end(page ?? 'not here');
  }
}

// --- faults

export const status =
  (code, headers = {}) =>
  (request, response) =>
    response.writeHead(code, { 'content-type': 'text/html', ...headers }).end('<html>no</html>');

export const page =
  (text, type = 'text/html') =>
  (request, response) =>
    response.writeHead(200, { 'content-type': type }).end(text);

/** Announces more bytes than it sends, and closes. */
export const truncated = (bytes) => (request, response) => {
  response.writeHead(200, { 'content-length': bytes.length + 1000 });
  response.write(bytes, () => response.destroy());
};

/** Sends everything, a few bytes at a time. */
export const slowly = (bytes) => (request, response) => {
  response.writeHead(200, { 'content-length': bytes.length });
  const step = Math.ceil(bytes.length / 8);
  const send = (from) => {
    if (from >= bytes.length) response.end();
    else response.write(bytes.subarray(from, from + step), () => setTimeout(send, 20, from + step));
  };
  send(0);
};

/** Starts a response and never finishes it. */
export const hanging = (request, response) => {
  response.writeHead(200, { 'content-length': 1000 });
  response.write('%PDF-1.4\n');
};

// --- content of the sites

function searchRow({ id, paper, first, last, filed, title }) {
  const link = `/search/view/${paper ? 'paper' : 'ptr'}/${id}/`;
  const text = title ?? `Periodic Transaction Report for ${filed}`;
  const anchor = `<a href="${link}" target="_blank">${text}</a>`;
  return [first, last, `${last}, ${first} (Senator)`, anchor, filed];
}
