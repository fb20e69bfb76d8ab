import assert from 'node:assert/strict';
import { ESCALATING_FOR_MS, NEW_FOR_MS, REVIEW_FOR_MS } from '../../src/domain/errors/error-marks.ts';
import type { NewFact } from '../../src/domain/alerts/alert-fact.ts';
import type { ErrorSelection } from '../../src/domain/search/error-query.ts';
import type { SearchCondition } from '../../src/domain/search/search-condition.ts';
import { rankAll } from '../support/rank-all.ts';
import { makeIssue, makeSource, putImported } from '../support/import-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';
import { DAY, errorOf, HOUR, listAll, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';

const NOTHING_SET: ErrorSelection = {
  ...{ status: 'all', search: null, environment: null, release: null, level: null },
};

/** Marks that facts of alerts set, and what counts as a look; docs/adr/0017 has the rules. */
export function marksContract(harness: () => StoreHarness): void {
  async function setUp() {
    const { store } = harness();
    const project = await makeProject(store);
    const journal = new TestJournal(store);
    const user = await store.createUser({
      ...{ username: `looks${project.id}`, name: 'Looks', admin: false, email: null, passwordHash: 'x' },
    });
    await store.setMember(project.id, user.id, 30);
    let serial = 0;
    const happen = async (group: string, at: number, more: Parameters<typeof makeEvent>[2] = {}) => {
      serial += 1;
      const events = [makeEvent(project, `${group} ${serial}`, { group, at, ...more })];
      await journal.apply(events);
      assert.equal((await journal.replay(events)).kind, 'already_applied');
    };
    const begin = async (group: string, at = NOON - HOUR) => {
      await happen(group, at);
      return (await errorOf(store, project, group)).id;
    };
    const marks = async (id: string, now = NOON) => {
      const detail = await store.errorById(project.id, id, now);
      const [listed] = (await listAll(store, project, {}, now)).filter((each) => each.id === detail?.id);
      assert.deepEqual(listed?.marks, detail?.marks, 'lists and details agree');
      assert.ok(detail !== null && detail.marks !== null);
      return detail.marks;
    };
    const forReview = async (now = NOON) =>
      (await listAll(store, project, { forReview: true }, now)).map(({ id }) => id).sort();
    const spike = async (id: string, at: number) => {
      const error = await store.errorById(project.id, id, NOON);
      assert.ok(error !== null);
      const { type, title, message, culprit, level } = error;
      const fact: NewFact = {
        ...{ id: `spike:${project.id} ${id}:${at}`, kind: 'escalated', cause: { spike: { events: 90, mean: 2 } } },
        ...{ projectId: project.id, errorId: id, at, type, title, message, culprit, level },
        ...{ release: null, environment: null },
      };
      assert.equal(await store.addFacts([fact]), 1);
    };
    return { store, project, journal, user, happen, begin, marks, forReview, spike };
  }

  describe('marks', () => {
    it('of an export of errgate are set when its error is imported, and not by a further pass', async () => {
      const { store, project, marks, forReview } = await setUp();
      const source = await makeSource(store, project);
      const escalated = { at: NOON - HOUR, cause: { spike: { events: 90, mean: 2 } } };
      const given = {
        regressed: { at: NOON - 2, release: '1.2' },
        escalated,
        unmuted: null,
        reviewAt: NOON - 2,
        unhandled: true,
      };
      const issue = { ...makeIssue(source, '1'), marks: given };
      const { errorId } = await putImported(store, project.id, issue, NOON);
      const { regressed, unhandled } = given;
      const shown = { isNew: true, regressed, escalating: escalated, unmuted: null, unhandled, forReview: true };
      assert.deepEqual(await marks(errorId), shown);
      assert.deepEqual(await forReview(), [errorId]);
      await store.setErrorStatus(project.id, errorId, 'resolved', NOON);
      await putImported(store, project.id, issue, NOON + 1);
      assert.deepEqual(await marks(errorId), { ...shown, regressed: null, escalating: null, forReview: false });
      const plain = await putImported(store, project.id, makeIssue(source, '2'), NOON);
      assert.equal((await marks(plain.errorId)).forReview, false, 'issues of other trackers ask for none');
    });

    it('call an error new for a day, and ask for a review for a week', async () => {
      const { begin, marks, forReview } = await setUp();
      const id = await begin('a', NOON);
      const fresh = { isNew: true, regressed: null, escalating: null, unmuted: null, unhandled: null, forReview: true };
      assert.deepEqual(await marks(id), fresh);
      assert.equal((await marks(id, NOON + NEW_FOR_MS - 1)).isNew, true);
      assert.deepEqual(await marks(id, NOON + NEW_FOR_MS), { ...fresh, isNew: false });
      assert.deepEqual(await forReview(NOON + REVIEW_FOR_MS - 1), [id]);
      assert.equal((await marks(id, NOON + REVIEW_FOR_MS)).forReview, false);
      assert.deepEqual(await forReview(NOON + REVIEW_FOR_MS), []);
    });

    it('say when an error came back, and in which release, while it is unresolved', async () => {
      const { store, project, begin, happen, marks, forReview } = await setUp();
      const id = await begin('a');
      await store.setErrorStatus(project.id, id, 'resolved', NOON - 10);
      assert.deepEqual([(await marks(id)).forReview, await forReview()], [false, []]);
      await happen('a', NOON + 5, { release: 'shop@2.0' });
      const after = await marks(id, NOON + 2 * DAY);
      assert.deepEqual(after.regressed, { at: NOON + 5, release: 'shop@2.0' });
      assert.equal(after.forReview, true);
      await happen('a', NOON + 9, { release: 'shop@2.1' });
      assert.equal((await marks(id, NOON + 10)).regressed?.at, NOON + 5, 'a further event reopens nothing');
      await store.setErrorStatus(project.id, id, 'ignored', NOON + 10);
      const none = {
        isNew: false,
        regressed: null,
        escalating: null,
        unmuted: null,
        unhandled: null,
        forReview: false,
      };
      assert.deepEqual(await marks(id, NOON + 2 * DAY), none);
      await store.setErrorStatus(project.id, id, 'unresolved', NOON + 11);
      assert.deepEqual(await marks(id, NOON + 2 * DAY), { ...none, regressed: after.regressed });
    });

    it('end a regression after a week', async () => {
      const { store, project, begin, happen, marks } = await setUp();
      const id = await begin('a', NOON - 3 * DAY);
      await store.setErrorStatus(project.id, id, 'resolved', NOON - 2 * DAY);
      await happen('a', NOON);
      const end = NOON + REVIEW_FOR_MS;
      const conditions: SearchCondition[] = [{ field: 'mark', value: 'regressed', not: false }];
      const ranks: (number | undefined)[] = [];
      for (const [now, found] of [[end - 1, 1] as const, [end, 0] as const]) {
        assert.equal((await marks(id, now)).regressed === null, found === 0);
        assert.equal((await listAll(store, project, { conditions }, now)).length, found);
        await rankAll(store, now);
        ranks.push(await store.rankErrors(now));
      }
      assert.deepEqual(ranks, [0, 0]);
      // Another error of the same age that never came back is as high by then: the greater number comes first.
      const other = await begin('b', NOON);
      await store.reviewErrors(project.id, [other], true, NOON);
      await happen('b', NOON);
      await rankAll(store, end);
      const order = (await listAll(store, project, { sort: 'matters' }, end)).map(({ id: each }) => each);
      assert.deepEqual(order, [other, id]);
    });

    for (const [reason, details, count] of [
      ['events', { ignoreCount: 3 }, 3],
      ['users', { ignoreUserCount: 2 }, 2],
      ['until', { ignoreUntil: NOON + 20 }, undefined],
    ] as const) {
      it(`ask for a review when an error is no longer ignored: ${reason}`, async () => {
        const { store, project, begin, happen, marks, forReview } = await setUp();
        const id = await begin('a', NOON - 3 * DAY);
        await store.setErrorStatus(project.id, id, 'resolved', NOON - 2 * DAY);
        await happen('a', NOON - DAY);
        assert.notEqual((await marks(id)).regressed, null);
        const [one, two] = [await begin('b', NOON - 3 * DAY), await begin('c', NOON - 3 * DAY)];
        await store.mergeErrors(project.id, [one, two]);
        for (const each of [id, one]) {
          await store.setErrorStatus(project.id, each, 'ignored', NOON + 1, { details });
        }
        for (const [user, group] of Object.entries({ u1: 'a', u2: 'a', u3: 'a', u4: 'b', u5: 'c', u6: 'b' })) {
          await happen(group, NOON + 10, { user });
        }
        await store.rollUpMerged();
        await store.endMutes(NOON + 30);
        await store.rollUpMerged();
        const now = NOON + HOUR;
        for (const each of [id, one]) {
          const { unmuted, regressed, forReview: asks } = await marks(each, now);
          assert.deepEqual(unmuted?.cause, { reason, ...(count === undefined ? {} : { count }) });
          assert.deepEqual([regressed, asks], [null, true], 'what it was ignored in spite of is not shown');
        }
        assert.deepEqual(await forReview(now), [id, one].sort());
        assert.equal((await marks(one, NOON + REVIEW_FOR_MS + DAY)).unmuted, null);
        await store.reviewErrors(project.id, [id, one], true, now);
        for (const each of [id, one]) assert.equal((await marks(each, now)).unmuted, null);
        await happen('a', now);
        await store.setErrorStatus(project.id, id, 'resolved', now + 1);
        await happen('a', now + 5_000);
        assert.notEqual((await marks(id, now + 6_000)).regressed, null, 'a regression since then is shown');
      });
    }

    it('say why an error escalates for a day, by affected users and by spikes', async () => {
      const { store, project, journal, begin, marks, spike } = await setUp();
      const id = await begin('a', NOON - 3 * DAY);
      await store.reviewErrors(project.id, [id], true, NOON);
      await journal.apply(
        Array.from({ length: 100 }, (_, n) => makeEvent(project, `u ${n}`, { group: 'a', at: NOON, user: `u${n}` })),
      );
      const { escalating, forReview } = await marks(id);
      assert.deepEqual([escalating, forReview], [{ at: NOON, cause: { users: 100 } }, true]);
      await spike(id, NOON + HOUR);
      const cause = { spike: { events: 90, mean: 2 } };
      assert.deepEqual((await marks(id, NOON + HOUR)).escalating, { at: NOON + HOUR, cause });
      await spike(id, NOON - HOUR);
      assert.equal((await marks(id, NOON + HOUR)).escalating?.at, NOON + HOUR, 'an older fact changes nothing');
      const end = NOON + HOUR + ESCALATING_FOR_MS;
      assert.deepEqual((await marks(id, end - 1)).escalating, { at: NOON + HOUR, cause });
      assert.equal((await marks(id, end)).escalating, null);
      await store.setErrorStatus(project.id, id, 'ignored', NOON + HOUR);
      assert.equal((await marks(id, NOON + HOUR)).escalating, null);
    });

    it('of errors of other projects and trackers do not change', async () => {
      const { store, begin, marks, forReview } = await setUp();
      const id = await begin('a', NOON - 3 * DAY);
      const other = await makeProject(store);
      const fact = {
        ...{ id: `spike:other ${other.id}`, cause: { users: 100 }, projectId: other.id, errorId: id, at: NOON },
        ...{ type: null, title: 't', message: null, culprit: null, level: null, release: null, environment: null },
        kind: 'escalated',
      } as const;
      await store.addFacts([fact]);
      assert.equal((await marks(id)).escalating, null);
      assert.deepEqual(await forReview(), [id]);
    });
  });

  describe('a review', () => {
    it('ends with a look, an assignment, a note or a status, and not by reading', async () => {
      const { store, project, user, begin, forReview } = await setUp();
      const ids = [];
      for (const group of ['a', 'b', 'c', 'd', 'e']) ids.push(await begin(group));
      const [a, b, c, d, e] = ids as [string, string, string, string, string];
      await store.errorById(project.id, e, NOON);
      assert.equal((await forReview()).length, 5);
      assert.deepEqual(await store.reviewErrors(project.id, [a, a, '999999'], true, NOON), [a]);
      assert.deepEqual(await store.reviewErrors(project.id, [a], true, NOON), [], 'once');
      await store.setAssignee(project.id, b, user.id, user.id, NOON);
      await store.addNote(project.id, c, user.id, 'seen', NOON);
      await store.setErrorStatus(project.id, d, 'unresolved', NOON);
      assert.deepEqual(await forReview(), [e]);
    });

    it('can be asked for again, and is within the project', async () => {
      const { store, project, begin, forReview } = await setUp();
      const id = await begin('a', NOON - 10 * DAY);
      const other = await makeProject(store);
      assert.deepEqual(await store.reviewErrors(other.id, [id], true, NOON), []);
      assert.deepEqual(await store.reviewErrors(project.id, [id], true, NOON), [id]);
      assert.deepEqual(await store.reviewErrors(project.id, [id], false, NOON), [id]);
      assert.deepEqual(await store.reviewErrors(project.id, [id], false, NOON), []);
      assert.deepEqual(await forReview(), [id]);
    });

    it('of a merged error is that of any member, and ends for all of them', async () => {
      const { store, project, begin, happen, marks, forReview } = await setUp();
      const [a, b] = [await begin('a', NOON - 9 * DAY), await begin('b')];
      await store.setErrorStatus(project.id, a, 'resolved', NOON - 8 * DAY);
      await happen('a', NOON - HOUR, { release: '3' });
      await store.reviewErrors(project.id, [a], true, NOON);
      assert.equal(await store.mergeErrors(project.id, [a, b]), a);
      assert.deepEqual((await marks(a)).regressed, { at: NOON - HOUR, release: '3' });
      assert.deepEqual(await forReview(), [a]);
      assert.deepEqual(await store.reviewErrors(project.id, [b], true, NOON), [a]);
      assert.deepEqual(await forReview(), []);
      await store.setErrorStatus(project.id, a, 'resolved', NOON);
      await happen('b', NOON + 5, { release: '4' });
      await store.rollUpMerged();
      assert.deepEqual((await marks(a)).regressed, { at: NOON + 5, release: '4' });
      await store.unmergeErrors(project.id, a, null);
      assert.deepEqual(await forReview(), [a], 'what became of the merged error stays with its root');
    });
  });

  describe('tabs', () => {
    it('count the errors of each, single and merged, that fit the rest of the query', async () => {
      const { store, project, begin } = await setUp();
      const ids = [];
      for (const group of ['a', 'b', 'c', 'quartz', 'e', 'f']) ids.push(await begin(group));
      const [a, b, c, d, e] = ids as [string, string, string, string, string];
      await store.mergeErrors(project.id, [a, b]);
      await store.setErrorStatus(project.id, c, 'resolved', NOON);
      await store.setErrorStatus(project.id, d, 'ignored', NOON);
      await store.reviewErrors(project.id, [e], true, NOON);
      const counts = { unresolved: 3, forReview: 2, resolved: 1, ignored: 1 };
      assert.deepEqual(await store.countTabs(project.id, NOTHING_SET, NOON), counts);
      const other = { ...NOTHING_SET, status: 'resolved', forReview: true } as const;
      assert.deepEqual(await store.countTabs(project.id, other, NOON), counts);
      assert.deepEqual(await store.countTabs(project.id, { ...NOTHING_SET, search: 'QUARTZ in' }, NOON), {
        ...{ unresolved: 0, forReview: 0, resolved: 0, ignored: 1 },
      });
      assert.deepEqual(await store.countTabs(project.id, { ...NOTHING_SET, range: '1h' }, NOON + 3 * HOUR), {
        ...{ unresolved: 0, forReview: 0, resolved: 0, ignored: 0 },
      });
    });
  });
}
