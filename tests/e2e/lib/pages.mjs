// A visitor of the pages without a browser: it keeps cookies, follows redirects, and fills and posts
// forms as they stand in the HTML. Every request goes through the strict client.

import { strict as assert } from 'node:assert';
import { CookieJar } from './cookies.mjs';
import { all, attribute, one, parseHtml, rawText, text } from './html.mjs';

const REDIRECTS_MAX = 10;
const HTML = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8';

/** Controls that are sent unless they are disabled. */
const CONTROLS = 'input, textarea, select, button';
const BUTTONS = ['submit', 'image', 'button', 'reset'];

function typeOf(control) {
  if (control.name === 'button') return attribute(control, 'type') ?? 'submit';
  return control.name === 'input' ? (attribute(control, 'type') ?? 'text') : control.name;
}

function isDisabled(control) {
  if (attribute(control, 'disabled') !== null) return true;
  for (let node = control.parent; node; node = node.parent) {
    if (node.name === 'fieldset' && attribute(node, 'disabled') !== null) return true;
  }
  return false;
}

function selectedOptions(select) {
  const options = all('option', select);
  const chosen = options.filter((option) => attribute(option, 'selected') !== null);
  const multiple = attribute(select, 'multiple') !== null;
  return chosen.length > 0 || multiple ? chosen : options.slice(0, 1);
}

/** The values that a control sends if nobody touches it. */
function valuesOf(control) {
  const type = typeOf(control);
  if (BUTTONS.includes(type)) return [];
  if (type === 'textarea') return [rawText(control)];
  if (type === 'select') {
    return selectedOptions(control).map((option) => attribute(option, 'value') ?? text(option));
  }
  if (type === 'checkbox' || type === 'radio') {
    if (attribute(control, 'checked') === null) return [];
    return [attribute(control, 'value') ?? 'on'];
  }
  return [attribute(control, 'value') ?? ''];
}

/** One form of a page: its fields as a browser would send them. */
export class Form {
  #page;
  #node;

  constructor(page, node) {
    this.#page = page;
    this.#node = node;
  }

  get node() {
    return this.#node;
  }

  get method() {
    return (attribute(this.#node, 'method') ?? 'get').toUpperCase();
  }

  /** Path and query that it is sent to. */
  get action() {
    return this.#page.resolve(attribute(this.#node, 'action') ?? this.#page.target);
  }

  get controls() {
    const id = attribute(this.#node, 'id');
    const outside = id ? all(`[form="${id}"]`, this.#page.dom) : [];
    const inside = all(CONTROLS, this.#node).filter((one) => attribute(one, 'form') === null);
    return [...inside, ...outside];
  }

  /** Its submit buttons. */
  get buttons() {
    return this.controls.filter((control) => typeOf(control) === 'submit');
  }

  control(name) {
    const found = this.controls.find((control) => attribute(control, 'name') === name);
    assert.ok(found, `a control "${name}" in the form to ${this.action}`);
    return found;
  }

  /** What stands in the field `name`. */
  value(name) {
    return valuesOf(this.control(name))[0] ?? null;
  }

  /** The message beside the field `name`, or null: of a field that is marked as invalid. */
  fault(name) {
    const control = this.control(name);
    if (attribute(control, 'aria-invalid') !== 'true') return null;
    const ids = attribute(control, 'aria-describedby')?.split(/\s+/) ?? [];
    const described = ids.map((id) => one(`[id="${id}"]`, this.#page.dom));
    assert.ok(described.every(Boolean), `what describes "${name}" is on the page`);
    const nodes = described.filter((node) => attribute(node, 'class') === 'error');
    assert.equal(nodes.length, 1, `one message beside "${name}"`);
    return text(nodes[0]);
  }

  /**
   * [name, value] pairs, with `fill` for what a person types, ticks (true, false) or chooses. A
   * visible control must exist for each. `button`: the name or text of the button, if it matters.
   */
  pairs(fill = {}, { button } = {}) {
    for (const name of Object.keys(fill)) {
      assert.notEqual(typeOf(this.control(name)), 'hidden', `nobody can type into "${name}"`);
    }
    const pairs = [];
    for (const control of this.controls) {
      const name = attribute(control, 'name');
      if (!name || isDisabled(control)) continue;
      for (const value of this.#filled(control, name, fill)) pairs.push([name, value]);
    }
    const pressed = this.#button(button);
    const name = pressed && attribute(pressed, 'name');
    if (name) pairs.push([name, attribute(pressed, 'value') ?? '']);
    return pairs;
  }

  #filled(control, name, fill) {
    const type = typeOf(control);
    if (!(name in fill) || BUTTONS.includes(type)) return valuesOf(control);
    if (type === 'checkbox') return fill[name] ? [attribute(control, 'value') ?? 'on'] : [];
    if (type === 'radio') return attribute(control, 'value') === fill[name] ? [fill[name]] : [];
    if (type === 'select') {
      const offered = all('option', control).map((one) => attribute(one, 'value') ?? text(one));
      assert.ok(offered.includes(fill[name]), `"${fill[name]}" is offered by "${name}"`);
    }
    return [String(fill[name])];
  }

  #button(wanted) {
    const { buttons } = this;
    if (wanted === undefined) return buttons[0];
    const found = buttons.find(
      (button) => attribute(button, 'name') === wanted || text(button) === wanted,
    );
    assert.ok(found, `a button "${wanted}" in the form to ${this.action}`);
    return found;
  }
}

/** A page as it arrived, after all redirects. */
export class Page {
  #dom;

  /** `hops`: the redirects on the way, {status, target, response}. */
  constructor(response, target, hops) {
    this.response = response;
    this.target = target;
    this.hops = hops;
  }

  get status() {
    return this.response.status;
  }

  get path() {
    return this.target.replace(/[?#].*/, '');
  }

  get html() {
    return this.response.text;
  }

  get dom() {
    this.#dom ??= parseHtml(this.html);
    return this.#dom;
  }

  get title() {
    return this.text('title');
  }

  get heading() {
    return this.text('h1');
  }

  all(selector) {
    return all(selector, this.dom);
  }

  one(selector) {
    const found = one(selector, this.dom);
    assert.ok(found, `${selector} on ${this.target} (${this.status}):\n${text(this.dom)}`);
    return found;
  }

  /** The text of the first match; of the whole body by default. */
  text(selector = 'body') {
    return text(this.one(selector));
  }

  /** An address on this page, as path and query. It must not lead to another site. */
  resolve(address) {
    const url = new URL(address, `http://here.invalid${this.target}`);
    assert.equal(url.origin, 'http://here.invalid', `"${address}" leads to another site`);
    return url.pathname + url.search;
  }

  /** The address of the link with this text. */
  link(label) {
    const found = this.all('a[href]').find((node) => text(node) === label);
    assert.ok(found, `a link "${label}" on ${this.target}:\n${this.text()}`);
    return this.resolve(attribute(found, 'href'));
  }

  get forms() {
    return this.all('form').map((node) => new Form(this, node));
  }

  /** The form that is sent to the path `which`, or the one that has a button with that text. */
  form(which) {
    const found = this.forms.filter(
      (form) =>
        which === undefined ||
        form.action === which ||
        form.action.replace(/\?.*/, '') === which ||
        form.buttons.some((button) => text(button) === which),
    );
    assert.ok(found.length > 0, `a form "${which}" on ${this.target}:\n${this.text()}`);
    return found[0];
  }
}

export class Visitor {
  cookies = new CookieJar();
  #server;
  #options;

  /** Options of every request: `from` (local address), `forwardedFor`, `headers`. */
  constructor(server, options = {}) {
    this.#server = server;
    this.#options = options;
  }

  get server() {
    return this.#server;
  }

  /** One request with the visitor's cookies; no redirect is followed. */
  async request(method, target, { headers = {}, ...options } = {}) {
    const cookie = this.cookies.header();
    const sent = {
      Accept: HTML,
      'Sec-Fetch-Site': 'none',
      'Sec-Fetch-Mode': 'navigate',
      'Sec-Fetch-Dest': 'document',
      ...(cookie ? { Cookie: cookie } : {}),
      ...this.#options.headers,
      ...headers,
    };
    for (const name of Object.keys(sent)) if (sent[name] === null) delete sent[name];
    const response = await this.#server.request(method, target, {
      ...this.#options,
      ...options,
      headers: sent,
    });
    this.cookies.take(response);
    return response;
  }

  async #follow(response, target, hops = []) {
    if (![301, 302, 303, 307, 308].includes(response.status)) {
      return new Page(response, target, hops);
    }
    assert.ok(hops.length < REDIRECTS_MAX, `too many redirects: ${target}`);
    const location = response.header('location') ?? '';
    assert.ok(response.status === 303 || response.status === 301, `${response.status} ${target}`);
    const next = new Page(response, target, hops).resolve(
      location.startsWith(`${this.#server.url}/`)
        ? location.slice(this.#server.url.length)
        : location,
    );
    hops.push({ status: response.status, target, response });
    return this.#follow(await this.request('GET', next), next, hops);
  }

  /** GET, and the redirects that follow: a Page. `status`: what the last response must have. */
  async open(target, { status = 200, ...options } = {}) {
    const page = await this.#follow(await this.request('GET', target, options), target);
    assert.equal(page.status, status, `GET ${target}, now ${page.target}: ${page.html}`);
    return page;
  }

  /**
   * Sends a form with `fill` typed into it, and follows. Options: `button`; `change(pairs)` (alters
   * what is sent, as only a forger could); `status`; `headers`; `follow: false` (the response
   * itself as a Page).
   */
  async submit(form, fill = {}, options = {}) {
    const { button, change = (pairs) => pairs, status, follow = true, ...rest } = options;
    const lines = change(form.pairs(fill, { button })).map(([name, value]) => [
      name,
      value.replace(/\r\n|\r|\n/g, '\r\n'),
    ]);
    const body = new URLSearchParams(lines).toString();
    const isPost = form.method === 'POST';
    const target = isPost ? form.action : `${form.action.replace(/\?.*/, '')}?${body}`;
    const headers = {
      'Sec-Fetch-Site': 'same-origin',
      ...(isPost
        ? { Origin: this.#server.url, 'Content-Type': 'application/x-www-form-urlencoded' }
        : {}),
      ...rest.headers,
    };
    const response = await this.request(form.method, target, {
      ...rest,
      headers,
      body: isPost ? body : undefined,
    });
    const page = follow ? await this.#follow(response, target) : new Page(response, target, []);
    if (status !== undefined) {
      assert.equal(
        page.status,
        status,
        `${form.method} ${target}, now ${page.target}: ${page.html}`,
      );
    }
    return page;
  }

  /** GET of the JSON twin of a page, parsed. */
  async json(target, { status = 200, ...options } = {}) {
    const headers = { Accept: 'application/json', ...options.headers };
    const response = await this.request('GET', target, { ...options, headers });
    assert.equal(response.status, status, `GET ${target}: ${response.text}`);
    return response.json;
  }

  /** POST of a flat object to the JSON twin, with the session's token: the Response. */
  async postJson(target, body, { csrf, ...options } = {}) {
    const headers = {
      Accept: 'application/json',
      'Content-Type': 'application/json',
      'Sec-Fetch-Site': 'same-origin',
      Origin: this.#server.url,
      ...(csrf === undefined ? {} : { 'X-CSRF-Token': csrf }),
      ...options.headers,
    };
    return this.request('POST', target, { ...options, headers, body: JSON.stringify(body) });
  }
}
