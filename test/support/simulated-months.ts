import assert from 'node:assert/strict';
import type { DigestedBatch, OutcomeCount } from '../../src/domain/ingest/digest.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import type { SessionUpdate } from '../../src/domain/releases/session.ts';
import { RetentionJob } from '../../src/integrated/retention/retention-job.ts';
import { DAY, hexId, makeEvent, makeProject } from './store-data.ts';
import { BatchJournal, report } from './session-data.ts';

/** Monday, 00:00 UTC. */
export const BEGIN = Date.UTC(2026, 0, 5);
export const ERRORS = 5;
export const SETTINGS = { retentionDays: 30, auditDays: 365, maxEventsPerError: 100, maxBytes: 0 };

/** Clock that only tests advance. */
export class SetClock {
  #now = BEGIN;
  now(): number {
    return this.#now;
  }
  set(now: number): void {
    this.#now = now;
  }
}

export interface MonthsOptions {
  readonly store: Store;
  readonly clock: SetClock;
  readonly days: number;
  /** Days between two batches; retention runs after each batch. */
  readonly step: number;
  /** Number of events per batch, and of sessions, each with its own user, id, tag and value. */
  readonly events: number;
  /** Called after each retention, with the number of days so far. */
  readonly onDay: (days: number) => Promise<void>;
}

/** Stores some months of one project's load, with the service's retention after each batch. */
export async function liveThroughMonths(options: MonthsOptions): Promise<Project> {
  const { store, clock, days, step, events, onDay } = options;
  const project = await makeProject(store);
  const journal = new BatchJournal(store);
  const warnings: unknown[] = [];
  const job = new RetentionJob({
    ...{ store, clock, lease: { hold: () => Promise.resolve('held') }, settings: SETTINGS },
    pause: () => Promise.resolve(),
    logger: { info: () => undefined, warn: (...line: unknown[]) => warnings.push(line) },
  });
  for (let day = 0; day < days; day += step) {
    clock.set(BEGIN + (day + 1) * DAY);
    const result = await journal.give(batchOf(project, day, events));
    assert.ok(result.kind === 'applied' && result.stored === events, `day ${day}`);
    await job.run(new AbortController().signal);
    await onDay(day + 1);
  }
  assert.deepEqual(warnings, []);
  return project;
}

/** Makes the batch of one day: a new release, and `count` rows of each kind. */
function batchOf(project: Project, day: number, count: number): DigestedBatch {
  const release = `shop@${day}`;
  const environment = 'production';
  const numbers = Array.from({ length: count }, (_, index) => index);
  const timeOf = (index: number): number => BEGIN + day * DAY + Math.floor((index * DAY) / count);
  const name = (index: number): string => `${day}-${index}`;
  const events = numbers.map((index) =>
    makeEvent(project, name(index), {
      ...{ group: `fault ${index % ERRORS}`, user: name(index), at: timeOf(index), release, environment },
      tags: [
        ['environment', environment],
        ['release', `${release}.${index}`],
        ['request', name(index)],
        [`shard-${name(index)}`, 'yes'],
      ],
    }),
  );
  const sessions = numbers.map((index): SessionUpdate => {
    const at = timeOf(index);
    return {
      ...{ kind: 'update', projectId: project.id, keyId: 1, receivedAt: at, release, environment, startedAt: at, at },
      ...{ sessionId: hexId(`session ${name(index)}`), errored: false, end: 'exited' },
      userHash: hexId(`visitor ${name(index)}`, 24),
    };
  });
  const reports = [
    report(project, events[0]?.eventId ?? '', `about an event, day ${day}`, timeOf(0)),
    report(project, hexId(`never came ${day}`), `about nothing, day ${day}`, timeOf(0)),
  ];
  const outcomes = numbers.map((index): OutcomeCount => ({
    ...{ projectId: project.id, keyId: 1, category: 'transaction', outcome: 'filtered', reason: 'unsupported' },
    ...{ at: timeOf(index), quantity: 1 },
  }));
  return { events, sessions, reports, outcomes };
}
