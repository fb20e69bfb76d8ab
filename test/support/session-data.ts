import assert from 'node:assert/strict';
import type { DigestedBatch } from '../../src/domain/ingest/digest.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import type { DigestedSession } from '../../src/domain/releases/session.ts';
import type { DigestedReport } from '../../src/domain/events/user-report.ts';
import { DAY, hexId, NOON, TestJournal } from './store-data.ts';

/** Limits that remove nothing. */
export const KEEP = {
  receivedBefore: null,
  maxEventsPerError: null,
  keysReceivedBefore: 0,
  hoursBefore: 0,
  outcomesBefore: 0,
};

export function report(project: Project, eventId: string, comments: string, receivedAt = NOON): DigestedReport {
  const fields = { kind: 'user_report' as const, name: 'Ada', email: 'ada@example.test', comments, url: null };
  return { projectId: project.id, keyId: 1, eventId, report: { ...fields, id: hexId(comments), receivedAt } };
}

/** Journal that accepts whole batches. */
export class BatchJournal extends TestJournal {
  readonly #target: Store;

  constructor(store: Store, name = 'journal') {
    super(store, name);
    this.#target = store;
  }

  give(batch: Partial<DigestedBatch>) {
    this.n += 1;
    return this.again(batch);
  }

  again(batch: Partial<DigestedBatch>) {
    return this.#target.applyBatch(this.batchId(this.n), { events: [], outcomes: [], ...batch });
  }

  sessions(...sessions: readonly DigestedSession[]) {
    return this.give({ sessions });
  }
}

export async function outcomeRows(store: Store, project: Project): Promise<string[]> {
  const all = await store.listOutcomes(project.id, NOON - DAY, NOON + DAY);
  return all.map(({ category, outcome, reason, quantity }) => `${category} ${outcome}/${reason} ${quantity}`).sort();
}

export async function pruneAll(store: Store, limits: Parameters<Store['prune']>[0]): Promise<void> {
  for (let calls = 0; !(await store.prune(limits)).done; calls += 1) assert.ok(calls < 100);
}
