import { createHash } from 'node:crypto';
import { generateAccessToken, hashAccessToken } from '../../src/auth/access-token.ts';
import { testPasswordHash } from './app.ts';
import { ACCESS_LEVELS, type AccessLevelName, type TokenScope, type User } from '../../src/domain/projects/account.ts';
import type { BatchId, DigestedEvent, OutcomeCount } from '../../src/domain/ingest/digest.ts';
import type { EventException, Frame, NormalisedEvent } from '../../src/domain/events/event.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import { encodePayload } from './encode-payload.ts';
import { packEvents } from './pack-events.ts';

export interface Person {
  readonly user: User;
  /** Secret of the token. Its scope is `api` by default. */
  readonly token: string;
}

let serial = 0;

export async function givenToken(
  store: Store,
  user: User,
  scopes: readonly TokenScope[] = ['api'],
  expiresAt: number | null = null,
): Promise<{ text: string; id: number }> {
  const text = generateAccessToken();
  const token = await store.createToken({
    userId: user.id,
    name: 'test',
    hash: hashAccessToken(text),
    scopes,
    expiresAt,
  });
  return { text, id: token.id };
}

export async function givenPerson(store: Store, admin = false): Promise<Person> {
  serial += 1;
  const username = `person${serial}`;
  const user = await store.createUser({ username, name: `Person ${serial}`, admin, passwordHash: 'none' });
  return { user, token: (await givenToken(store, user)).text };
}

/** Creates a user with a password. */
export async function givenPassword(store: Store, password: string, mustChangePassword = false): Promise<User> {
  serial += 1;
  const username = `Person${serial}`;
  const passwordHash = testPasswordHash(password);
  return store.createUser({ username, name: `Person ${serial}`, admin: false, passwordHash, mustChangePassword });
}

export async function givenMember(store: Store, project: Project, role: AccessLevelName): Promise<Person> {
  const person = await givenPerson(store);
  await store.setMember(project.id, person.user.id, ACCESS_LEVELS[role]);
  return person;
}

export async function givenProject(store: Store, patch: Partial<Omit<Project, 'id'>> = {}): Promise<Project> {
  serial += 1;
  const path = patch.path ?? `Group/Sub/app${serial}`;
  const project = await store.createProject({
    path,
    name: patch.name ?? path.split('/').at(-1) ?? path,
    visibility: patch.visibility ?? 'private',
  });
  if (patch.monitorEnabled === undefined) return project;
  return (await store.updateProject(project.id, { monitorEnabled: patch.monitorEnabled })) ?? project;
}

/** Creates a project with error tracking enabled. */
export async function givenTrackedProject(store: Store, patch: Partial<Omit<Project, 'id'>> = {}): Promise<Project> {
  const project = await givenProject(store, patch);
  await store.saveSettings(project.id, { active: true, integrated: true });
  return project;
}

export function frame(patch: Partial<Frame> = {}): Frame {
  return {
    filename: 'app/views.py',
    abs_path: '/srv/app/views.py',
    module: 'app.views',
    package: null,
    function: 'show',
    lineno: 10,
    colno: null,
    in_app: true,
    platform: null,
    context_line: '    raise ValueError("<b>")',
    pre_context: ['def show(request):', '    # why'],
    post_context: ['', 'def hide():'],
    vars: null,
    ...patch,
  };
}

export function exception(patch: Partial<EventException> = {}): EventException {
  return {
    type: 'ValueError',
    value: 'it broke',
    module: 'builtins',
    thread_id: null,
    mechanism: null,
    frames: [frame({ function: 'main', lineno: 3 }), frame()],
    ...patch,
  };
}

export function normalisedEvent(eventId: string, at: number, patch: Partial<NormalisedEvent> = {}): NormalisedEvent {
  return {
    event_id: eventId,
    timestamp: new Date(at).toISOString(),
    level: 'error',
    platform: 'python',
    logger: null,
    release: 'app@1.0',
    dist: null,
    environment: 'production',
    server_name: null,
    transaction: '/show',
    message: null,
    logentry: null,
    exceptions: [exception()],
    threads: [],
    breadcrumbs: [],
    request: null,
    user: { id: '7', username: null, email: null, name: null, ip_address: null, data: {} },
    tags: [{ key: 'colour', value: 'red' }],
    contexts: {},
    extra: {},
    modules: {},
    sdk: { name: 'sentry.python', version: '2.0.0' },
    fingerprint: ['{{ default }}'],
    notes: [],
    ...patch,
  };
}

const hex = (text: string, digits: number): string => createHash('sha256').update(text).digest('hex').slice(0, digits);

export interface SeededEvent {
  readonly at: number;
  /** Name of the group; events with the same name share an error. */
  readonly group?: string;
  readonly title?: string;
  readonly userHash?: string | null;
  /** Tags beside level, environment and release. */
  readonly tags?: DigestedEvent['tags'];
  readonly event?: Partial<NormalisedEvent>;
}

/** Stores events as the digest does, in one batch; returns the event ids in order. */
export async function givenEvents(store: Store, project: Project, seeds: readonly SeededEvent[]): Promise<string[]> {
  serial += 1;
  const events = seeds.map((seed, index): DigestedEvent => {
    const eventId = hex(`event ${serial} ${index}`, 32);
    const event = normalisedEvent(eventId, seed.at, seed.event);
    const title = seed.title ?? 'ValueError: it broke';
    return {
      projectId: project.id,
      keyId: 1,
      eventId,
      groupHash: hex(`${project.id} ${seed.group ?? 'one'}`, 32),
      groupingVersion: 1,
      at: seed.at,
      receivedAt: seed.at,
      type: event.exceptions[0]?.type ?? null,
      message: event.exceptions[0]?.value ?? event.message,
      title,
      culprit: 'app.views in show',
      level: event.level,
      platform: event.platform,
      release: event.release,
      environment: event.environment,
      userHash: seed.userHash === undefined ? hex('user', 24) : seed.userHash,
      tags: [
        ['level', event.level],
        ['environment', event.environment ?? 'none'],
        ['release', event.release ?? 'none'],
        ...(seed.tags ?? []),
      ],
      payload: encodePayload(event),
    };
  });
  await applyEvents(store, events);
  return events.map(({ eventId }) => eventId);
}

/** Stores an event from the digest. */
export async function givenDigested(store: Store, event: DigestedEvent): Promise<DigestedEvent> {
  serial += 1;
  await applyEvents(store, [event]);
  return event;
}

async function applyEvents(store: Store, events: readonly DigestedEvent[]): Promise<void> {
  const batchId: BatchId = { journalId: hex(`journal ${serial}`, 32), n: 1, hash: hex(`batch ${serial}`, 32) };
  const result = await store.applyBatch(batchId, { ...packEvents(events), outcomes: [] });
  if (result.kind !== 'applied') throw new Error(`seeding was not applied: ${result.kind}`);
}

/** Counts outcomes as the digest does, in one batch. */
export async function givenOutcomes(
  store: Store,
  project: Project,
  counts: readonly Omit<OutcomeCount, 'projectId'>[],
): Promise<void> {
  serial += 1;
  const batchId: BatchId = { journalId: hex(`journal ${serial}`, 32), n: 1, hash: hex(`batch ${serial}`, 32) };
  const outcomes = counts.map((count) => ({ ...count, projectId: project.id }));
  const result = await store.applyBatch(batchId, { events: [], outcomes });
  if (result.kind !== 'applied') throw new Error(`seeding was not applied: ${result.kind}`);
}
