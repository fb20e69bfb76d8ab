import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
import type { Route } from '../../../src/gateway/http/route.ts';
import { routes } from '../../../src/gateway/routes.ts';
import { startApp, type Answer, type RunningApp } from '../../support/app.ts';
import { givenSession, type BrowserHeaders } from '../../support/browser-session.ts';
import { givenEvents, givenPerson, givenTrackedProject, type Person } from '../../support/factories.ts';
import { recordResult } from '../../support/record-result.ts';
import { useStandInSignOn } from '../../support/stand-in-sign-on.ts';
import { describeOnStores } from '../../support/test-stores.ts';
import { worldOfApp, requestFor, type RouteWorld } from '../../support/route-requests.ts';

const isWrite = ({ method }: Route) => method !== 'GET';
const NAMED = routes.filter(({ action, sessionOnly }) => action !== null || sessionOnly === true);
/** Agents have no session at all: test/integration/agents/mcp.test.ts. */
const WRITES = NAMED.filter((route) => isWrite(route) && route.surface !== 'agents');

/** Writing routes that are open to all, and why a cookie gives them nothing. */
const OPEN: Readonly<Record<string, string>> = {
  finishSignIn: 'takes a challenge and a code, and refuses requests of other sites',
  readInvitation: 'takes the token of a link, and reads no cookie',
  signUpByInvitation: 'takes the token of a link, and refuses requests of other sites',
  signIn: 'takes a password, and refuses requests of other sites',
  unsubscribe: 'takes a signed link, and reads no cookie',
  receiveIssueEvent: 'takes a signature or a secret, and reads no cookie',
  endSignOn: 'takes a token that the identity provider signed, and reads no cookie',
};

/** Every route of the table, so that a new one is tried without a change here. */
describeOnStores('forged requests', (kind) => {
  let app: RunningApp;
  let person: Person;
  let project: Project;
  let world: Omit<RouteWorld, 'errorId' | 'otherId' | 'eventId'>;
  let serial = 0;

  before(async () => {
    app = await startApp(kind);
    const answer = { projects: [], account: null, refusal: null, advice: [] };
    app.deps.trackers = { ...app.deps.trackers, connect: async () => answer };
    app.deps.links = { ...app.deps.links, test: async () => 'The token works.' };
    app.deps.invitations = { ...app.deps.invitations, mail: true };
    project = await givenTrackedProject(app.store);
    useStandInSignOn(app, (await givenPerson(app.store)).user);
  });
  after(() => app.close());
  // Each test has sessions of its own user, who may have a few.
  beforeEach(async () => {
    person = await givenPerson(app.store, true);
    world = { ...worldOfApp(app), store: app.store, project, user: person.user };
  });
  afterEach(() => app.store.saveSettings(project.id, { active: true, integrated: true }));

  /** Returns a function that sends a valid request to a route, with the given headers. */
  async function requestTo(route: Route): Promise<(headers: Record<string, string>) => Promise<Answer>> {
    serial += 1;
    const [first, second] = [`a${serial}`, `b${serial}`];
    const at = app.clock.at;
    const [eventId] = await givenEvents(app.store, project, [
      { at, group: first },
      { at: at - 1, group: second },
    ]);
    const { items } = await app.deps.backendFor(project, (await app.store.settings(project.id))!).list(project, {
      ...{ status: 'all', search: null, sort: 'last_seen', environment: null, release: null, level: null },
      ...{ limit: 2, cursor: null },
    } as const);
    const [error, other] = items;
    assert.ok(error !== undefined && other !== undefined);
    const ids = { errorId: error.id, otherId: other.id, eventId: eventId ?? '' };
    const { path, body } = await requestFor(route, { ...world, ...ids });
    return (headers) => app.ask(route.method, path, { headers, ...(body === undefined ? {} : { body }) });
  }

  const codeOf = (answer: Answer): string =>
    ((answer.text.startsWith('{') ? answer.json() : {}) as { readonly code?: string }).code ?? '';

  for (const route of WRITES) {
    it(`cannot use the cookie: ${route.operationId}`, async () => {
      const send = await requestTo(route);
      const { Cookie, ...csrf }: BrowserHeaders = await givenSession(app, person.user);
      const other = await givenSession(app, person.user);
      const own = csrf['X-CSRF-Token'];
      const forged: Record<string, string>[] = [
        { Cookie },
        { Cookie, 'X-CSRF-Token': '' },
        { Cookie, 'X-CSRF-Token': 'wrong' },
        { Cookie, 'X-CSRF-Token': other['X-CSRF-Token'] },
        { Cookie, Origin: 'https://errors.example.test' },
      ];
      for (const headers of forged) {
        const answer = await send(headers);
        assert.equal(answer.status, 403, JSON.stringify(headers) + answer.text);
        // Answers to build tools have a text only.
        if (route.surface === 'api') assert.equal(codeOf(answer), 'csrf_token_invalid', answer.text);
      }
      // The content type of a form on another site, whose body is refused before or after.
      const form = await send({ Cookie, 'Content-Type': 'text/plain' });
      assert.ok([403, 415].includes(form.status), `${form.status} ${form.text}`);
      for (const site of ['cross-site', 'same-site']) {
        const answer = await send({ Cookie, 'X-CSRF-Token': own, 'Sec-Fetch-Site': site });
        assert.ok([401, 404].includes(answer.status), `${site}: ${answer.status} ${answer.text}`);
      }
      // The same request is accepted from the pages: nothing else refused it before.
      const meant = await send({ Cookie, 'X-CSRF-Token': own, 'Sec-Fetch-Site': 'same-origin' });
      const accepted = meant.status >= 200 && meant.status < 300;
      // Routes of build tools look for the organization of the path once the request is accepted.
      const sought = route.surface === 'tools' && meant.status === 404 && meant.text.includes('no organization');
      assert.ok(accepted || sought, `${meant.status} ${meant.text}`);
    });
  }

  it('read nothing with the cookie from another site', async () => {
    const { Cookie } = await givenSession(app, person.user);
    for (const route of NAMED.filter((each) => !isWrite(each))) {
      const send = await requestTo(route);
      const answer = await send({ Cookie, 'Sec-Fetch-Site': 'cross-site' });
      assert.ok([401, 404].includes(answer.status), `${route.operationId}: ${answer.status} ${answer.text}`);
    }
  });

  it('reach no writing route that is open to all, but those that need no cookie', () => {
    const open = routes.filter((route) => isWrite(route) && !NAMED.includes(route));
    assert.deepEqual(open.map(({ operationId }) => operationId).sort(), Object.keys(OPEN).sort());
    recordResult('csrf-drill', { writing_routes: WRITES.length, forged: WRITES.length * 8, accepted: 0 });
  });

  it('do not sign anybody in', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const body = { username: person.user.username, password: 'x' };
    for (const origin of ['https://evil.example', 'null']) {
      const answer = await app.ask('POST', '/-/session', { headers: { ...headers, Origin: origin }, body });
      assert.deepEqual([answer.status, codeOf(answer)], [403, 'cross_site_request']);
    }
  });
});
