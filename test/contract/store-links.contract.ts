import assert from 'node:assert/strict';
import { MAX_SEEN_ISSUES, type SeenIssue } from '../../src/domain/projects/issue-hook.ts';
import { MAX_LINKED_ISSUES } from '../../src/domain/projects/project-links.ts';
import { importIssue, makeIssue, makeSource } from '../support/import-data.ts';
import { makeLinks, makeRepository } from '../support/link-data.ts';
import { errorOf, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';

let people = 0;

const NONE = { repository: null, issueTracker: null, sealedToken: null };
const issueAt = (number: number) => ({ url: `https://git.test/issues/${number}`, title: `Issue ${number}` });

/** Links of projects, and issues of the host that belong to errors. */
export function linksContract(harness: () => StoreHarness): void {
  async function setUp() {
    const { store } = harness();
    const project = await makeProject(store);
    await new TestJournal(store).apply(['a', 'b'].map((group) => makeEvent(project, group, { group })));
    const [a, b] = [(await errorOf(store, project, 'a')).id, (await errorOf(store, project, 'b')).id];
    people += 1;
    const user = await store.createUser({ username: `links${people}`, name: 'L', admin: false, passwordHash: 'x' });
    const add = (errorId: string, number: number, now = NOON + number) =>
      store.addLinkedIssue(project.id, errorId, issueAt(number), user.id, now);
    const urls = async (errorId: string) => (await store.linkedIssues(project.id, errorId))?.map(({ url }) => url);
    const kinds = async (errorId: string) =>
      (await store.listActivity(project.id, errorId))?.map(({ kind, details, user: by }) => [
        ...[kind, details.issueUrl, details.issueTitle, by?.id],
      ]);
    return { store, project, a, b, user, add, urls, kinds };
  }

  describe('links of a project', () => {
    it('are replaced as a whole, and go with the project', async () => {
      const { store, project } = await setUp();
      assert.deepEqual(await store.projectLinks(project.id), NONE);
      const links = makeLinks();
      await store.setProjectLinks(project.id, links);
      assert.deepEqual(await store.projectLinks(project.id), links);
      const other = await makeProject(store);
      assert.deepEqual(await store.projectLinks(other.id), NONE);
      const changed = { ...NONE, repository: makeRepository({ prefixes: [], refTemplate: '' }) };
      await store.setProjectLinks(project.id, changed);
      assert.deepEqual(await store.projectLinks(project.id), changed);
      await store.setProjectLinks(project.id, NONE);
      assert.deepEqual(await store.projectLinks(project.id), NONE);
      await store.setProjectLinks(project.id, links);
      await store.deleteProject(project.id);
      assert.deepEqual(await store.projectLinks(project.id), NONE);
      await assert.rejects(store.setProjectLinks(project.id, links), { code: 'project_not_found' });
    });

    it('have their token replaced only while it is the one that was read', async () => {
      const { store, project } = await setUp();
      assert.equal(await store.replaceSealedIssueToken(project.id, 'sealed', 'again'), false);
      await store.setProjectLinks(project.id, makeLinks());
      assert.equal(await store.replaceSealedIssueToken(project.id, 'other', 'again'), false);
      assert.equal(await store.replaceSealedIssueToken(project.id, 'sealed', 'again'), true);
      assert.deepEqual(await store.projectLinks(project.id), makeLinks({ sealedToken: 'again' }));
    });
  });

  describe('linked issues', () => {
    it('are listed oldest first, each address once, and are written to the activity log', async () => {
      const { store, project, a, user, add, urls, kinds } = await setUp();
      assert.deepEqual(await urls(a), []);
      const second = await add(a, 2);
      const first = await add(a, 1);
      assert.ok(first !== null && second !== null && first.id !== second.id);
      assert.deepEqual(second, { id: second.id, ...issueAt(2), at: NOON + 2, userId: user.id });
      assert.deepEqual(await store.linkedIssues(project.id, a), [first, second]);
      const again = { url: first.url, title: 'another title' };
      assert.deepEqual(await store.addLinkedIssue(project.id, a, again, user.id, NOON + 9), first);
      assert.equal(await store.removeLinkedIssue(project.id, a, first.id, user.id, NOON + 10), true);
      assert.equal(await store.removeLinkedIssue(project.id, a, first.id, user.id, NOON + 11), false);
      assert.deepEqual(await urls(a), [second.url]);
      assert.deepEqual(await kinds(a), [
        ['issue_unlinked', first.url, first.title, user.id],
        ['issue_linked', second.url, second.title, user.id],
        ['issue_linked', first.url, first.title, user.id],
      ]);
      for (const call of [store.linkedIssues(project.id, '99999'), add('99999', 1)]) assert.equal(await call, null);
      const other = await makeProject(store);
      assert.equal(await store.linkedIssues(other.id, a), null);
      assert.equal(await store.removeLinkedIssue(other.id, a, second.id, user.id, NOON), false);
    });

    it('have a maximum per error', async () => {
      const { a, add, urls } = await setUp();
      for (let number = 0; number < MAX_LINKED_ISSUES; number += 1) await add(a, number);
      await assert.rejects(add(a, MAX_LINKED_ISSUES), { code: 'conflict' });
      assert.equal((await urls(a))?.length, MAX_LINKED_ISSUES);
      assert.ok((await add(a, 3)) !== null, 'a known one is no further one');
    });

    it('are added once by two requests at the same time', async () => {
      const { a, add, urls } = await setUp();
      const [one, other] = await Promise.all([add(a, 1, NOON), add(a, 1, NOON)]);
      assert.deepEqual(one, other);
      assert.equal((await urls(a))?.length, 1);
    });

    it('of a merged error are those of all members, and stay with them', async () => {
      const { store, project, a, b, user, add, urls } = await setUp();
      await add(a, 1);
      await add(b, 2);
      await add(b, 1, NOON + 5);
      const root = await store.mergeErrors(project.id, [a, b]);
      assert.equal(root, a);
      assert.deepEqual(await urls(a), [issueAt(1).url, issueAt(2).url]);
      assert.deepEqual(await urls(b), await urls(a));
      const added = await add(b, 3);
      const ofB = (await store.linkedIssues(project.id, a))?.find(({ url }) => url === issueAt(2).url);
      await store.unmergeErrors(project.id, a, null);
      assert.deepEqual(await urls(a), [issueAt(1).url, issueAt(3).url]);
      assert.deepEqual(await urls(b), [issueAt(2).url, issueAt(1).url]);
      assert.equal(await store.removeLinkedIssue(project.id, b, added?.id ?? 0, user.id, NOON), false);
      await store.mergeErrors(project.id, [a, b]);
      assert.equal(await store.removeLinkedIssue(project.id, a, ofB?.id ?? 0, user.id, NOON), true);
      const twice = (await store.linkedIssues(project.id, a))?.find(({ url }) => url === issueAt(1).url);
      assert.equal(await store.removeLinkedIssue(project.id, a, twice?.id ?? 0, user.id, NOON), true);
      assert.deepEqual(await urls(a), [issueAt(3).url], 'an address that two members had is removed from both');
    });

    it('go with an error that is deleted', async () => {
      const { store, project, a, b, user, add, urls } = await setUp();
      await add(a, 1);
      await add(b, 2);
      assert.equal(await store.deleteErrors(project.id, [a], false, user.id, NOON), 1);
      assert.equal(await urls(a), undefined);
      await new TestJournal(store, 'again').apply([makeEvent(project, 'a again', { group: 'a' })]);
      assert.deepEqual(await urls((await errorOf(store, project, 'a')).id), []);
      assert.deepEqual(await urls(b), [issueAt(2).url]);
    });

    it('of an export are added to imported errors once, and only up to the maximum', async () => {
      const { store, project, a, add, urls } = await setUp();
      const source = await makeSource(store, project);
      const errorId = await importIssue(store, project, makeIssue(source, '77'), 1, []);
      const issues = Array.from({ length: MAX_LINKED_ISSUES + 2 }, (_, number) => ({
        ...{ ...issueAt(number), at: NOON + number, userId: null },
      }));
      const before = (await store.listActivity(project.id, errorId))?.length;
      await add(errorId, 1, NOON - 1);
      for (let times = 0; times < 2; times += 1) await store.putLinkedIssues(project.id, errorId, issues);
      const expected = [1, 0, ...Array.from({ length: MAX_LINKED_ISSUES - 2 }, (_, index) => index + 2)];
      assert.deepEqual(await urls(errorId), expected.map((number) => issueAt(number).url)); // prettier-ignore
      assert.equal((await store.listActivity(project.id, errorId))?.length, (before ?? 0) + 1);
      await assert.rejects(store.putLinkedIssues(project.id, a, issues), { code: 'not_found' });
    });

    it('of an export stay removed, unless they were linked there again since', async () => {
      const { store, project, user, urls } = await setUp();
      const source = await makeSource(store, project);
      const errorId = await importIssue(store, project, makeIssue(source, '78'), 1, []);
      const issues = [1, 2].map((number) => ({ ...issueAt(number), at: NOON, userId: null }));
      await store.putLinkedIssues(project.id, errorId, issues);
      for (const { id } of (await store.linkedIssues(project.id, errorId)) ?? []) {
        assert.equal(await store.removeLinkedIssue(project.id, errorId, id, user.id, NOON + 1), true);
      }
      await store.putLinkedIssues(project.id, errorId, issues);
      assert.deepEqual(await urls(errorId), []);
      await store.putLinkedIssues(project.id, errorId, [
        ...issues.slice(1),
        { ...issueAt(1), at: NOON + 2, userId: null },
      ]);
      assert.deepEqual(await urls(errorId), [issueAt(1).url]);
    });
  });

  describe('errors by the address of an issue', () => {
    it('are found in their project, merged ones by their own ids', async () => {
      const { store, project, a, b, add, user } = await setUp();
      const other = await setUp();
      await other.add(other.a, 1);
      await add(a, 1);
      await add(b, 12);
      await add(b, 2);
      const found = async (...starts: string[]) =>
        (await store.errorsWithIssue(project.id, starts)).map(({ errorId, url }) => `${errorId} ${url}`).sort();
      const of = (errorId: string, number: number) => `${errorId} ${issueAt(number).url}`;
      assert.deepEqual(await found(), []);
      assert.deepEqual(await found('https://git.test/issues/1'), [of(a, 1), of(b, 12)].sort());
      assert.deepEqual(await found('https://git.test/issues/12', 'https://git.test/issues/2'), [of(b, 12), of(b, 2)]);
      assert.deepEqual(await found('https://git.test/issues/3', 'https://other.test/'), []);
      await store.mergeErrors(project.id, [a, b]);
      assert.deepEqual(await found('https://git.test/issues/2'), [of(b, 2)]);
      await store.deleteErrors(project.id, [a], false, user.id, NOON);
      assert.deepEqual(await found('https://git.test/issues/'), []);
    });
  });

  describe('webhooks of issues', () => {
    it('are one per project, and go with it', async () => {
      const { store, project } = await setUp();
      const hook = { projectId: project.id, sealed: 'one', createdAt: NOON };
      assert.equal(await store.issueHook(project.id), null);
      await store.setIssueHook(hook);
      await store.setIssueHook({ ...hook, sealed: 'two' });
      assert.deepEqual(await store.issueHook(project.id), { ...hook, sealed: 'two' });
      assert.equal(await store.replaceSealedHook(project.id, 'one', 'three'), false);
      assert.equal(await store.replaceSealedHook(project.id, 'two', 'three'), true);
      assert.deepEqual(
        (await store.listIssueHooks()).filter(({ projectId }) => projectId === project.id),
        [{ ...hook, sealed: 'three' }],
      );
      assert.deepEqual(
        [await store.removeIssueHook(project.id), await store.removeIssueHook(project.id)],
        [true, false],
      );
      await store.setIssueHook(hook);
      await store.deleteProject(project.id);
      assert.equal(await store.issueHook(project.id), null);
      await assert.rejects(store.setIssueHook(hook), { code: 'project_not_found' });
    });

    it('remember the newest change of each issue, which only one of two requests replaces', async () => {
      const { store, project } = await setUp();
      const key = { projectId: project.id, issue: 'ab'.repeat(16) };
      const closed: SeenIssue = { ...key, state: 'closed', at: NOON, delivery: 'one' };
      const opened: SeenIssue = { ...key, state: 'opened', at: NOON + 1, delivery: 'two' };
      assert.equal(await store.seenIssue(project.id, key.issue), null);
      const both = await Promise.all([closed, opened].map((seen) => store.moveSeenIssue(key, null, seen)));
      assert.deepEqual(both.filter(Boolean), [true]);
      const first = both[0] === true ? closed : opened;
      assert.deepEqual(await store.seenIssue(project.id, key.issue), first);
      const later = [3, 4].map((at): SeenIssue => ({ ...closed, at: NOON + at, delivery: String(at) }));
      const moved = await Promise.all(later.map((seen) => store.moveSeenIssue(key, first, seen)));
      assert.deepEqual(moved.filter(Boolean), [true]);
      const now = await store.seenIssue(project.id, key.issue);
      assert.equal(await store.moveSeenIssue(key, first, null), false);
      assert.equal(await store.moveSeenIssue(key, now, null), true);
      assert.equal(await store.seenIssue(project.id, key.issue), null);
      assert.equal(await store.moveSeenIssue(key, null, null), true);
    });

    it('forget the issues that were changed longest ago', async () => {
      const { store, project } = await setUp();
      const seen = (at: number): SeenIssue => ({
        ...{ projectId: project.id, issue: at.toString(16).padStart(32, '0') },
        ...{ state: 'closed', at, delivery: '' },
      });
      const all = Array.from({ length: MAX_SEEN_ISSUES }, (_, at) => seen(at + 1));
      assert.ok((await Promise.all(all.map((row) => store.moveSeenIssue(row, null, row)))).every(Boolean));
      const last = seen(MAX_SEEN_ISSUES + 1);
      assert.ok(await store.moveSeenIssue(last, null, last));
      const [first, second, newest] = [1, 2, MAX_SEEN_ISSUES + 1].map(seen);
      for (const [row, stays] of [
        [first, false],
        [second, true],
        [newest, true],
      ] as const) {
        assert.equal((await store.seenIssue(project.id, row?.issue ?? '')) !== null, stays);
      }
    });
  });
}
