// A page of the newest trades, with a filter by symbol, that changes when a trade is published.
//
//     export SVC_API_URL=http://127.0.0.1:8080 SVC_API_KEY=svc_YOUR_KEY
//     export WEBHOOK_SECRET=whsec_...        # of `stockact listen --to http://localhost:3000/hook`
//     node app.mjs                           # http://localhost:3000
//
// The key stays on this side: browsers never see it. Responses of the API are kept with their ETag, and a
// webhook tells when to ask again. Node 20 or newer, without packages.

import http from 'node:http';
import { verifySvc } from '../webhook-receiver/node/verify.mjs';

const { SVC_API_URL = 'http://127.0.0.1:8080', SVC_API_KEY, WEBHOOK_SECRET } = process.env;
const PORT = Number(process.env.PORT ?? 3000);
const BODY_MAX = 32 * 1024 * 1024; // of a webhook
const KEPT_MAX = 100;

// --- the API

const kept = new Map(); // target -> {etag, body}

/** The JSON body of a GET; a 304 has no body, and still counts as a request. */
async function get(target) {
  const before = kept.get(target);
  const headers = {
    ...(SVC_API_KEY && { Authorization: `Bearer ${SVC_API_KEY}` }),
    ...(before && { 'If-None-Match': before.etag }),
  };
  const response = await fetch(SVC_API_URL + target, { headers });
  if (response.status === 304) return before.body;
  const body = await response.json();
  if (!response.ok) throw new Error(body.hint ?? body.error);
  if (kept.size >= KEPT_MAX) kept.delete(kept.keys().next().value);
  kept.set(target, { etag: response.headers.get('ETag'), body });
  return body;
}

// --- the page

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text) => String(text ?? '').replace(/[&<>"]/g, (c) => ENTITIES[c]);

const row = ({ politician, ticker, assetName, side, amountRange, tradeDate, filingUrl }) => `
  <tr><td>${escape(tradeDate)}<td>${escape(politician.name)} (${escape(politician.state)})
  <td>${escape(ticker ?? '')}<td>${escape(assetName)}<td>${escape(side.replace('_', ' '))}<td>${escape(amountRange.label)}
  <td><a href="${escape(filingUrl)}">filing</a>`;

const page = (ticker, body) => `<!doctype html><html lang="en"><meta charset="utf-8">
<title>Newest trades</title><meta name="viewport" content="width=device-width">
<style>
:root{color-scheme:light dark}body{font:16px/1.5 system-ui;margin:2rem auto;padding:0 1rem;max-width:72rem}
table{border-collapse:collapse;margin-top:1rem;width:100%}td,th{padding:.3rem 1rem .3rem 0;text-align:left}
tr{border-bottom:1px solid #8884}td:first-child,td:nth-child(6){white-space:nowrap}
</style>
<h1>Newest trades</h1>
<form><label>Symbol <input name="ticker" value="${escape(ticker)}"></label> <button>Show</button></form>
${body}
<script>new EventSource('/events').onmessage = () => location.reload();</script></html>`;

const list = ({ data }) =>
  data.length === 0
    ? '<p>No trades.</p>'
    : `<table><tr><th>Date<th>Member<th>Symbol<th>Asset<th>Side<th>Amount<th>Source
       ${data.map(row).join('')}</table>`;

async function show(url, response) {
  const ticker = url.searchParams.get('ticker')?.trim() ?? '';
  const filter = ticker ? `&ticker=${encodeURIComponent(ticker)}` : '';
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  try {
    response.end(page(ticker, list(await get(`/api/v1/trades?limit=20${filter}`))));
  } catch (error) {
    response.statusCode = 502;
    response.end(page(ticker, `<p>The trades could not be read: ${escape(error.message)}</p>`));
  }
}

// --- webhooks

const pages = new Set(); // open pages, which wait for news

async function bodyOf(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > BODY_MAX) throw new Error('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Each delivery may come more than once: to reload twice does no harm. */
async function take(request, response) {
  try {
    if (!WEBHOOK_SECRET) throw new Error('WEBHOOK_SECRET is not set');
    verifySvc(WEBHOOK_SECRET, request.headers, await bodyOf(request));
    for (const open of pages) open.write('data: news\n\n');
    response.statusCode = 204;
  } catch (error) {
    response.statusCode = 400;
    console.error(`rejected a webhook: ${error.message}`);
  }
  response.end();
}

function wait(request, response) {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  response.write(': connected\n\n');
  pages.add(response);
  request.on('close', () => pages.delete(response));
}

// --- the server

const routes = { 'GET /': show, 'POST /hook': take, 'GET /events': wait };

const server = http.createServer((request, response) => {
  const url = new URL(request.url, 'http://localhost');
  const route = routes[`${request.method} ${url.pathname}`];
  if (route === show) show(url, response);
  else if (route) route(request, response);
  else response.writeHead(404).end('There is no such page.\n');
});

server.listen(PORT, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
