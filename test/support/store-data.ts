import { createHash } from 'node:crypto';
import type { Forward, ForwardState } from '../../src/domain/ingest/forward.ts';
import type { BatchId, BatchResult, DigestedEvent, OutcomeCount } from '../../src/domain/ingest/digest.ts';
import type { NormalisedEvent } from '../../src/domain/events/event.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import type { TrackedError } from '../../src/domain/errors/tracked-error.ts';
import type { ErrorQuery } from '../../src/domain/search/error-query.ts';
import { encodePayload } from './encode-payload.ts';
import { packEvents } from './pack-events.ts';

/** Middle of an hour, far from the ends of the day: 2026-03-10 12:30 UTC. */
export const NOON = Date.UTC(2026, 2, 10, 12, 30);
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** Derives a hex id from a name: equal in every run, distributed like random ids. */
export function hexId(name: string, digits = 32): string {
  return createHash('sha256').update(name).digest('hex').slice(0, digits);
}

export function normalisedEvent(eventId: string, message: string | null = null): NormalisedEvent {
  return {
    event_id: eventId,
    timestamp: new Date(NOON).toISOString(),
    level: 'error',
    platform: 'python',
    logger: null,
    release: null,
    dist: null,
    environment: null,
    server_name: null,
    transaction: null,
    message,
    logentry: null,
    exceptions: [],
    threads: [],
    breadcrumbs: [],
    request: null,
    user: null,
    tags: [],
    contexts: {},
    extra: {},
    modules: {},
    sdk: null,
    fingerprint: [],
    notes: [],
  };
}

export interface EventSpec extends Partial<Omit<DigestedEvent, 'projectId' | 'userHash'>> {
  /** Name of the group; events of a name and project share an error. */
  readonly group?: string;
  readonly user?: string | null;
}

/** Makes an event with the given name. By default its time of receipt is its own time. */
export function makeEvent(project: Project, name: string, spec: EventSpec = {}): DigestedEvent {
  const { group = 'default', user = null, ...given } = spec;
  const eventId = given.eventId ?? hexId(`${project.id} ${name}`);
  const at = given.at ?? NOON;
  return {
    projectId: project.id,
    keyId: 1,
    groupHash: hexId(`${project.id} ${group}`),
    groupingVersion: 1,
    receivedAt: at,
    type: 'ValueError',
    message: `bad value in ${group}`,
    title: `ValueError: bad value in ${group}`,
    culprit: 'app.views in handler',
    level: 'error',
    platform: 'python',
    release: null,
    environment: null,
    userHash: user === null ? null : hexId(user, 24),
    tags: [],
    ...given,
    payload: given.payload ?? encodePayload(normalisedEvent(eventId, name)),
    at,
    eventId,
  };
}

/** Number of projects and journals so far; it makes names unique in a shared store. */
let made = 0;

/** Journal with a new id that numbers its batches like the service. */
export class TestJournal {
  readonly id: string;
  n = 0;
  readonly #store: Store;

  constructor(store: Store, name = 'journal') {
    this.#store = store;
    made += 1;
    this.id = hexId(`${name} ${made}`);
  }

  batchId(n: number, content = 'content'): BatchId {
    return { journalId: this.id, n, hash: hexId(`${this.id} ${n} ${content}`) };
  }

  async apply(events: readonly DigestedEvent[], outcomes: readonly OutcomeCount[] = []): Promise<BatchResult> {
    this.n += 1;
    return this.#store.applyBatch(this.batchId(this.n), { ...packEvents(events), outcomes });
  }

  async replay(events: readonly DigestedEvent[], outcomes: readonly OutcomeCount[] = []): Promise<BatchResult> {
    return this.#store.applyBatch(this.batchId(this.n), { ...packEvents(events), outcomes });
  }
}

/** Creates a project; the default path is unique. */
export async function makeProject(store: Store, path = `group/app${(made += 1)}`): Promise<Project> {
  return store.createProject({ path, name: path.split('/').at(-1) ?? path, visibility: 'private' });
}

export const EVERYTHING: ErrorQuery = {
  status: 'all',
  search: null,
  sort: 'last_seen',
  environment: null,
  release: null,
  level: null,
  limit: 100,
  cursor: null,
};

export async function listAll(store: Store, project: Project, query: Partial<ErrorQuery> = {}, now = NOON) {
  return (await store.listErrors(project.id, { ...EVERYTHING, ...query }, now)).items;
}

/** Finds the error of a group by its message. */
export async function errorOf(store: Store, project: Project, group = 'default'): Promise<TrackedError> {
  const found = (await listAll(store, project)).find((error) => error.message === `bad value in ${group}`);
  if (found === undefined) {
    throw new Error(`the store holds no error of the group ${group}`);
  }
  return found;
}

export function makeForward(projectId: number): Forward {
  return { projectId, sealedDsn: 'sealed', target: 'https://old.example/7', until: null, createdAt: 5 };
}

export function makeForwardState(projectId: number, spoolId = 'a'.repeat(32)): ForwardState {
  return {
    projectId,
    spoolId,
    pendingUntil: 900,
    sentAt: 800,
    bytes: 1234,
    oldestAt: 700,
    succeededAt: 650,
    failedAt: 800,
    failure: 'the target answers with status 500',
    stalled: true,
    dropped: 2,
    updatedAt: 850,
  };
}
