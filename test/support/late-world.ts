import assert from 'node:assert/strict';
import type { BatchResult } from '../../src/domain/ingest/digest.ts';
import type { DigestedSession } from '../../src/domain/releases/session.ts';
import type { TrackedErrorDetail } from '../../src/domain/errors/tracked-error.ts';
import type { ErrorStatus } from '../../src/domain/errors/error-status.ts';
import type { StatusDetails } from '../../src/domain/errors/error-state.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import { withLateReleases } from '../../src/integrated/triage/late-releases.ts';
import { createTriage } from '../../src/integrated/triage/triage.ts';
import { packEvents } from './pack-events.ts';
import { errorOf, hexId, HOUR, makeEvent, makeProject, NOON, TestJournal } from './store-data.ts';

export const COMMIT = 'f00dbabe0123456789abcdef0123456789abcdef';
/** Release that names COMMIT. */
export const RELEASE = 'app@2.0.0+f00dbabe';

export const inCommit = (commit = COMMIT): StatusDetails => ({ inCommit: { commit, repository: 'shop' } });
export const inRelease = (commit = COMMIT): StatusDetails => ({ inRelease: RELEASE, ...inCommit(commit) });

/** Project whose batches are applied as the digest does, an hour after NOON. */
export class LateWorld {
  readonly store: Store;
  readonly project: Project;
  readonly clock = { now: (): number => NOON + HOUR };
  /** Logged failures. */
  readonly failures: unknown[] = [];
  readonly journal: TestJournal;
  #serial = 0;
  #digest: ReturnType<LateWorld['digestOf']>;

  static async open(store: Store): Promise<LateWorld> {
    return new LateWorld(store, await makeProject(store));
  }

  constructor(store: Store, project: Project) {
    this.store = store;
    this.project = project;
    this.journal = new TestJournal(store, 'late');
    this.#digest = this.digestOf({});
  }

  /** Returns the wrapped store of a process that was just started, with these methods in place of the store's own. */
  digestOf(over: Partial<Store>) {
    const { store } = this;
    const own = {
      lastBatch: store.lastBatch.bind(store),
      completeBatch: store.completeBatch.bind(store),
      applyBatch: store.applyBatch.bind(store),
      resolvedInCommit: store.resolvedInCommit.bind(store),
      resolveInRelease: store.resolveInRelease.bind(store),
    };
    return withLateReleases({ ...own, ...over }, this.clock, {
      warn: (...args: unknown[]) => this.failures.push(args),
    });
  }

  /** Replaces the process. */
  restart(over: Partial<Store> = {}): void {
    this.#digest = this.digestOf(over);
  }

  /** Applies the next batch: an event per group. */
  async happen(release: string, at: number, ...groups: string[]): Promise<BatchResult> {
    this.#serial += 1;
    return this.again(release, at, ...groups);
  }

  /** Applies the last batch again. */
  async again(release: string, at: number, ...groups: string[]): Promise<BatchResult> {
    const name = this.#serial;
    const events = groups.map((group) => makeEvent(this.project, `${group} ${name}`, { group, release, at }));
    return this.#digest.applyBatch(this.journal.batchId(name), { ...packEvents(events), outcomes: [] });
  }

  async session(release: string, at: number): Promise<void> {
    this.#serial += 1;
    const session: DigestedSession = {
      ...{ projectId: this.project.id, keyId: 1, receivedAt: at, environment: 'production', kind: 'update', release },
      ...{ sessionId: hexId(`session ${this.project.id} ${release}`), startedAt: at, at },
      ...{ errored: false, end: null, userHash: null },
    };
    const batch = { events: [], outcomes: [], sessions: [session] };
    await this.#digest.applyBatch(this.journal.batchId(this.#serial), batch);
  }

  /** Makes the error of a group, which is resolved in a commit a millisecond after NOON. */
  async waiting(group: string, commit = COMMIT): Promise<string> {
    await this.happen('app@1.0.0', NOON, group);
    const { id } = await errorOf(this.store, this.project, group);
    await this.set(id, 'resolved', inCommit(commit));
    return id;
  }

  async set(id: string, status: ErrorStatus, details: StatusDetails = {}): Promise<void> {
    await this.store.setErrorStatus(this.project.id, id, status, NOON + 1, { details });
  }

  async error(id: string): Promise<TrackedErrorDetail> {
    return (await this.store.errorById(this.project.id, id, NOON)) ?? assert.fail(`no error ${id}`);
  }

  /** Returns the details of an error that is resolved, else its status. */
  async stateOf(id: string): Promise<StatusDetails | ErrorStatus | null | undefined> {
    const { status, statusDetails } = await this.error(id);
    return status === 'resolved' ? statusDetails : status;
  }

  /** Returns the kinds of the activities, the newest first. */
  async activity(id: string): Promise<string[]> {
    return ((await this.store.listActivity(this.project.id, id)) ?? []).map(({ kind }) => kind);
  }

  /** Returns what a person does, on a store with these methods in place of its own. */
  person(over: Partial<Store> = {}) {
    const { store } = this;
    const own = {
      setErrorStatus: store.setErrorStatus.bind(store),
      setErrorStatuses: store.setErrorStatuses.bind(store),
      filterValues: store.filterValues.bind(store),
      releasesWithCommit: store.releasesWithCommit.bind(store),
      resolveInRelease: store.resolveInRelease.bind(store),
    };
    // The rest of the store is not used.
    return createTriage({ ...own, ...over } as unknown as Store, this.clock, {
      get: (_project, id) => this.error(id),
      underFormerId: (_project, id, call) => call(id),
    });
  }
}
