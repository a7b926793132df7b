// Debian's Chromium, driven by playwright-core: one process for a test file, one context for each
// page that a test opens. It reaches nothing but loopback.
//
// It is Chromium's shell without windows, which takes half of the processor time of the browser with
// windows that nobody sees. Pages are laid out, drawn and scripted by the same code.

import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import { after, before } from 'node:test';
import { chromium } from 'playwright-core';
import { countGrandchildren } from './cost.mjs';
import { gate, instrumented } from './settings.mjs';
import { HANGS_MS } from './until.mjs';

// Without Debian's wrapper of the browser: it adds extensions and flags.
const PLACES = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/lib/chromium/chromium',
  '/usr/bin/chromium',
];
export const chromiumPath = process.env.STOCKACT_CHROMIUM ?? PLACES.find(existsSync);

/** For `{ skip: noChromium }`: false, or why there is none. */
export const noChromium = instrumented
  ? 'requests find as much with a sanitizer'
  : gate
    ? 'script/nightly has browsers'
    : chromiumPath
      ? false
      : 'no Chromium: script/setup --tests installs it';

export const WIDE = { width: 1280, height: 900 };
export const NARROW = { width: 390, height: 844 };

const ARGS = [
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
  '--disable-gpu',
  '--force-color-profile=srgb',
];

/** What a page did since it was opened. */
class Record {
  /** Console errors, exceptions, violations of the policy and requests that failed or went to other origins. */
  faults = [];
  #requests = new WeakSet(); // since the first load, or `begin`
  #sizes = [];
  #documents = 0;

  constructor(page, origin) {
    page.on('console', (message) => this.#hear(message, page));
    page.on('pageerror', (error) => this.faults.push(`exception: ${error.message}`));
    page.on('requestfailed', (request) => {
      if (!this.#requests.has(request)) return; // of the page before, which the browser has left
      // One navigation took the place of another: a second click, or a page that looks again by
      // itself when the test leaves it.
      if (request.isNavigationRequest() && request.failure().errorText === 'net::ERR_ABORTED')
        return;
      this.faults.push(`a failed request: ${request.url()}`);
    });
    page.on('request', (request) => {
      this.#requests.add(request);
      const url = new URL(request.url());
      if (url.protocol !== 'data:' && url.origin !== origin) {
        this.faults.push(`a request to another origin: ${request.url()}`);
      }
      // A redirect on the way belongs to the first load, the next navigation does not.
      const first = !request.redirectedFrom();
      if (first && request.isNavigationRequest() && request.frame() === page.mainFrame()) {
        this.#documents++;
      }
      if (this.#documents === 1) this.#count(request);
    });
  }

  /** The next load is the first. Faults stay. */
  begin() {
    this.#requests = new WeakSet();
    this.#sizes = [];
    this.#documents = 0;
  }

  /** Chromium reports the status of the page itself as an error: a page of a 404 is none. */
  #hear(message, page) {
    if (message.type() !== 'error') return;
    const own = message.location().url === page.url();
    if (own && message.text().startsWith('Failed to load resource: the server responded')) return;
    this.faults.push(`console: ${message.text()}`);
  }

  /** A test may end, and close the page, before all is loaded. The size is then not needed. */
  #count(request) {
    const size = this.#sizeOf(request);
    size.catch(() => {});
    this.#sizes.push(size);
  }

  async #sizeOf(request) {
    if (request.url().startsWith('data:')) return 0;
    const response = await request.response();
    if (!response) return 0; // it failed, which is a fault of its own
    if (response.headers()['content-type'] === 'text/event-stream') return 0; // it has no end
    await response.finished();
    const sizes = await request.sizes();
    return sizes.responseHeadersSize + sizes.responseBodySize;
  }

  /** Bytes received for the first page, with all that it loaded. */
  async firstLoad() {
    const sizes = await Promise.all(this.#sizes);
    return sizes.reduce((sum, size) => sum + size, 0);
  }
}

const records = new WeakMap();

/** The record of a page: {faults, firstLoad()}. */
export const recordOf = (page) => records.get(page);

/**
 * A page that opens one target after another, each as if it were the first: nothing of the ones
 * before is in the caches, the cookies or the storage. A new context takes a second of processor
 * time.
 */
class Tab {
  #page;
  #server;
  #visitor;
  #developer;

  async make(page, server, visitor) {
    this.#page = page;
    this.#server = server;
    this.#visitor = visitor;
    this.#developer = await page.context().newCDPSession(page);
    await this.#developer.send('Network.enable'); // without it, the next line does nothing
    await this.#developer.send('Network.setCacheDisabled', { cacheDisabled: true });
    return this;
  }

  async open(target) {
    const page = this.#page;
    const origin = this.#server.url;
    await this.#developer.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
    await giveCookies(page.context(), this.#server, this.#visitor);
    await page.setViewportSize(WIDE);
    await page.emulateMedia({ colorScheme: null });
    recordOf(page).begin();
    return goTo(page, target, 200);
  }
}

async function giveCookies(context, server, visitor) {
  if (visitor) await context.addCookies(visitor.cookies.forBrowser(server.url));
}

async function goTo(page, target, status) {
  const response = await page.goto(target);
  assert.equal(response.status(), status, `GET ${target}`);
  return page;
}

export class Browser {
  #process;

  async launch() {
    this.#process = await chromium.launch({
      executablePath: chromiumPath,
      args: ARGS,
      timeout: HANGS_MS,
    });
    return this;
  }

  close() {
    countGrandchildren();
    return this.#process?.close();
  }

  /**
   * A page in a context of its own, which ends with test `t`. Options: `script` (false: without),
   * `dark`, `narrow`, `visitor` (a Visitor, whose cookies it gets), `headers`.
   */
  async page(t, server, options = {}) {
    const { script = true, dark = false, narrow = false, visitor, headers } = options;
    const context = await this.#process.newContext({
      baseURL: server.url,
      javaScriptEnabled: script,
      colorScheme: dark ? 'dark' : 'light',
      viewport: narrow ? NARROW : WIDE,
      reducedMotion: 'reduce',
      locale: 'en-US',
      timezoneId: 'America/New_York',
      extraHTTPHeaders: headers,
    });
    t.after(() => context.close());
    context.setDefaultTimeout(HANGS_MS);
    await giveCookies(context, server, visitor);
    const page = await context.newPage();
    records.set(page, new Record(page, server.url));
    return page;
  }

  /** The same, with `target` opened; the response must have `status`. */
  async open(t, server, target, { status = 200, ...options } = {}) {
    return goTo(await this.page(t, server, options), target, status);
  }

  /** For many pages of one visitor: a Tab, which ends with test `t`. */
  async tab(t, server, visitor) {
    return new Tab().make(await this.page(t, server, { visitor }), server, visitor);
  }
}

/** A browser for the tests of this file, or of the `describe` around the call. */
export function useBrowser() {
  const browser = new Browser();
  before(() => noChromium || browser.launch());
  after(() => browser.close());
  return browser;
}
