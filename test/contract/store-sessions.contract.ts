import assert from 'node:assert/strict';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import type { ReleaseHealth, SessionSums, SessionUpdate } from '../../src/domain/releases/session.ts';
import { BatchJournal, outcomeRows, KEEP, pruneAll, report } from '../support/session-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';
import { DAY, hexId, HOUR, makeEvent, makeProject, NOON } from '../support/store-data.ts';

function update(project: Project, name: string, spec: Partial<SessionUpdate> & { user?: string } = {}): SessionUpdate {
  const { user, ...given } = spec;
  return {
    kind: 'update',
    projectId: project.id,
    keyId: 1,
    receivedAt: NOON,
    release: 'app@1',
    environment: 'prod',
    sessionId: hexId(`session ${name}`),
    startedAt: NOON,
    at: NOON,
    errored: false,
    end: null,
    userHash: user === undefined ? null : hexId(user, 24),
    ...given,
  };
}

function sums(
  project: Project,
  counts: Partial<SessionSums['sums'][number]>,
  spec: Partial<SessionSums> = {},
): SessionSums {
  const none = { exited: 0, errored: 0, crashed: 0, abnormal: 0, unhandled: 0 };
  return {
    kind: 'sums',
    projectId: project.id,
    keyId: 1,
    receivedAt: NOON,
    release: 'app@1',
    environment: 'prod',
    sums: [{ startedAt: NOON, userHash: null, ...none, ...counts }],
    ...spec,
  };
}

async function releases(store: Store, project: Project, environment: string | null = null, now = NOON) {
  return (await store.listReleases(project.id, { environment, limit: 100, cursor: null }, now)).items;
}

async function only(store: Store, project: Project, environment: string | null = null): Promise<ReleaseHealth> {
  const [release, ...others] = await releases(store, project, environment);
  assert.ok(release !== undefined && others.length === 0);
  return release;
}

function shares({ sessions, errored, crashed, abnormal, unhandled, users, crashedUsers }: ReleaseHealth) {
  return { sessions, errored, crashed, abnormal, unhandled, users, crashedUsers };
}

export function sessionContract(harness: () => StoreHarness): void {
  describe('sessions', () => {
    it('count once, in any number and order of updates', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const journal = new BatchJournal(store);
      const first = update(project, 'a', { user: 'ada' });
      const bad = update(project, 'a', { user: 'ada', errored: true, at: NOON + 1000 });
      const crash = update(project, 'a', { user: 'ada', errored: true, end: 'crashed', at: NOON + 2000 });
      await journal.sessions(crash, first);
      await journal.sessions(bad, crash);
      await journal.sessions(first, update(project, 'b', { user: 'bob', end: 'exited' }), update(project, 'c'));
      assert.deepEqual(shares(await only(store, project)), {
        ...{ sessions: 3, errored: 1, crashed: 1, abnormal: 0, unhandled: 0, users: 2, crashedUsers: 1 },
      });
      const { firstSeen, lastSeen } = await only(store, project);
      assert.deepEqual([firstSeen, lastSeen], [NOON, NOON + 2000]);
      assert.deepEqual(await outcomeRows(store, project), ['session accepted/ 7']);
    });

    it('end once: the first end stays', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const journal = new BatchJournal(store);
      for (const [index, end] of (['exited', 'crashed', 'abnormal', 'unhandled'] as const).entries()) {
        const user = `u${index}`;
        await journal.sessions(update(project, end, { end, user, errored: end !== 'exited' }));
        await journal.sessions(update(project, end, { end: 'crashed', user, errored: true }));
        await journal.sessions(update(project, end, { end: 'exited', user }));
      }
      assert.deepEqual(shares(await only(store, project)), {
        ...{ sessions: 4, errored: 4, crashed: 1, abnormal: 1, unhandled: 1, users: 4, crashedUsers: 1 },
      });
    });

    it('keep release and environment of their first update; a contradiction is refused', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const journal = new BatchJournal(store);
      await journal.sessions(update(project, 'a'), update(project, 'a', { release: 'app@2', errored: true }));
      await journal.sessions(update(project, 'a', { environment: null, end: 'crashed' }));
      const release = await only(store, project);
      assert.deepEqual([release.release, release.sessions, release.errored, release.crashed], ['app@1', 1, 0, 0]);
      assert.deepEqual(await outcomeRows(store, project), ['session accepted/ 1', 'session invalid/session_changed 2']);
    });

    it('add the counts of servers, to the release as a whole and to its environments', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const journal = new BatchJournal(store);
      const ada = hexId('ada', 24);
      await journal.sessions(
        sums(project, { exited: 5, errored: 2, crashed: 1, userHash: ada }),
        sums(project, { exited: 3, abnormal: 1, unhandled: 1, userHash: ada }, { environment: 'test' }),
        update(project, 'a', { environment: null, user: 'bob' }),
      );
      assert.deepEqual(shares(await only(store, project)), {
        ...{ sessions: 14, errored: 5, crashed: 1, abnormal: 1, unhandled: 1, users: 2, crashedUsers: 1 },
      });
      assert.deepEqual(shares(await only(store, project, 'prod')), {
        ...{ sessions: 8, errored: 3, crashed: 1, abnormal: 0, unhandled: 0, users: 1, crashedUsers: 1 },
      });
      assert.deepEqual(shares(await only(store, project, 'test')), {
        ...{ sessions: 5, errored: 2, crashed: 0, abnormal: 1, unhandled: 1, users: 1, crashedUsers: 0 },
      });
      assert.deepEqual(await releases(store, project, 'elsewhere'), []);
    });

    it('are not counted again for a repeated batch or a copied journal', async () => {
      const { store, other } = harness();
      const project = await makeProject(store);
      const [journal, copy] = [new BatchJournal(store), new BatchJournal(await other(), 'copy')];
      const batch = { sessions: [update(project, 'a', { end: 'crashed', errored: true, user: 'ada' })] };
      assert.equal((await journal.give(batch)).kind, 'applied');
      assert.equal((await journal.again(batch)).kind, 'already_applied');
      assert.equal((await copy.give(batch)).kind, 'applied');
      assert.deepEqual(shares(await only(store, project)), {
        ...{ sessions: 1, errored: 1, crashed: 1, abnormal: 0, unhandled: 0, users: 1, crashedUsers: 1 },
      });
    });

    it('of a deleted project are refused', async () => {
      const { store } = harness();
      const [gone, project] = [await makeProject(store), await makeProject(store)];
      await store.deleteProject(gone.id);
      const result = await new BatchJournal(store).give({
        sessions: [update(gone, 'a'), update(project, 'a')],
        reports: [report(gone, hexId('e'), 'lost')],
      });
      assert.equal(result.kind, 'applied');
      assert.deepEqual(await outcomeRows(store, gone), [
        'default filtered/project_deleted 1',
        'session filtered/project_deleted 1',
      ]);
      assert.equal((await only(store, project)).sessions, 1);
    });
  });

  describe('releases', () => {
    it('come from events too, with their new errors', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const tags = [['environment', 'prod']] as const;
      await new BatchJournal(store).give({
        events: [
          makeEvent(project, '1', { group: 'old', release: 'r1', at: NOON - 5000, environment: 'prod', tags }),
          makeEvent(project, '2', { group: 'old', release: 'r2', at: NOON }),
          makeEvent(project, '3', { group: 'new', release: 'r2', at: NOON + 1, environment: 'prod', tags }),
          makeEvent(project, '4', { group: 'none' }),
        ],
      });
      const brief = (list: readonly ReleaseHealth[]) =>
        list.map(({ release, events, newErrors, firstSeen, lastSeen, sessions }) => {
          return [release, events, newErrors, firstSeen - NOON, lastSeen - NOON, sessions];
        });
      assert.deepEqual(brief(await releases(store, project)), [
        ['r2', 2, 1, 0, 1, 0],
        ['r1', 1, 1, -5000, -5000, 0],
      ]);
      assert.deepEqual(brief(await releases(store, project, 'prod')), [
        ['r2', 1, 1, 1, 1, 0],
        ['r1', 1, 1, -5000, -5000, 0],
      ]);
    });

    it('have their share of the sessions of the last 24 hours', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const at = (startedAt: number, release: string, exited: number, environment: string | null = null) =>
        sums(project, { startedAt, exited }, { release, environment });
      await new BatchJournal(store).sessions(
        ...[at(NOON, 'a', 3), at(NOON - 23 * HOUR, 'a', 2, 'prod'), at(NOON - 24 * HOUR, 'a', 7)],
        ...[at(NOON - 2 * HOUR, 'b', 5), at(NOON - 30 * HOUR, 'b', 9)],
      );
      const recent = async (environment: string | null) =>
        (await releases(store, project, environment))
          .map(({ release, sessions, sessions24h, allSessions24h }) => [release, sessions, sessions24h, allSessions24h])
          .sort();
      assert.deepEqual(await recent(null), [
        ['a', 12, 5, 10],
        ['b', 14, 5, 10],
      ]);
      assert.deepEqual(await recent('prod'), [['a', 2, 2, 2]]);
    });

    it('are paged newest first; a cursor belongs to its query', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const names = Array.from({ length: 7 }, (_, index) => `r${index}`);
      // Two of them at one moment.
      const startOf = (index: number) => NOON + Math.min(index, 5) * 1000;
      await new BatchJournal(store).sessions(
        ...names.map((release, index) => {
          return update(project, release, {
            release,
            startedAt: startOf(index),
            at: startOf(index),
            environment: null,
          });
        }),
      );
      const page = (cursor: string | null, environment: string | null = null) =>
        store.listReleases(project.id, { environment, limit: 3, cursor }, NOON);
      const first = await page(null);
      const second = await page(first.next);
      const third = await page(second.next);
      const seen = [first, second, third].flatMap(({ items }) => items.map(({ release }) => release));
      assert.deepEqual([...seen.slice(0, 2).sort(), ...seen.slice(2)], ['r5', 'r6', 'r4', 'r3', 'r2', 'r1', 'r0']);
      assert.deepEqual([first.previous, third.next], [null, null]);
      assert.deepEqual((await page(third.previous)).items, second.items);
      await assert.rejects(page(first.next, 'prod'), { code: 'bad_request' });
      await assert.rejects(page('nonsense'), { code: 'bad_request' });
    });
  });

  describe('pruning of sessions', () => {
    it('removes sessions by their start, hours and releases by their age, and changes no count of a current release', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const journal = new BatchJournal(store);
      const old = { startedAt: NOON - 3 * DAY, at: NOON - 3 * DAY, user: 'ada' };
      await journal.sessions(
        update(project, 'gone', { ...old, release: 'gone' }),
        update(project, 'old', old),
        update(project, 'young', { user: 'ada' }),
      );
      const sessions = { startedBefore: NOON - DAY, seenBefore: NOON - 2 * DAY };
      await pruneAll(store, { ...KEEP, sessions });
      const release = await only(store, project);
      assert.deepEqual([release.release, release.sessions, release.users], ['app@1', 2, 1]);
      await journal.sessions(update(project, 'young', { end: 'exited' }), update(project, 'old', old));
      const again = await only(store, project);
      assert.deepEqual([again.sessions, again.users], [3, 1], 'only the forgotten one counts again');
      await journal.sessions(update(project, 'new', { release: 'gone', user: 'ada' }));
      const back = (await releases(store, project)).find((each) => each.release === 'gone');
      assert.deepEqual([back?.sessions, back?.users, back?.firstSeen], [1, 1, NOON]);
    });

    it('removes sessions with the project', async () => {
      const { store } = harness();
      const [gone, project] = [await makeProject(store), await makeProject(store)];
      const journal = new BatchJournal(store);
      for (const each of [gone, project]) {
        await journal.give({
          sessions: [update(each, 'a', { user: 'ada', end: 'crashed', errored: true })],
          reports: [report(each, hexId('e'), 'x')],
        });
      }
      await store.deleteProject(gone.id);
      assert.deepEqual(await releases(store, gone), []);
      assert.equal((await only(store, project)).crashedUsers, 1);
    });
  });
}
