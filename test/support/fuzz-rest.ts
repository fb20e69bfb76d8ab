import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { HOSTILE_TEXTS } from './browser-seed.ts';

/** Odd request to the REST API or to a page. */
export interface RestRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface RestTarget {
  readonly projectId: number;
  readonly projectPath: string;
  readonly token: string;
  readonly errorIds: readonly string[];
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
}

type PathItem = Readonly<Record<string, { readonly parameters?: readonly Parameter[] }>>;

/** Operations that would take the project, the person or the token from the requests that follow. */
const ENDS_THE_RUN =
  /^(delete \/api\/v4\/projects\/\{id\}$|delete \/api\/v4\/personal_access|delete \/-\/session|(put|post) \/api\/v4\/users\/)/;
/** Bytes of the longest query, below the 8 KB that a request line may have. */
const LONG_QUERY = 6000;

function operations(): Operation[] {
  const { paths } = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')) as {
    readonly paths: Readonly<Record<string, PathItem>>;
  };
  return Object.entries(paths)
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, { parameters = [] }]) => ({
        method,
        path,
        query: parameters.filter((one) => one.in === 'query').map((one) => one.name),
      })),
    )
    .filter(({ method, path }) => !ENDS_THE_RUN.test(`${method} ${path}`));
}

const oddText = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(...HOSTILE_TEXTS.map((text) => text.slice(0, 500))),
  fc.constantFrom('', '-1', '0', '1e999', 'NaN', 'null', '9'.repeat(40), '../..', '\0', '[]', 'true', '2026-13-40'),
);

const searchTerm = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('release', 'user.email', 'url', 'url.path', 'has', 'is', 'browser', 'type', 'age', 'count', 'zz'),
      fc.constantFrom(':', ':>', ':!', ':"', '::'),
      fc.string({ maxLength: 20 }),
    )
    .map(([key, sign, value]) => key + sign + value),
  fc.string({ maxLength: 12 }),
  fc.constantFrom('"', '\\', '*', '%', '_', '!', '(', 'OR', 'is:unresolved', 'has:user'),
);
const longSearch = fc
  .array(searchTerm, { minLength: 1, maxLength: 1500 })
  .map((terms) => terms.join(' ').slice(0, LONG_QUERY));

const oddBody = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc
    .dictionary(fc.constantFrom('name', 'title', 'status', 'ids', 'search', 'query', 'note'), fc.jsonValue())
    .map((value) => JSON.stringify(value)),
  fc.constantFrom('', '{', '[', 'null', '"a"', '['.repeat(5000), '{"a":'.repeat(3000), '{"__proto__":{"a":1}}'),
);

/** The first in nine of ten cases, so that most requests get past the checks before. */
function mostly<T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: odd });
}

/** Encodes a text for a URL; halves of surrogate pairs, which no URL can hold, are replaced. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Makes requests of every documented operation with odd parameters, searches of up to 6 KB, bodies and identities. */
export function restRequest(target: RestTarget): fc.Arbitrary<RestRequest> {
  const id = mostly(fc.constantFrom(String(target.projectId), encoded(target.projectPath)), oddText.map(encoded));
  const errorId = mostly(fc.constantFrom(...target.errorIds), oddText.map(encoded));
  const identity = mostly(
    fc.constant<Record<string, string>>({ 'PRIVATE-TOKEN': target.token }),
    fc.constantFrom<Record<string, string>>(
      {},
      { 'PRIVATE-TOKEN': 'glpat-wrong' },
      { Authorization: `Bearer ${target.token}` },
      { Authorization: 'Basic AAAA', Cookie: 'a=b; '.repeat(200) },
      { Cookie: 'errgate_session=00', Origin: 'https://other.example' },
    ),
  );
  return fc
    .record({
      operation: fc.constantFrom(...operations()),
      method: mostly<string | null>(
        fc.constant(null),
        fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
      ),
      id,
      errorId,
      other: oddText.map(encoded),
      values: fc.array(fc.option(oddText, { freq: 1 }), { minLength: 8, maxLength: 8 }),
      search: fc.option(longSearch),
      identity,
      body: oddBody,
      type: fc.constantFrom('application/json', 'application/json', 'text/plain', 'application/x-www-form-urlencoded'),
    })
    .map(({ operation, method, id, errorId, other, values, search, identity, body, type }) => {
      const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
        if (name === 'id') return id;
        if (name === 'project_path') return target.projectPath;
        return name === 'error_id' ? errorId : other || '1';
      });
      const query = operation.query.flatMap((name, index) => {
        if (name === 'search' && search !== null)
          return [`search=${encodeURIComponent(search.toWellFormed()).slice(0, LONG_QUERY)}`];
        const value = values[index % values.length] ?? null;
        return value === null ? [] : [`${name}=${encoded(value).slice(0, 300)}`];
      });
      // An encoded character that the bound cuts in half is an odd request too.
      const verb = method ?? operation.method.toUpperCase();
      const writes = verb === 'POST' || verb === 'PUT' || verb === 'PATCH';
      return {
        method: verb,
        path: `${path}${query.length === 0 ? '' : `?${query.join('&')}`}`,
        headers: { ...identity, ...(writes ? { 'Content-Type': type } : {}) },
        body: writes ? body : null,
      };
    });
}
