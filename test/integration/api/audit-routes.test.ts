import assert from 'node:assert/strict';
import type { AuditEvent } from '../../../src/domain/audit/audit-event.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import type { User } from '../../../src/domain/projects/account.ts';
import type { Route } from '../../../src/gateway/http/route.ts';
import { routes } from '../../../src/gateway/routes.ts';
import { startApp, type Answer, type RunningApp } from '../../support/app.ts';
import { listAudit } from '../../support/audit-data.ts';
import { givenSession } from '../../support/browser-session.ts';
import { givenEvents, givenPerson, givenToken, givenTrackedProject } from '../../support/factories.ts';
import { worldOfApp, requestFor } from '../../support/route-requests.ts';
import { useStandInSignOn } from '../../support/stand-in-sign-on.ts';
import { describeOnStores } from '../../support/test-stores.ts';

/** A route that is read may write, too: it says so then. */
const changing = routes.filter(({ method, audit }) => method !== 'GET' || audit !== undefined);

/** What requests and stored rows hold that must not get into the log. */
const SECRETS = /glet-|glet_|the first one|the second one|long enough|abc@|whsec_|hooks\.example\/|[0-9a-f]{64}|v1:/;

describeOnStores('audit of routes', (kind) => {
  let app: RunningApp;
  let project: Project;
  let user: User;
  let token: string;
  let ids: { errorId: string; otherId: string; eventId: string };

  before(async () => {
    app = await startApp(kind);
    const answer = { projects: [], account: null, refusal: null, advice: [] };
    app.deps.trackers = { ...app.deps.trackers, connect: async () => answer };
    app.deps.links = { ...app.deps.links, test: async () => 'The token works.' };
    app.deps.invitations = { ...app.deps.invitations, mail: true };
    project = await givenTrackedProject(app.store);
    ({ user } = await givenPerson(app.store, true));
    useStandInSignOn(app, user);
    token = (await givenToken(app.store, user)).text;
    const [eventId = ''] = await givenEvents(app.store, project, [
      { at: app.clock.at, group: 'one' },
      { at: app.clock.at - 1, group: 'other' },
    ]);
    const settings = await app.store.settings(project.id);
    const shown = { status: 'all', search: null, sort: 'last_seen', limit: 2, cursor: null } as const;
    const query = { ...shown, environment: null, release: null, level: null };
    const { items } = await app.deps.backendFor(project, settings!).list(project, query);
    ids = { errorId: items[0]?.id ?? '', otherId: items[1]?.id ?? '', eventId };
  });
  after(() => app.close());

  /** Sends a valid request; returns the answer, and the events that it has added. */
  async function send(route: Route): Promise<{ answer: Answer; added: AuditEvent[] }> {
    const world = { ...worldOfApp(app), store: app.store, project, user, ...ids };
    const { path, body, headers } = await requestFor(route, world);
    const isOpen = route.action === null;
    const credentials =
      route.sessionOnly === true
        ? { headers: { ...(await givenSession(app, user)) } }
        : isOpen
          ? { headers }
          : { token };
    const before = (await listAudit(app.store)).length;
    const answer = await app.ask(route.method, path, { ...credentials, ...(body === undefined ? {} : { body }) });
    const events = await listAudit(app.store);
    await app.store.saveSettings(project.id, { active: true, integrated: true });
    return { answer, added: events.slice(0, events.length - before) };
  }

  for (const route of changing.filter(({ surface }) => surface !== 'tools' && surface !== 'agents')) {
    it(`${route.method} ${route.path}`, async () => {
      const { audit } = route;
      assert.ok(audit !== undefined);
      const { answer, added } = await send(route);
      assert.ok(answer.status < 300 || answer.status === 303, `${answer.status} ${answer.text}`);
      if ('not' in audit || 'only' in audit) {
        assert.ok(('not' in audit ? audit.not : (audit.only?.else ?? '')).length > 10, 'a reason is a sentence');
        assert.deepEqual(added, []);
        return;
      }
      assert.equal(added.length, 1, 'exactly one event');
      const [event] = added;
      const named: readonly string[] = 'byHandler' in audit ? audit.byHandler : [audit.event];
      assert.ok(named.includes(event!.event), event!.event);
      // Who makes an account by an invitation is no user yet.
      const authorId = route.operationId === 'signUpByInvitation' ? null : user.id;
      assert.deepEqual([event!.outcome, event!.authorId, event!.address], ['done', authorId, '127.0.0.1']);
      assert.notEqual(event!.targetName, '');
      assert.doesNotMatch(JSON.stringify(event), SECRETS);
    });
  }

  it('is declared by each route that may change something, also those of build tools', () => {
    assert.ok(changing.length > 60);
    assert.deepEqual(
      changing.filter(({ audit }) => audit === undefined).map(({ operationId }) => operationId),
      [],
    );
  });
});
