import type { Project } from '../../src/domain/projects/project.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { DAY, hexId, makeEvent, NOON, TestJournal } from './store-data.ts';

/** Runs every query of releases, sessions and reports at least once; prunes old data. */
export async function useReleases(store: Store, project: Project): Promise<void> {
  const journal = new TestJournal(store, 'sessions');
  const item = { projectId: project.id, keyId: 1, receivedAt: NOON, environment: 'production' };
  const eventId = hexId('reported');
  const report = { kind: 'user_report', name: null, email: null, comments: 'x', url: null, receivedAt: NOON } as const;
  await store.applyBatch(journal.batchId(1), {
    events: [],
    outcomes: [],
    sessions: [0, 1, 2].map((index) => ({
      ...{ ...item, kind: 'update', release: `explained ${index}`, sessionId: hexId(`session ${index}`) },
      ...{ startedAt: NOON - index * 40 * DAY, at: NOON - index * 40 * DAY },
      ...{ errored: true, end: 'crashed', userHash: hexId('u', 24) },
    })),
    reports: [{ projectId: project.id, keyId: 1, eventId, report: { ...report, id: hexId('report') } }],
  });
  for (const environment of [null, 'production']) {
    const query = { environment, limit: 1, cursor: null };
    const first = await store.listReleases(project.id, query, NOON);
    const second = await store.listReleases(project.id, { ...query, cursor: first.next }, NOON);
    await store.listReleases(project.id, { ...query, cursor: second.previous }, NOON);
  }
  await store.listReleases(project.id, { environment: null, sort: 'version', limit: 1, cursor: null }, NOON);
  await store.releaseByName(project.id, 'explained 0', null, NOON);
  const tags = [['release', 'explained 0']] as const;
  await new TestJournal(store, 'released').apply([makeEvent(project, 'released', { release: 'explained 0', tags })]);
  for (const environment of [null, 'production']) {
    await store.releaseErrors(project.id, ['explained 0', 'explained 1'], environment);
  }
  await store.resolvedInRelease(project.id, 'explained 1', 'explained 0', 10);
  await store.resolvedInCommit(project.id, 'f00dbab', 10);
  const reported = await store.listReports(project.id, 1, null);
  await store.listReports(project.id, 1, reported.next);
  await store.filterValues(project.id);
  await store.prune({
    receivedBefore: null,
    maxEventsPerError: null,
    keysReceivedBefore: 0,
    hoursBefore: 0,
    outcomesBefore: 0,
    sessions: { startedBefore: NOON - 50 * DAY, seenBefore: NOON - 50 * DAY },
    unmatchedReportsBefore: NOON + 1,
  });
}
