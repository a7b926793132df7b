// Checks responses against the server's own description (/api/v1/openapi.json): it must describe
// path, method, status and media type; the headers that it requires must exist; and the JSON body
// must match its schema.

import { strict as assert } from 'node:assert';
import addFormats from 'ajv-formats';
import Ajv2020 from 'ajv/dist/2020.js';
import { decodedText } from './client.mjs';

// An address that no test sends from, so that reading the description counts in no test's window.
const READER = '127.255.0.1';
const DIALECT = ['example', 'discriminator', 'externalDocs', 'xml'];

const escapePointer = (part) => part.replaceAll('~', '~0').replaceAll('/', '~1');

/** '/politicians/{slug}' as a pattern for one path. */
function pathPattern(template) {
  const escape = (part) => part.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  const parts = template.split(/\{[^}]+\}/).map(escape);
  return new RegExp(`^${parts.join('[^/]+')}$`);
}

export class OpenApi {
  #ajv;
  #paths;

  constructor(document) {
    this.document = document;
    this.#ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false });
    addFormats(this.#ajv);
    // the document itself is the root for looking up its schemas
    this.#ajv.addVocabulary([...DIALECT, ...Object.keys(document)]);
    this.#ajv.addSchema(document, 'openapi', undefined, false);
    const base = new URL(document.servers?.[0]?.url ?? '/', 'http://localhost').pathname;
    const prefix = base.replace(/\/$/, '');
    this.#paths = Object.keys(document.paths).map((template) => ({
      template,
      pattern: pathPattern(prefix + template),
    }));
  }

  static async load(server) {
    return new OpenApi(await server.json('/api/v1/openapi.json', { from: READER }));
  }

  /** Follows a $ref, if it is one: {value, pointer}. */
  #resolve(value, pointer) {
    if (!value?.$ref) return { value, pointer };
    const target = value.$ref.slice(1);
    let found = this.document;
    for (const part of target.split('/').slice(1)) {
      found = found?.[part.replaceAll('~1', '/').replaceAll('~0', '~')];
    }
    assert.ok(found, `${value.$ref} points to nothing`);
    return this.#resolve(found, target);
  }

  #describedResponse(method, path, status) {
    // a literal path takes precedence over a template
    const candidates = this.#paths.filter(({ pattern }) => pattern.test(path));
    const match = candidates.find(({ template }) => !template.includes('{')) ?? candidates[0];
    assert.ok(match, `${path} is not described`);
    const item = this.document.paths[match.template];
    // HEAD responds like GET, without a body
    const verb = method === 'HEAD' && !item.head ? 'get' : method.toLowerCase();
    const described = item[verb]?.responses?.[status];
    const where = `${method} ${match.template} ${status}`;
    assert.ok(described, `${where} is not described`);
    const pointer = ['', 'paths', match.template, verb, 'responses', String(status)];
    const csv = item[verb]['x-csv-response'];
    return { where, csv, ...this.#resolve(described, pointer.map(escapePointer).join('/')) };
  }

  #checkSchema(pointer, value, what) {
    const validate = this.#ajv.getSchema(`openapi#${encodeURI(pointer)}`);
    assert.ok(validate, `no schema at ${pointer}`);
    assert.ok(validate(value), `${what}: ${JSON.stringify(validate.errors, null, 1)}`);
  }

  #checkHeaders(described, pointer, response, where) {
    for (const [name, header] of Object.entries(described.headers ?? {})) {
      const place = `${pointer}/headers/${escapePointer(name)}`;
      const { value, pointer: at } = this.#resolve(header, place);
      const text = response.header(name);
      if (text === null) {
        assert.ok(!value.required, `${where} lacks ${name}`);
        continue;
      }
      const type = this.#resolve(value.schema, '').value.type;
      const parsed = type === 'integer' || type === 'number' ? Number(text) : text;
      this.#checkSchema(`${at}/schema`, parsed, `${where}: ${name}`);
    }
  }

  /**
   * Throws unless `response` to `method` on `target` (path, maybe a query) matches its description.
   */
  check(method, target, response) {
    const path = target.split('?')[0];
    const { where, csv, value, pointer } = this.#describedResponse(method, path, response.status);
    this.#checkHeaders(value, pointer, response, where);
    if (response.body.length === 0) return;
    if (csv && response.status === 200 && response.header('content-type') === csv.mediaType) {
      // two media types in one 200 would make generated clients return a union
      assert.equal(decodedText(response).split('\r\n')[0], csv.columns.join(','), where);
      return;
    }
    const type = response.header('content-type').split(';')[0].trim();
    const media = Object.keys(value.content ?? {}).find((one) => one.split(';')[0].trim() === type);
    assert.ok(media, `${where} may not be ${type}`);
    if (type === 'application/json') {
      const schema = `${pointer}/content/${escapePointer(media)}/schema`;
      this.#checkSchema(schema, JSON.parse(decodedText(response)), where);
    }
  }

  /** Throws unless the body of an event matches the description of its webhook. */
  checkEvent(body) {
    const steps = ['webhooks', body.event, 'post', 'requestBody', 'content', 'application/json'];
    const pointer = ['', ...steps, 'schema'].map(escapePointer).join('/');
    this.#checkSchema(pointer, body, body.event);
  }
}
