import assert from 'node:assert/strict';
import { decide, decideOnGroup, POLICY, type Decision } from '../../../src/auth/policy.ts';
import {
  ACCESS_LEVELS,
  TOKEN_SCOPES,
  type AccessLevelName,
  type TokenScope,
  type User,
} from '../../../src/domain/projects/account.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import type { Route } from '../../../src/gateway/http/route.ts';
import { groupV2 } from '../../../src/integrated/digest/group/v2/group.ts';
import { routes } from '../../../src/gateway/routes.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenSession } from '../../support/browser-session.ts';
import { IN_FULL_RUN } from '../../support/full-run.ts';
import { withOwnPayload } from '../../support/pack-events.ts';
import { worldOfApp, requestFor } from '../../support/route-requests.ts';
import { describeOnStores } from '../../support/test-stores.ts';
import { givenDigested, givenEvents, givenPerson, givenToken, givenTrackedProject } from '../../support/factories.ts';
import { captureRecord, digester } from '../../unit/integrated/digest/digest-support.ts';

/** What a decision looks like from outside. `ok` is anything that no check on the way in answers. */
const REFUSALS: Record<Exclude<Decision, 'ok'>, { status: number; body: object }> = {
  insufficient_scope: {
    status: 403,
    body: {
      error: 'insufficient_scope',
      error_description: 'The request requires higher privileges than provided by the access token.',
      scope: 'api read_api',
    },
  },
  project_not_found: { status: 404, body: { message: '404 Project Not Found' } },
  group_not_found: { status: 404, body: { message: '404 Group Not Found' } },
  forbidden: { status: 403, body: { message: '403 Forbidden' } },
  not_found: { status: 404, body: { message: '404 Not found' } },
};

type Role = AccessLevelName | 'stranger' | 'administrator';
const ROLES: readonly Role[] = ['stranger', 'guest', 'reporter', 'developer', 'maintainer', 'owner', 'administrator'];

/** Where a role comes from: the project itself, its group, or groups of an identity provider. */
type Origin = 'project' | 'group' | 'identity_provider';
const INHERITED: readonly Origin[] = ['group', 'identity_provider'];

/** Lowest roles, as docs/access.md has them: by hand, so that an error in the policy is found. */
const LOWEST_ROLES: Readonly<Record<string, AccessLevelName>> = {
  listErrors: 'reporter',
  updateError: 'developer',
  getSettings: 'maintainer',
  putSettings: 'maintainer',
  listAllMembers: 'guest',
  addMember: 'maintainer',
  deleteProject: 'owner',
  listProjectAuditEvents: 'owner',
};
const FROM_LOWEST = ['guest', 'reporter', 'developer', 'maintainer', 'owner'] as const;

/** What would give a client key or a DSN away; of a DSN without its key only the address is left. */
const KEY_OR_DSN = /glet_|:\/\/\w+@/;
const MAY_HOLD_KEYS: readonly Role[] = ['maintainer', 'owner', 'administrator'];

/** Routes about the token of the request, which a session does not have. */
const OF_TOKENS: ReadonlySet<string> = new Set(['getOwnToken']);

/**
 * Every route with every role, scope, visibility and Monitor switch: what comes out is what the policy table says.
 * With each scope, and by session, on the first project; on all of them in `npm run test:full`.
 */
describeOnStores('role by route', (kind) => {
  let app: RunningApp;
  const tokens = new Map<string, string>();
  const people = new Map<Role, User>();
  const projects: Project[] = [];
  /** Private projects whose roles are not of the project itself. */
  const inherited = new Map<Origin, Project>();
  let calls = 0;
  let wrongGrants = 0;
  const context = new Map<number, { errorId: string; otherId: string; eventId: string }>();

  before(async () => {
    app = await startApp(kind);
    const answer = { projects: [], account: null, refusal: null, advice: [] };
    app.deps.trackers = { ...app.deps.trackers, connect: async () => answer };
    app.deps.links = { ...app.deps.links, test: async () => 'The token works.' };
    app.deps.invitations = { ...app.deps.invitations, mail: true };
    const made: [Origin, Partial<Project>][] = (['private', 'public'] as const).flatMap((visibility) =>
      [true, false].map((monitorEnabled): [Origin, Partial<Project>] => ['project', { visibility, monitorEnabled }]),
    );
    for (const origin of INHERITED) made.push([origin, { visibility: 'private', path: `by_${origin}/app` }]);
    for (const [origin, patch] of made) {
      const project = await givenTrackedProject(app.store, patch);
      // What an SDK really sends: the source lines of this one hold the DSN.
      const { event } = digester({ group: groupV2 })({
        ...captureRecord('python-2.68.0/01')!,
        projectId: project.id,
      });
      const { eventId } = await givenDigested(app.store, {
        ...withOwnPayload(event!),
        at: app.clock.at,
        receivedAt: app.clock.at,
      });
      await givenEvents(app.store, project, [{ at: app.clock.at - 1, group: 'other' }]);
      const page = await app.deps.backendFor(project, (await app.store.settings(project.id))!).list(project, {
        status: 'all',
        search: null,
        sort: 'last_seen',
        environment: null,
        release: null,
        level: null,
        limit: 2,
        cursor: null,
      });
      await app.store.createKey(project.id, `glet_of_project_${project.id}`);
      if (origin === 'project') projects.push(project);
      else inherited.set(origin, project);
      const [error, other] = page.items;
      context.set(project.id, { errorId: error?.id ?? '', otherId: other?.id ?? '', eventId });
    }
    const group = await app.store.createGroup({ path: 'by_group', name: 'Group' });
    for (const role of ROLES) {
      const { user } = await givenPerson(app.store, role === 'administrator');
      for (const project of projects) {
        if (role in ACCESS_LEVELS) {
          await app.store.setMember(project.id, user.id, ACCESS_LEVELS[role as AccessLevelName]);
        }
      }
      if (role in ACCESS_LEVELS) {
        await app.store.setGroupMember(group.id, user.id, ACCESS_LEVELS[role as AccessLevelName]);
      }
      people.set(role, user);
      for (const scope of TOKEN_SCOPES) {
        tokens.set(`${role} ${scope}`, (await givenToken(app.store, user, [scope])).text);
      }
    }
  });
  // Those of a provider end with the identity, which routes disconnect.
  beforeEach(async () => {
    for (const [role, { id }] of people) {
      if (!(role in ACCESS_LEVELS)) continue;
      const level = ACCESS_LEVELS[role as AccessLevelName];
      await app.store.replaceGrantedRoles(id, [{ path: 'by_identity_provider/app', level }]);
    }
  });
  after(async () => {
    console.log(`      ${calls} calls, ${wrongGrants} wrong grants`);
    await app.close();
  });

  // Some routes switch to another backend.
  afterEach(() =>
    Promise.all(
      [...projects, ...inherited.values()].map(({ id }) =>
        app.store.saveSettings(id, { active: true, integrated: true }),
      ),
    ),
  );

  const requestOf = (route: Route, role: Role, project: Project) =>
    requestFor(route, {
      ...worldOfApp(app),
      store: app.store,
      project,
      user: people.get(role)!,
      ...context.get(project.id)!,
    });

  const expectation = (route: Route, role: Role, scope: TokenScope, project: Project): Decision => {
    const level = role in ACCESS_LEVELS ? ACCESS_LEVELS[role as AccessLevelName] : null;
    const user = {
      id: 1,
      username: '',
      name: '',
      admin: role === 'administrator',
      email: null,
      blocked: false,
      emailConfirmed: false,
      passwordAllowed: null,
      signedOnAt: null,
      createdAt: 0,
    };
    const principal = { user, scopes: [scope], onlyProjects: null };
    return route.groupOf === undefined
      ? decide(principal, route.action!, project, level)
      : decideOnGroup(principal, route.action!, { level, hasProject: false });
  };

  async function check(
    route: Route,
    role: Role,
    scope: TokenScope,
    project: Project,
    bySession = false,
  ): Promise<void> {
    const { path, body } = await requestOf(route, role, project);
    const credentials = bySession
      ? { headers: { ...(await givenSession(app, people.get(role)!)) } }
      : { token: tokens.get(`${role} ${scope}`)! };
    const answer = await app.ask(route.method, path, { ...credentials, ...(body === undefined ? {} : { body }) });
    const decision = expectation(route, role, scope, project);
    calls += 1;
    if (decision !== 'ok' && answer.status < 300) wrongGrants += 1;
    const how = bySession ? 'a session' : scope;
    const label = `${route.method} ${path} as ${role} with ${how}, ${project.visibility}, ${decision}: ${answer.text}`;
    if (decision === 'ok') {
      assert.ok(answer.status >= 200 && answer.status < 300, label);
    } else if (route.surface === 'web') {
      assert.deepEqual([answer.status, answer.text], [404, ''], label);
    } else {
      const { status, body: refusal } = REFUSALS[decision];
      assert.deepEqual([answer.status, answer.json()], [status, refusal], label);
    }
    if (!MAY_HOLD_KEYS.includes(role)) assert.doesNotMatch(answer.text, KEY_OR_DSN, label);
  }

  // Routes for build tools and agents check the projects that a request names: see build-tools/access.test.ts and
  // agents/rights.test.ts.
  const checked = routes.filter(
    ({ action, sessionOnly, surface }) =>
      action !== null && sessionOnly !== true && surface !== 'tools' && surface !== 'agents',
  );

  for (const route of checked) {
    it(route.operationId, async () => {
      // Groups know no visibility and no Monitor switch.
      for (const project of route.groupOf === undefined ? projects : projects.slice(0, 1)) {
        // Scopes do not depend on the project.
        const scopes = IN_FULL_RUN || project === projects[0] ? TOKEN_SCOPES : (['api'] as const);
        for (const role of ROLES) {
          for (const scope of scopes) await check(route, role, scope, project);
          const bySession = (IN_FULL_RUN || project === projects[0]) && !OF_TOKENS.has(route.operationId);
          if (bySession) await check(route, role, 'api', project, true);
        }
        // What a route did to the project must not change the next row.
        const { visibility, monitorEnabled } = project;
        await app.store.updateProject(project.id, { visibility, monitorEnabled });
      }
    });

    const lowest = route.groupOf === undefined ? POLICY[route.action!].role : null;
    if (lowest !== null) {
      it(`${route.operationId} with inherited roles`, async () => {
        const at = FROM_LOWEST.indexOf(lowest);
        for (const project of inherited.values()) {
          // The lowest role that may, and the highest that may not.
          for (const role of ['stranger', ...FROM_LOWEST.slice(Math.max(0, at - 1), at + 1)] as const) {
            await check(route, role, 'api', project);
          }
          await app.store.updateProject(project.id, { visibility: project.visibility, monitorEnabled: true });
        }
      });
    }

    it(`${route.operationId} without a token`, async () => {
      const { path } = await requestOf(route, 'owner', projects[0]!);
      assert.equal((await app.ask(route.method, path, {})).status, 401);
    });
  }

  for (const [operationId, lowest] of Object.entries(LOWEST_ROLES)) {
    it(`${operationId} from ${lowest} up, by a list that is not the policy`, async () => {
      const route = routes.find((each) => each.operationId === operationId);
      assert.ok(route);
      for (const project of [projects[0]!, ...inherited.values()]) {
        for (const role of FROM_LOWEST) {
          const { path, body } = await requestOf(route, role, project);
          const token = tokens.get(`${role} api`)!;
          const answer = await app.ask(route.method, path, { token, ...(body === undefined ? {} : { body }) });
          const isAllowed = FROM_LOWEST.indexOf(role) >= FROM_LOWEST.indexOf(lowest);
          calls += 1;
          if (!isAllowed && answer.status < 300) wrongGrants += 1;
          const label = `${route.method} ${path} as ${role}: ${answer.status} ${answer.text}`;
          assert.ok(isAllowed ? answer.status < 300 : answer.status === 403, label);
        }
      }
    });
  }

  it('has the rows of the own second factor and sessions', () => {
    const paths = new Set(checked.map(({ method, path }) => `${method} ${path}`));
    for (const row of [
      ...['GET', 'POST', 'DELETE'].map((method) => `${method} /api/v4/user/second_factor`),
      ...['GET /api/v4/user/sessions', 'DELETE /api/v4/user/sessions/:session_id'],
    ]) {
      assert.ok(paths.has(row), row);
    }
  });

  it('detects a key in a body', async () => {
    const path = `/api/v4/projects/${projects[0]!.id}/error_tracking/client_keys`;
    assert.match((await app.get(path, tokens.get('maintainer api'))).text, KEY_OR_DSN);
  });

  it('gives the scope read_api no route that may change something', () => {
    // Of the tools of agents one may: agents/rights.test.ts has it.
    const changing = routes.filter(
      ({ method, action, surface }) => method !== 'GET' && action !== null && surface !== 'agents',
    );
    assert.ok(changing.length > 50);
    const readable = changing.filter(({ action }) =>
      (POLICY[action!].scopes as readonly string[]).includes('read_api'),
    );
    assert.deepEqual(
      readable.map(({ operationId }) => operationId),
      [],
    );
  });

  it('covers every action of the policy', () => {
    const used = new Set([...routes.map(({ action }) => action), 'upload_artifacts', 'move_project']);
    assert.deepEqual(
      Object.keys(POLICY).filter((action) => !used.has(action as keyof typeof POLICY)),
      [],
    );
  });
});
