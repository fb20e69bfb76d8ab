import { hashAccessToken } from '../../src/auth/access-token.ts';
import { shownSessionId } from '../../src/auth/session-id.ts';
import type { User } from '../../src/domain/projects/account.ts';
import type { ChannelDraft } from '../../src/domain/ports/channel-setup.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { inGroup, inProject, type InvitationPlace } from '../../src/domain/projects/invitation.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import type { Route } from '../../src/gateway/http/route.ts';
import { hashToken, newToken } from '../../src/invitations/invitation-token.ts';
import { makeIssueEvent } from './issue-events.ts';
import { makeInvitation } from './invitation-data.ts';
import { testPasswordHash, type RunningApp } from './app.ts';
import { makeArtifact } from './artifact-data.ts';
import { givenSecondFactor, RECOVERY_CODE } from './second-factor-data.ts';
import { makeForward } from './store-data.ts';
import { givenEvents, givenMember, givenPerson, givenProject, givenToken } from './factories.ts';

/** Data that requests to all routes need. */
export interface RouteWorld {
  readonly store: Store;
  readonly project: Project;
  /** User of the request. */
  readonly user: User;
  readonly errorId: string;
  /** Id of an error to merge into the first one. */
  readonly otherId: string;
  readonly eventId: string;
  /** Replaces the alert channels of a project by one, so that the maximum is never reached. */
  readonly onlyChannel: (project: Project) => Promise<{ readonly id: number }>;
  /** Query of a signed link in a mail. */
  readonly unsubscribeQuery: string;
  /** Returns what a sign-in with the right password answers somebody with a second factor. */
  readonly challenge: (user: User) => Promise<string>;
  /** Adds a delivery that may be sent again. */
  readonly failedDelivery: (project: Project) => Promise<{ readonly id: string }>;
  /** Turns the webhook of issues on; returns its secret. */
  readonly hookSecret: (project: Project) => Promise<string>;
}

type WorldOfApp = 'onlyChannel' | 'failedDelivery' | 'unsubscribeQuery' | 'challenge' | 'hookSecret';

/** Returns what requests need that the services of an application make. */
export function worldOfApp(app: RunningApp): Pick<RouteWorld, WorldOfApp> {
  const { alerts, alertChannels, alertStore } = app.deps;
  return {
    async onlyChannel({ id }) {
      for (const channel of await alertStore.listChannels(id)) await alerts.removeChannel(id, channel.id);
      return (await alertChannels.create(id, WEBHOOK)).channel;
    },
    async challenge({ id, username }) {
      const { epoch } = (await app.store.credentials(username)) ?? { epoch: 0 };
      return app.deps.challenges.issue({ userId: id, epoch });
    },
    unsubscribeQuery: new URL(app.unsubscribeLinks.linkFor({ userId: 1, projectId: null })).search,
    failedDelivery: async ({ id }) => app.alerts.deliver('user:1', 'person', [id], { state: 'failed' }),
    hookSecret: ({ id }) => app.deps.issueHooks.turnOn(id, null),
  };
}

const WEBHOOK: ChannelDraft = { type: 'webhook', name: 'made', url: 'https://hooks.example/x', secret: null };

export interface RouteRequest {
  readonly path: string;
  readonly body: object | undefined;
  /** What stands for the right to use a route that is open to all. */
  readonly headers: Readonly<Record<string, string>>;
}

let serial = 0;

/** Release that requests ask for. */
const RELEASE = 'route@1.0';

/** Required parameters of addresses. */
const QUERIES: Readonly<Record<string, (world: RouteWorld) => string>> = {
  findFormerLink: () => '?path=/issues/1/',
  askUnsubscribe: (world) => world.unsubscribeQuery,
  unsubscribe: (world) => world.unsubscribeQuery,
  signOutEverywhere: () => '?others=true',
  listSearchValues: () => '?key=release',
  getTagTrend: () => '?key=level',
  compareReleases: () => `?base=${RELEASE}&head=${RELEASE}`,
};

/** Valid bodies of the routes. */
const BODIES: Readonly<Record<string, (world: RouteWorld) => object | Promise<object>>> = {
  putThirdpartySettings: () => ({ active: false, api_host: 'https://tracker.example' }),
  webSaveOperations: () => ({ project: { error_tracking_setting_attributes: { enabled: true, integrated: true } } }),
  putSettings: () => ({ active: true, integrated: true }),
  patchSettings: () => ({ active: true }),
  putProtection: () => ({ sensitive_fields: ['iban'], key_events_per_minute: 600 }),
  putForwarding: () => ({ dsn: 'https://abc@tracker.example/7' }),
  putAlerts: () => ({ rules: [{ name: 'Everything', only: { levels: [] } }] }),
  createAlertChannel: () => ({ type: 'webhook', name: 'made', url: 'https://hooks.example/made' }),
  updateAlertChannel: () => ({ name: 'renamed' }),
  putAlertSettings: () => ({ mail: 'mine' }),
  updateSelf: () => ({ email: 'me@example.org' }),
  mergeErrors: ({ otherId }) => ({ ids: [otherId] }),
  updateError: () => ({ status: 'unresolved' }),
  setAssignee: () => ({ user_id: null }),
  putLinks: () => ({ repository: null, issue_tracker: { kind: 'link', new_issue_url: 'https://git.test/new' } }),
  testIssueTracker: () => ({ kind: 'gitlab', api_url: 'https://git.test', project: 'shop', token: 'x' }),
  receiveIssueEvent: () => makeIssueEvent({ at: 0 }),
  addLinkedIssue: () => ({ url: `https://git.test/issues/${serial}` }),
  saveView: () => ({ name: 'mine', query: 'status=all', is_default: true }),
  reviewError: () => ({ reviewed: true }),
  changeErrors: ({ otherId }) => ({ ids: [otherId], action: 'status', status: 'unresolved' }),
  addNote: () => ({ text: 'seen' }),
  webUpdateError: () => ({ status: 'unresolved' }),
  updateProject: () => ({ monitor_access_level: 'enabled' }),
  createProject: () => ({ path: `${groupPath()}/made` }),
  createGroup: () => ({ name: 'Made', path: 'made', parent_path: groupPath() }),
  updateGroup: () => ({ name: 'Renamed', path: `renamed${serial}` }),
  addGroupMember: async ({ store }) => ({ user_id: (await givenPerson(store)).user.id, access_level: 10 }),
  updateGroupMember: () => ({ access_level: 20 }),
  updateClientKey: () => ({ active: false }),
  addMember: async ({ store }) => ({ user_id: (await givenPerson(store)).user.id, access_level: 10 }),
  updateMember: () => ({ access_level: 20 }),
  invite: () => ({ email: `invited${serial}@shop.test`, access_level: 10 }),
  updateInvitation: () => ({ access_level: 20 }),
  inviteToGroup: () => ({ email: `invited${serial}@shop.test`, access_level: 10 }),
  updateGroupInvitation: () => ({ access_level: 20 }),
  readInvitation: (world) => givenInvitation(world),
  joinByInvitation: (world) => givenInvitation(world),
  signUpByInvitation: async (world) => ({
    ...(await givenInvitation(world)),
    ...{ username: `invited${serial}`, password: 'long enough' },
  }),
  createUser: () => ({ username: `made${serial}`, password: 'long enough' }),
  updateUser: () => ({ name: 'Renamed' }),
  createToken: () => ({ name: 'made', scopes: ['read_api'] }),
  createUserToken: () => ({ name: 'made', scopes: ['read_api'] }),
  createOwnToken: () => ({ name: 'made', scopes: ['read_api'] }),
  createBuildToken: () => ({ name: 'made', scopes: ['ci'] }),
  signIn: ({ user }) => ({ username: user.username, password: 'the first one' }),
  endSignOn: () => ({ logout_token: 'x' }),
  connectIdentity: () => ({ password: 'the first one' }),
  setUpSecondFactor: () => ({ password: 'the first one' }),
  removeSecondFactor: () => ({ password: 'the first one' }),
  renewRecoveryCodes: () => ({ code: RECOVERY_CODE }),
  finishSignIn: async ({ user, challenge }) => ({ challenge: await challenge(user), code: RECOVERY_CODE }),
  changePassword: () => ({ current_password: 'the first one', password: 'the second one' }),
};

async function userId({ path }: Route, { store, project }: RouteWorld): Promise<number> {
  const person = path.includes('/members') ? await givenMember(store, project, 'guest') : await givenPerson(store);
  return person.user.id;
}

/** Path of the group of the request. */
const groupPath = (): string => `route-group${serial}`;

/** Makes a group in which the user has the same role as in the project, with another member. */
async function likeGroup({ store, project, user }: RouteWorld): Promise<{ id: number; memberId: number }> {
  const { id } = await store.createGroup({ path: groupPath(), name: 'Group' });
  const level = await store.accessLevel(project.id, user.id);
  if (level !== null) await store.setGroupMember(id, user.id, level);
  const memberId = (await givenPerson(store)).user.id;
  await store.setGroupMember(id, memberId, 10);
  return { id, memberId };
}

const WITH_PASSWORD = new Set([
  'signIn',
  'changePassword',
  'connectIdentity',
  'setUpSecondFactor',
  'removeSecondFactor',
]);
const WITH_SECOND_FACTOR = new Set(['finishSignIn', 'removeSecondFactor', 'resetSecondFactor', 'renewRecoveryCodes']);

/** Builds a valid request to a route, with existing ids in its address. */
export async function requestFor(route: Route, world: RouteWorld): Promise<RouteRequest> {
  serial += 1;
  const { store, project, user, errorId, eventId } = world;
  const made: Record<string, string> = {
    ':id': String(project.id),
    '*project_path': project.path,
    ':error_id': errorId,
    ':event_id': eventId,
    ':release': RELEASE,
    '{.json}': '.json',
  };
  if (route.groupOf !== undefined) {
    const { id, memberId } = await likeGroup(world);
    made[':id'] = String(id);
    made[':user_id'] = String(memberId);
  } else if (route.path.includes(':user_id')) made[':user_id'] = String(await userId(route, world));
  if (route.path.includes(':key_id')) {
    made[':key_id'] = String((await store.createKey(project.id, `glet_route${serial}`)).id);
  }
  if (route.path.includes(':note_id')) {
    const note = await store.addNote(project.id, errorId, user.id, 'to delete', 0);
    made[':note_id'] = note?.id ?? '';
  }
  if (route.path.includes(':email')) {
    await givenInvitation(world, route.groupOf === undefined ? undefined : inGroup(Number(made[':id'])));
    made[':email'] = `invited${serial}@shop.test`;
  }
  if (route.path.includes('/alert_channels')) made[':channel_id'] = String((await world.onlyChannel(project)).id);
  if (route.path.includes(':delivery_id')) made[':delivery_id'] = (await world.failedDelivery(project)).id;
  if (route.operationId === 'addLinkedIssue' || route.path.includes(':issue_id')) {
    // Never beyond the maximum.
    for (const { id } of (await store.linkedIssues(project.id, errorId)) ?? []) {
      await store.removeLinkedIssue(project.id, errorId, id, user.id, 0);
    }
  }
  if (route.path.includes(':issue_id')) {
    const issue = { url: `https://git.test/issues/${serial}`, title: 'to remove' };
    made[':issue_id'] = String((await store.addLinkedIssue(project.id, errorId, issue, user.id, 0))?.id);
  }
  if (route.path.includes(':view_id')) {
    const view = { name: `view ${serial}`, query: 'status=all', isDefault: false };
    made[':view_id'] = String((await store.saveView(project.id, user.id, view)).id);
  }
  if (route.path.includes(':token_id')) made[':token_id'] = String((await givenToken(store, user)).id);
  if (route.operationId === 'revokeBuildToken') {
    await store.addProjectsOfToken(Number(made[':token_id']), [project.id]);
  }
  if (route.path.includes(':identity_id')) {
    const subject = `route${serial}`;
    const account = { issuer: 'https://sso.test', subject, name: subject, admin: false, signedInAt: 0 };
    const added = await store.addIdentity({ ...account, userId: Number(made[':user_id'] ?? user.id) });
    made[':identity_id'] = String(added?.id);
  }
  if (route.path.includes(':session_id')) made[':session_id'] = await newSession(world);
  if (route.path.includes(':bundle_id')) {
    await store.putBundle(makeArtifact(project), []);
    made[':bundle_id'] = makeArtifact(project).id;
  }
  if (route.operationId === 'getForwarding' || route.operationId === 'deleteForwarding') {
    await store.saveForward(makeForward(project.id));
  }
  if (route.operationId === 'getRelease' || route.operationId === 'compareReleases') {
    await givenEvents(store, project, [{ at: 0, group: 'route', event: { release: RELEASE } }]);
  }
  if (route.operationId === 'deleteError') made[':error_id'] = await newError(world);
  if (route.path.includes(':discarded_id')) {
    await store.deleteErrors(project.id, [await newError(world)], true, user.id, 0);
    const [discarded] = await store.discardedGroups(project.id);
    made[':discarded_id'] = String(discarded?.id);
  }
  const headers: Record<string, string> = {};
  if (route.operationId === 'receiveIssueEvent' || route.operationId === 'removeIssueHook') {
    headers['x-gitlab-token'] = await world.hookSecret(project);
  }
  if (route.operationId === 'deleteProject') made[':id'] = String((await likeProject(world)).id);
  if (WITH_SECOND_FACTOR.has(route.operationId)) await givenSecondFactor(store, Number(made[':user_id'] ?? user.id));
  if (WITH_PASSWORD.has(route.operationId)) {
    if (!WITH_SECOND_FACTOR.has(route.operationId)) await store.removeSecondFactor(user.id);
    await store.setPasswordHash(user.id, testPasswordHash('the first one'));
  }
  // The longest first: `:identity_id` begins with `:id`.
  const byLength = Object.entries(made).sort(([a], [b]) => b.length - a.length);
  const path = byLength.reduce((text, [name, value]) => text.replace(name, value), route.path);
  const query = QUERIES[route.operationId]?.(world) ?? '';
  return { path: `${path}${query}`, body: await BODIES[route.operationId]?.(world), headers };
}

/** Begins a session of the user that a request may end. Returns the name that lists show. */
async function newSession({ store, user }: RouteWorld): Promise<string> {
  const hash = hashAccessToken(`session ${serial}`);
  const { epoch } = (await store.credentials(user.username)) ?? { epoch: 0 };
  // The latest of all: the earliest end beyond the maximum.
  const times = { createdAt: Date.UTC(2099, 0, 1), endsAt: Date.UTC(2100, 0, 1) };
  await store.createSession({
    hash,
    userId: user.id,
    epoch,
    ...times,
    browser: null,
    address: null,
    secondFactor: false,
  });
  return shownSessionId(hash);
}

/** Creates an invitation by an operator; returns the token of its link. */
async function givenInvitation(
  { store, project }: RouteWorld,
  place: InvitationPlace = inProject(project.id),
): Promise<{ readonly token: string }> {
  const token = newToken();
  const draft = { email: `invited${serial}@shop.test`, accessLevel: 10, invitedBy: null } as const;
  for (const { id } of await store.listInvitations(place)) await store.removeInvitation(id);
  await store.createInvitation(
    makeInvitation(project.id, { ...draft, ...place, tokenHash: hashToken(token) ?? '', expiresAt: Date.UTC(2100, 0) }),
  );
  return { token };
}

/** Creates an error that a request may delete. */
async function newError({ store, project }: RouteWorld): Promise<string> {
  const at = Date.UTC(2026, 0, 10);
  const [eventId = ''] = await givenEvents(store, project, [{ at, group: `to delete ${serial}` }]);
  const query = { status: 'all', search: eventId, environment: null, release: null, level: null } as const;
  const { items } = await store.listErrors(project.id, { ...query, sort: 'first_seen', limit: 1, cursor: null }, at);
  return items[0]?.id ?? '';
}

/** Creates another project with the same role of the user, for routes that delete a project. */
async function likeProject({ store, project, user }: RouteWorld): Promise<Project> {
  const { visibility, monitorEnabled } = project;
  const other = await givenProject(store, { visibility, monitorEnabled });
  const level = await store.accessLevel(project.id, user.id);
  if (level !== null) await store.setMember(other.id, user.id, level);
  return other;
}
