// Kinds of pages that anyone may see, and of the documentation. A page that is neither a guide nor about an endpoint belongs to the
// rest of the reference.

const GUIDE =
  /^\/docs\/(alerts|webhook|verifiers|develop|mcp|conflict|industries|audit|operate|each|review|after|sync)/;
const ENDPOINT =
  /^\/docs\/(trades?|politicians|tickers|filings|corrections|changes|events|coverage|usage)$/;

export const isGuide = (target) => GUIDE.test(target);
export const isEndpoint = (target) => ENDPOINT.test(target);

const DATA =
  /^\/($|trades|explore|late|filings|politicians|tickers|conflicts|corrections|coverage|search)/;

const FINDING = /^\/(politicians|conflicts|search)/;

export const isFinding = (target) => FINDING.test(target);
export const isData = (target) => DATA.test(target);
