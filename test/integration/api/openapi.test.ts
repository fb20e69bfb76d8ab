import assert from 'node:assert/strict';
import { createRouter } from '../../../src/gateway/app.ts';
import { documentedPath } from '../../../src/gateway/http/openapi.ts';
import { routes } from '../../../src/gateway/routes.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { describeOnEveryStore } from '../../support/test-stores.ts';
import { givenSession } from '../../support/browser-session.ts';
import { worldOfApp, requestFor } from '../../support/route-requests.ts';
import { useStandInSignOn } from '../../support/stand-in-sign-on.ts';
import { seenAnswers } from '../../support/documented.ts';
import { givenEvents, givenPerson, givenTrackedProject } from '../../support/factories.ts';

interface Operation {
  readonly operationId: string;
  readonly parameters: { name: string; in: string; schema: object }[];
  readonly description?: string;
  readonly requestBody?: { required: boolean; content: Record<string, { schema: object }> };
  readonly responses: Record<string, { content?: Record<string, { schema: object }> }>;
  readonly security: object[];
}

interface Document {
  readonly openapi: string;
  readonly info: { version: string };
  readonly servers: { url: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { schemas: Record<string, object> };
}

describeOnEveryStore('the OpenAPI document', (kind) => {
  let app: RunningApp;
  let document: Document;

  before(async () => {
    app = await startApp(kind);
    const answer = await app.get('/api/v4/openapi.json');
    assert.equal(answer.status, 200);
    document = answer.json() as Document;
  });
  after(() => app.close());

  it('needs no token and names version and address', () => {
    assert.equal(document.openapi, '3.1.0');
    assert.equal(document.info.version, '1.2.3');
    assert.deepEqual(document.servers, [{ url: 'https://errors.example.test' }]);
  });

  // openapi-python-client makes code of a narrower boolean that does not import, and leaves out mixed operations.
  it('has booleans without a single value or an enum of other types', () => {
    const narrow: string[] = [];
    const walk = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      const { const: only, enum: values } = value as { const?: unknown; enum?: unknown };
      if (typeof only === 'boolean') narrow.push(path);
      if (Array.isArray(values) && values.some((one) => typeof one === 'boolean')) narrow.push(path);
      for (const [name, member] of Object.entries(value)) walk(member, `${path}/${name}`);
    };
    walk(document, '');
    assert.deepEqual(narrow, []);
  });

  // openapi-python-client makes no class of an object that may be null, although others import it.
  it('has null beside references to objects, not in the objects', () => {
    const nullable = Object.entries(document.components.schemas).filter(([, schema]) => {
      const { type } = schema as { type?: unknown };
      return Array.isArray(type) && type.includes('null');
    });
    assert.deepEqual(
      nullable.map(([name]) => name),
      [],
    );
  });

  it('holds every route of the router but those of build tools, and nothing else', () => {
    const served = createRouter(app.deps)
      .stack.map(
        ({ path, methods }) => `${methods.find((method) => method !== 'HEAD') ?? ''} ${documentedPath(String(path))}`,
      )
      .filter((route) => !route.includes(' /api/0/'));
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    assert.ok(served.length >= 25);
    assert.deepEqual(described.sort(), served.sort());
  });

  it('holds the specified routes and parameters', () => {
    const settings = document.paths['/api/v4/projects/{id}/error_tracking/settings'];
    assert.deepEqual(Object.keys(settings ?? {}).sort(), ['get', 'patch', 'put']);
    const body = settings?.put?.requestBody?.content['application/json']?.schema as { required: string[] };
    assert.deepEqual(body.required, ['active', 'integrated']);
    const keys = document.paths['/api/v4/projects/{id}/error_tracking/client_keys']?.get;
    assert.deepEqual(
      keys?.parameters.map(({ name }) => name),
      ['id', 'usage', 'page', 'per_page'],
    );
    assert.deepEqual(keys.responses[200]?.content?.['application/json']?.schema, {
      type: 'array',
      items: { $ref: '#/components/schemas/ClientKey' },
    });
  });

  it('says that parameters may be in the query instead of the body, except secrets', () => {
    const settings = document.paths['/api/v4/projects/{id}/error_tracking/settings'];
    for (const operation of [settings?.put, settings?.patch]) {
      assert.equal(operation?.requestBody?.required, false);
      const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query');
      assert.deepEqual(
        inQuery.map(({ name }) => name),
        ['active', 'integrated'],
      );
    }
    const link = document.paths['/api/v4/projects/{id}/error_tracking/settings/thirdparty']?.put?.parameters ?? [];
    const names = link.map(({ name }) => name);
    assert.ok(names.includes('api_host') && !names.includes('token'));
    const signIn = document.paths['/-/session']?.post;
    assert.deepEqual([signIn?.parameters, signIn?.requestBody?.required], [[], true]);
  });

  it('describes the items of every list, and source lines', () => {
    const listsWithoutItems: string[] = [];
    const walk = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      const { type, items } = value as { type?: unknown; items?: unknown };
      if (type === 'array' && items === undefined) listsWithoutItems.push(path);
      for (const [name, member] of Object.entries(value)) walk(member, `${path}/${name}`);
    };
    walk(document, '');
    assert.deepEqual(listsWithoutItems, []);
    for (const name of ['StackTrace', 'WebStackTrace']) {
      const text = JSON.stringify(document.components.schemas[name]);
      assert.match(text, /"prefixItems":\[\{"type":"integer"\},\{"type":"string"\}\]/, name);
    }
  });

  it('names the required role of every operation', () => {
    const operations = Object.values(document.paths).flatMap((byMethod) => Object.values(byMethod));
    for (const { operationId, description } of operations) {
      assert.match(description ?? '', /^(Open to everybody|For [\w ]+, with a (token|session))/, operationId);
    }
    const settings = document.paths['/api/v4/projects/{id}/error_tracking/settings'];
    assert.equal(
      settings?.put?.description,
      'For the role Maintainer or higher, with a token with the scope api, or a session.',
    );
  });

  it('describes every part of every path, and gives every operation a unique name', () => {
    const operations = Object.entries(document.paths).flatMap(([path, byMethod]) =>
      Object.values(byMethod).map((operation) => ({ path, operation })),
    );
    for (const { path, operation } of operations) {
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      assert.deepEqual(
        inPath.map(({ name }) => name),
        names,
        path,
      );
      for (const parameter of operation.parameters) assert.equal(typeof parameter.schema, 'object', path);
    }
    const ids = operations.map(({ operation }) => operation.operationId);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('refers only to schemas that it holds', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)];
    const unknown = refs.map(([, name = '']) => name).filter((name) => !(name in document.components.schemas));
    assert.ok(refs.length > 20);
    assert.deepEqual(unknown, []);
  });

  it('asks for a token exactly where the policy does', () => {
    for (const route of routes) {
      const operation = document.paths[documentedPath(route.path)]?.[route.method.toLowerCase()];
      assert.equal(operation?.security.length === 0, route.action === null, route.operationId);
    }
  });

  it('matches the answer of every route', async () => {
    const project = await givenTrackedProject(app.store);
    const { token, user } = await givenPerson(app.store, true);
    await app.store.createKey(project.id, 'glet_walk');
    const [eventId = ''] = await givenEvents(app.store, project, [
      { at: app.clock.at },
      { at: app.clock.at - 1, group: 'other' },
    ]);
    const [error, other] = (await app.get(`/api/v4/projects/${project.id}/error_tracking/errors`, token)).json();
    const world = {
      ...worldOfApp(app),
      store: app.store,
      project,
      user,
      errorId: error.id,
      otherId: other.id,
      eventId,
    };
    const connected = { projects: [], account: null, refusal: null, advice: [] };
    app.deps.trackers = { ...app.deps.trackers, connect: async () => connected };
    app.deps.links = { ...app.deps.links, test: async () => 'The token works.' };
    app.deps.invitations = { ...app.deps.invitations, mail: true };
    useStandInSignOn(app, user);
    // Answers to build tools and agents are those of their protocols.
    for (const route of routes.filter(({ surface }) => surface !== 'tools' && surface !== 'agents')) {
      const { path, body, headers } = await requestFor(route, world);
      // Each answer is checked against its schema on the way.
      const session = route.sessionOnly === true ? { ...(await givenSession(app, user)) } : null;
      const credentials = { headers: { ...headers, ...session }, ...(session === null ? { token } : {}) };
      const answer = await app.ask(route.method, path, { ...credentials, ...(body === undefined ? {} : { body }) });
      const success = Object.keys(route.responses)[0];
      assert.equal(String(answer.status), success, `${route.method} ${path}: ${answer.text}`);
      const isPage = route.produces === 'text/html';
      assert.ok(isPage || seenAnswers.has(`${route.operationId} ${success}`), route.operationId);
      await app.store.saveSettings(project.id, { active: true, integrated: true });
    }
  });
});
