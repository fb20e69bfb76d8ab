import assert from 'node:assert/strict';
import type { Route } from '../../src/gateway/http/route.ts';
import { routes } from '../../src/gateway/routes.ts';
import { problemSchema } from '../../src/gateway/http/common-schema.ts';
import { compileCheck, describeProblems, type Check } from '../../src/schemas/compile.ts';

const checks = new Map<object, Check>();

function checkFor(schema: object): Check {
  const known = checks.get(schema);
  if (known !== undefined) return known;
  const check = compileCheck(schema);
  checks.set(schema, check);
  return check;
}

function pattern(path: string): RegExp {
  const source = path
    .replaceAll('.', '\\.')
    .replaceAll(/\{([^}]+)\}/g, '(?:$1)?')
    .replaceAll(/:\w+/g, '[^/]+')
    .replaceAll(/\*\w+/g, '.+');
  return new RegExp(`^${source}/?$`);
}

const matchers = routes.map((route) => ({ route, pattern: pattern(route.path) }));

function routeOf(method: string, pathname: string): Route | undefined {
  return matchers.find((entry) => entry.route.method === method && entry.pattern.test(pathname))?.route;
}

/** `operationId status` of every answer checked so far. */
export const seenAnswers = new Set<string>();

/** Fails when the answer of a route differs from its documentation. */
export function assertDocumented(method: string, path: string, status: number, text: string): void {
  const route = routeOf(method, path.replace(/[?#].*$/s, ''));
  // Answers to build tools and agents are those of their protocols.
  if (route === undefined || route.surface === 'tools' || route.surface === 'agents') return;
  const documented = route.responses[status];
  const name = `${route.operationId} ${status}`;
  seenAnswers.add(name);
  // An answer documented without a schema is not JSON, so its body is not checked.
  if (documented !== undefined && documented.schema === undefined) return;
  const schema = documented?.schema ?? problemSchema;
  if (text === '' && status === 304) return;
  assert.deepEqual(describeProblems(checkFor(schema)(JSON.parse(text))), [], `${name} is not as documented: ${text}`);
}
