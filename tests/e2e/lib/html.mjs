// HTML as a browser parses it (parse5), with CSS selectors.

import { selectAll, selectOne } from 'css-select';
import { parse } from 'parse5';
import { adapter } from 'parse5-htmlparser2-tree-adapter';

export function parseHtml(text) {
  return parse(text, { treeAdapter: adapter });
}

export const all = (selector, node) => selectAll(selector, node);
export const one = (selector, node) => selectOne(selector, node);

/** An attribute's value, or null. */
export const attribute = (node, name) => node.attribs?.[name] ?? null;

/** All text within a node, as it is in the source. */
export function rawText(node) {
  if (node.type === 'text') return node.data;
  return (node.children ?? []).map(rawText).join('');
}

/** The text within a node, with white space collapsed. */
export const text = (node) => rawText(node).replace(/\s+/g, ' ').trim();
