import assert from 'node:assert/strict';
import { codeLines, codeSpans, described, docPages, readRoot, type DocCode } from '../../support/doc-pages.ts';

/**
 * What the pages name: `GET /api/v4/projects`, a path without a method, or the end of a path behind `…`:
 * `GET …/errors/17`.
 */
interface NamedRoute extends DocCode {
  readonly method: string | null;
  /** Begins with `…` where its beginning is left out. */
  readonly path: string;
}

type Operations = Readonly<Record<string, { readonly parameters?: readonly { readonly name: string }[] }>>;

const API = '/api/v4';
/** What `…` stands for in docs/api.md. */
const PROJECT_ROUTES = `${API}/projects/{id}/error_tracking`;
const METHODS = 'GET|HEAD|POST|PUT|PATCH|DELETE';
/** Pages also name routes of external trackers, which end with a slash. */
const OURS = String.raw`(?!\S*/(?:\?\S*)?$)`;
/** Paths of ingestion, which the OpenAPI document leaves to the protocol. */
const INGESTION = /^\/(?:api|errortracking\/api\/v1\/projects\/api)\/:id\//;
/** Beginnings of paths that stand for all routes below them. */
const GROUPS = [API, '/-', '/<project path>/-', PROJECT_ROUTES];

/** Routes of the OpenAPI document, which `npm run docs:check` compares with the code. */
function servedRoutes(): [path: string, operations: Operations][] {
  const { paths } = JSON.parse(readRoot('docs/openapi.json')) as { paths: Record<string, Operations> };
  return Object.entries(paths);
}

/** Addresses of pages in the router, `{project_path}` for its pattern of a project. */
function pagePaths(): string[] {
  return [...readRoot('ui/src/app/routes.ts').matchAll(/\bpath: ['`]([^'`]+)['`]/g)].map(([, path = '']) =>
    path.replace('${PROJECT}', '/{project_path}/-').replaceAll(/:(\w+)(?=\/|$)/g, '{$1}'),
  );
}

/** True when a part that a page names stands for the part of a route. */
function partMeans(named: string, served: string): boolean {
  if (!served.startsWith('{')) return named === served;
  if (/^\{.*\}$/.test(named)) return named === served;
  // A word here is most likely a misspelt route, and no value.
  return !/^[a-z_]+$/.test(named);
}

/** True when the path, or its end behind `…`, has the shape of the served one; a project's path may have several parts. */
function pathMeans(named: string, served: string): boolean {
  if (named.startsWith('…')) {
    const parts = named.slice('…/'.length).split('/');
    const end = served.split('/').slice(-parts.length);
    return parts.every((part, at) => partMeans(part, end[at] ?? ''));
  }
  const project = /^\/\{project_path\}(?=\/-\/)/;
  if (project.test(served)) {
    const at = named.indexOf('/-/');
    return at > 0 && pathMeans(named.slice(at), served.replace(project, ''));
  }
  const [left, right] = [named.split('/'), served.split('/')];
  return left.length === right.length && left.every((part, at) => partMeans(part, right[at] ?? ''));
}

function namedRoutes(spans: readonly DocCode[], lines: readonly DocCode[]): NamedRoute[] {
  const within = (code: DocCode, pattern: RegExp): NamedRoute[] =>
    [...code.text.matchAll(pattern)].map(({ groups }) => ({
      ...code,
      method: groups?.['method'] ?? null,
      path: groups?.['path'] ?? '',
    }));
  return [
    ...spans.flatMap((code) => within(code, new RegExp(`^(?:(?<method>${METHODS}) )(?<path>(?:…${OURS})?/\\S*)`, 'g'))),
    ...spans.flatMap((code) => within(code, /^(?<path>\/(?:api\/v4|-|<project path>\/-)(?:\/\S*)?|\/admin\/\S+)$/g)),
    ...lines.flatMap((code) => within(code, /https?:\/\/[^/\s"'`]+(?<path>\/(?:api\/v4|-)\/[^\s"'`]+)/g)),
  ];
}

describe('routes in the documentation', () => {
  const pages = docPages();
  const routes = servedRoutes();
  const named = namedRoutes(codeSpans(pages), codeLines(pages));

  /** What is wrong with a route; null for one that is served, or for the address of a page. */
  function fault({ method, path: given }: Pick<NamedRoute, 'method' | 'path'>): string | null {
    const [path = '', query = ''] = given.split('?');
    if (INGESTION.test(path) || GROUPS.includes(path.replace(/\/$/, ''))) return null;
    const found = routes.filter(([served]) => pathMeans(path, served) || pathMeans(API + path, served));
    if (found.length === 0) {
      const isPage = method === null && pagePaths().some((page) => pathMeans(path, page));
      return isPage ? null : 'no such route';
    }
    const operations = found.flatMap(([, byMethod]) =>
      Object.entries(byMethod).flatMap(([name, operation]) =>
        method === null || name === method.toLowerCase() ? [operation] : [],
      ),
    );
    if (operations.length === 0) return `no method ${method ?? ''}`;
    const parameters = operations.flatMap((operation) => (operation.parameters ?? []).map(({ name }) => name));
    const missing = [...new URLSearchParams(query).keys()].filter((name) => !parameters.includes(name));
    return missing.length === 0 ? null : `no parameter ${missing.join(', ')}`;
  }

  it('finds routes in the code and in the pages', () => {
    assert.ok(routes.length > 80, String(routes.length));
    assert.ok(pagePaths().length > 15, pagePaths().join());
    assert.ok(named.length > 120, String(named.length));
  });

  it('finds faults of routes', () => {
    const check = (method: string | null, path: string): string | null => fault({ method, path });
    assert.equal(check('GET', '/api/v4/projects/1/error_tracking/errors/2/events/latest'), null);
    assert.equal(check('POST', '/users'), null);
    assert.equal(check(null, '/<project path>/-/error_tracking/outcomes'), null);
    assert.equal(check('GET', '/api/v4/projects/{id}/error_tracking/errors/cuonts'), 'no such route');
    assert.equal(check('GET', '/api/v4/projects/{project}/error_tracking/errors'), 'no such route');
    assert.equal(check('POST', '/api/v4/version'), 'no method POST');
    assert.equal(check('GET', '/api/v4/error_tracking/errors?sorting=matters'), 'no parameter sorting');
    assert.equal(check(null, '/-/ready'), 'no such route');
    assert.equal(check('DELETE', '…/errors/17/notes/3'), null);
    assert.equal(check('PATCH', '…/errors/17/notes/3'), 'no method PATCH');
    assert.equal(check('GET', '…/errors/17/remarks'), 'no such route');
    assert.equal(check('GET', '…/errors?sorting=matters'), 'no parameter sorting');
  });

  it('names every route in docs/api.md, with its method', () => {
    const inPage = named.filter(({ place }) => place.startsWith('docs/api.md:'));
    const names = (method: string, served: string): boolean =>
      inPage.some(({ path, ...route }) => {
        const whole = (path.split('?', 1)[0] ?? '').replace(/^…/, PROJECT_ROUTES);
        return (route.method === null || route.method === method) && pathMeans(whole, served);
      });
    const missing = routes.flatMap(([path, byMethod]) =>
      Object.keys(byMethod)
        .map((method) => method.toUpperCase())
        .filter((method) => !names(method, path))
        .map((method) => `${method} ${path}`),
    );
    assert.deepEqual(missing, []);
  });

  it('names no route that is not served', () => {
    assert.deepEqual(
      named.filter((route) => fault(route) !== null).map((route) => `${described([route]).join()}: ${fault(route)}`),
      [],
    );
  });
});
