import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

interface Operation {
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const JSON_TYPES = ['application/json', 'application/problem+json'];

function readDocument() {
  const file = new URL('../../docs/openapi.json', import.meta.url);
  const document = JSON.parse(readFileSync(file, 'utf8')) as ApiDocument;
  const ajv = new Ajv2020({ strict: false, validateFormats: false, code: { optimize: false } });
  ajv.addSchema(document, 'api');
  const paths = Object.keys(document.paths).map((path) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
  }));
  return { document, ajv, paths };
}

let known: ReturnType<typeof readDocument> | undefined;
const checks = new Map<string, ValidateFunction>();

/**
 * Fails when docs/openapi.json does not describe an answer that a test gives to a page. So what pages are tested with
 * follows the API. Answers without a documented schema pass.
 */
export function assertDescribed(method: string, pathname: string, status: number, body: unknown): void {
  known ??= readDocument();
  const { document, ajv, paths } = known;
  // A documented word is nearer than a parameter in its place.
  const path = paths
    .filter(({ pattern }) => pattern.test(pathname))
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length)[0]?.path;
  const verb = method.toLowerCase();
  const operation = path === undefined ? undefined : document.paths[path]?.[verb];
  assert.ok(path !== undefined && operation !== undefined, `no documented operation: ${method} ${pathname}`);
  const code = [String(status), 'default'].find((one) => one in operation.responses);
  const type = JSON_TYPES.find((one) => operation.responses[code ?? '']?.content?.[one] !== undefined);
  if (code === undefined || type === undefined) return;
  const pointer = ['paths', path, verb, 'responses', code, 'content', type, 'schema']
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
  const check = checks.get(pointer) ?? ajv.compile({ $ref: `api#/${pointer}` });
  checks.set(pointer, check);
  assert.ok(check(body), `${method} ${path} ${status} is not as documented: ${ajv.errorsText(check.errors)}`);
}
