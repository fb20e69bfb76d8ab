import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import {
  DEFAULT_OPTIONS,
  type ImportDeps,
  type ImportFrom,
  type ImportOptions,
  type ImportProgress,
  type ImportSummary,
} from '../../src/import/import-run.ts';
import { openReader, type ReaderDeps } from '../../src/import/readers/open-reader.ts';
import { runImport } from '../../src/import/run-import.ts';
import { groupV2 } from '../../src/integrated/digest/group/v2/group.ts';
import { createUrlGuard } from '../../src/thirdparty/guard/url-guard.ts';
import { digester, record } from '../unit/integrated/digest/digest-support.ts';
import type { FakeSource } from './fake-source/fake-source.ts';
import type { SdkBody } from './fake-source/source-records.ts';
import { withOwnPayload } from './pack-events.ts';
import { listAll, TestJournal } from './store-data.ts';

/** Token that has all scopes of a fake. */
export const IMPORT_TOKEN = 'import-token';

/** Milliseconds of the longest wait between two requests. */
const MAX_WAIT_MS = 5;

const clock = { now: () => Date.now() };
/** The digest of a service with default settings. */
export const serviceDigest = digester({ group: groupV2 });

/** Opens a reader of a fake tracker, and closes it after the work. */
export async function withReader<T>(
  source: FakeSource,
  work: (from: ImportFrom) => Promise<T>,
  given: Partial<ReaderDeps> = {},
): Promise<T> {
  const deps = {
    guard: createUrlGuard({ allow: '127.0.0.1' }),
    clock,
    sleep: () => Promise.resolve(),
    // Short, but not none: limits of the tracker end by the clock.
    wait: (ms: number): Promise<void> => delay(Math.min(ms, MAX_WAIT_MS)),
    ...given,
  };
  const place = { url: source.origin, organization: 'acme', token: () => IMPORT_TOKEN, kind: source.tracker };
  const reader = await openReader(deps, place, AbortSignal.timeout(60_000));
  try {
    return await work({ reader, url: source.origin, organization: 'acme' });
  } finally {
    reader.close();
  }
}

export interface ImportCall {
  readonly options?: Partial<ImportOptions>;
  readonly deps?: Partial<ImportDeps>;
  readonly reader?: Partial<ReaderDeps>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ImportProgress) => void;
}

/** Imports a fake tracker into a store. */
export function importInto(store: Store, source: FakeSource, call: ImportCall = {}): Promise<ImportSummary> {
  const deps: ImportDeps = {
    store,
    digest: serviceDigest,
    clock,
    owner: randomBytes(8).toString('hex'),
    sleep: () => Promise.resolve(),
    ...call.deps,
  };
  const { signal = new AbortController().signal, onProgress = () => undefined } = call;
  const options = { ...DEFAULT_OPTIONS, ...call.options };
  return withReader(source, (from) => runImport(deps, from, options, signal, onProgress), call.reader);
}

/** Stores a live event of a project, as the digest of a service does. `at`: time of its receipt. */
export async function liveEvent(
  store: Store,
  project: Pick<Project, 'id'>,
  body: SdkBody,
  eventId: string,
  at = Date.now(),
): Promise<void> {
  const text = JSON.stringify({ ...body, event_id: eventId });
  const { event } = serviceDigest(record(text, { projectId: project.id, eventId, receivedAt: at }));
  if (event === null) throw new Error('the event was refused');
  await new TestJournal(store).apply([withOwnPayload(event)]);
}

/** Error of a picture, by its first issue. */
export interface PicturedError {
  readonly issue: string;
  readonly count: number;
  readonly [member: string]: unknown;
}

/** All that an import changes in a project, without numbers that depend on the order of the work. */
export async function pictureOf(store: Store, project: Project): Promise<PicturedError[]> {
  const errors = await listAll(store, project);
  const pictured = await Promise.all(
    errors.map(async ({ id, title, count, userCount, status, firstSeen, lastSeen, firstRelease, lastRelease }) => {
      const origin = await store.importedOrigin(project.id, id);
      const issue = origin?.externalIds.find(({ kind }) => kind === 'issue')?.value ?? `own ${title}`;
      const { baseAt: _baseAt, ...rest } = origin ?? { baseAt: null };
      return {
        ...{ issue, title, count, userCount, status, firstSeen, lastSeen, firstRelease, lastRelease },
        origin: origin === null ? null : rest,
      };
    }),
  );
  return pictured.sort((a, b) => (a.issue < b.issue ? -1 : 1));
}
