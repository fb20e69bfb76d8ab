import assert from 'node:assert/strict';
import { MAX_ACTIVITY, MAX_NOTES_OF_ERROR } from '../../src/domain/errors/error-state.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { errorOf, listAll, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';

let people = 0;

async function makePerson(store: Store) {
  people += 1;
  const username = `triage${people}`;
  return store.createUser({ username, name: `Person ${people}`, admin: false, passwordHash: 'x' });
}

/** Assignees, notes and the activity log. */
export function triageContract(harness: () => StoreHarness): void {
  async function setUp() {
    const { store } = harness();
    const project = await makeProject(store);
    await new TestJournal(store).apply(['a', 'b'].map((group) => makeEvent(project, group, { group })));
    const [a, b] = [(await errorOf(store, project, 'a')).id, (await errorOf(store, project, 'b')).id];
    const [ada, bob] = [await makePerson(store), await makePerson(store)];
    await store.setMember(project.id, ada.id, 30);
    const shown = async (id: string) => {
      const error = await store.errorById(project.id, id, NOON);
      assert.ok(error !== null);
      return error;
    };
    const activity = async (id: string) => (await store.listActivity(project.id, id)) ?? [];
    return { store, project, a, b, ada, bob, shown, activity };
  }

  describe('assignees', () => {
    it('are members, shown in lists and details, until they are removed from the project', async () => {
      const { store, project, a, ada, bob, shown, activity } = await setUp();
      const assign = (id: number | null, now: number) => store.setAssignee(project.id, a, id, bob.id, now);
      await assert.rejects(assign(bob.id, NOON), { code: 'bad_request' });
      assert.equal(await assign(ada.id, NOON), true);
      const person = { id: ada.id, username: ada.username, name: ada.name };
      assert.deepEqual((await shown(a)).assignee, person);
      assert.deepEqual((await listAll(store, project)).find(({ id }) => id === a)?.assignee, person);
      await assign(ada.id, NOON + 1);
      const [entry, ...none] = await activity(a);
      assert.deepEqual([entry?.kind, entry?.user?.id, entry?.assignee, none], ['assigned', bob.id, person, []]);
      await store.removeMember(project.id, ada.id);
      assert.equal((await shown(a)).assignee, null);
      await store.setMember(project.id, ada.id, 30);
      assert.equal((await shown(a)).assignee, null);
      assert.deepEqual(
        (await activity(a)).map(({ kind }) => kind),
        ['unassigned', 'assigned'],
      );
      assert.equal(await store.setAssignee(project.id, '99999', null, null, NOON), false);
    });

    it('may read errors: Guests are refused, and a member that becomes one is unassigned', async () => {
      const { store, project, a, b, ada, bob, shown, activity } = await setUp();
      await store.setMember(project.id, bob.id, 10);
      const refused = { code: 'bad_request', message: /Guest .* role Reporter/ };
      await assert.rejects(store.setAssignee(project.id, a, bob.id, ada.id, NOON), refused);
      await assert.rejects(store.setAssignees(project.id, [a], bob.id, ada.id, NOON), refused);
      await store.setMember(project.id, bob.id, 20);
      await store.setAssignees(project.id, [a, b], bob.id, ada.id, NOON);
      await store.mergeErrors(project.id, [a, b]);
      await store.setMember(project.id, bob.id, 30);
      assert.equal((await shown(a)).assignee?.id, bob.id);
      await store.setMember(project.id, bob.id, 10);
      assert.equal((await shown(a)).assignee, null);
      assert.equal((await activity(a))[0]?.kind, 'unassigned');
    });

    it('of a merged error is that of the root, else that of a member', async () => {
      const { store, project, a, b, ada, shown } = await setUp();
      await store.setAssignee(project.id, b, ada.id, null, NOON);
      await store.mergeErrors(project.id, [a, b]);
      assert.equal((await shown(a)).assignee?.id, ada.id);
      await store.setAssignee(project.id, b, null, null, NOON);
      assert.equal((await shown(a)).assignee, null);
      const [listed] = await listAll(store, project);
      assert.deepEqual([listed?.id, listed?.assignee], [a, null]);
    });
  });

  describe('notes', () => {
    it('are listed oldest first, and deleted by their author or by users that may delete those of others', async () => {
      const { store, project, a, ada, bob, activity } = await setUp();
      const note = await store.addNote(project.id, a, ada.id, 'seen <b>this</b>', NOON);
      assert.deepEqual(
        { ...note, id: '' },
        {
          id: '',
          author: { id: ada.id, username: ada.username, name: ada.name },
          authorName: ada.name,
          at: NOON,
          text: 'seen <b>this</b>',
          imported: false,
        },
      );
      const second = await store.addNote(project.id, a, bob.id, 'me too', NOON + 1);
      assert.deepEqual(await store.listNotes(project.id, a), [note, second]);
      const remove = (id: string, userId: number, ofOthers = false) =>
        store.removeNote(project.id, a, id, { userId, ofOthers }, NOON + 2);
      assert.equal(await remove(note!.id, bob.id), 'not_own');
      assert.equal(await remove(note!.id, ada.id), 'removed');
      assert.equal(await remove(note!.id, ada.id), 'unknown');
      for (const odd of ['x', '', '0', '99999999999999999999']) assert.equal(await remove(odd, ada.id), 'unknown');
      assert.deepEqual(await store.listNotes(project.id, a), [second]);
      assert.equal(await remove(second!.id, ada.id, true), 'removed');
      assert.deepEqual(await store.listNotes(project.id, a), []);
      assert.deepEqual(
        (await activity(a)).map(({ kind, user }) => [kind, user?.id]),
        [
          ['note_removed', ada.id],
          ['note_removed', ada.id],
          ['note_added', bob.id],
          ['note_added', ada.id],
        ],
      );
      assert.equal(await store.addNote(project.id, '99999', ada.id, 'x', NOON), null);
      assert.equal(await store.listNotes(project.id, '99999'), null);
    });

    it('are those of all members of a merged error, and stay with them', async () => {
      const { store, project, a, b, ada } = await setUp();
      await store.addNote(project.id, b, ada.id, 'on b', NOON);
      await store.mergeErrors(project.id, [a, b]);
      const added = await store.addNote(project.id, b, ada.id, 'on both', NOON + 1);
      const texts = async (id: string) => (await store.listNotes(project.id, id))?.map(({ text }) => text);
      assert.deepEqual(await texts(a), ['on b', 'on both']);
      await store.unmergeErrors(project.id, a, null);
      assert.deepEqual([await texts(a), await texts(b)], [['on both'], ['on b']]);
      assert.equal(
        await store.removeNote(project.id, b, added!.id, { userId: ada.id, ofOthers: true }, NOON),
        'unknown',
      );
    });

    it('are unknown by an id that no note can have', async () => {
      const { store, project, a, ada } = await setUp();
      const ofOthers = { userId: ada.id, ofOthers: true };
      for (const id of ['', '0', '01', '-1', '1.0', '4294967296', '99999999999', '9007199254740993', 'x'])
        assert.equal(await store.removeNote(project.id, a, id, ofOthers, NOON), 'unknown', id);
    });

    it('are refused beyond the bound', async () => {
      const { store, project, a, ada } = await setUp();
      for (let each = 0; each < MAX_NOTES_OF_ERROR; each += 1) {
        await store.addNote(project.id, a, ada.id, `note ${each}`, NOON + each);
      }
      await assert.rejects(store.addNote(project.id, a, ada.id, 'one more', NOON), { code: 'conflict' });
    });
  });

  describe('the activity log', () => {
    it('names who did what, and shows that of all members of a merged error', async () => {
      const { store, project, a, b, ada, activity } = await setUp();
      await store.setErrorStatus(project.id, b, 'resolved', NOON + 1, { userId: ada.id });
      await store.setErrorStatus(project.id, b, 'resolved', NOON + 2, { userId: ada.id });
      await store.mergeErrors(project.id, [a, b], ada.id);
      const merged = await activity(a);
      assert.deepEqual(merged.map(({ kind, user }) => [kind, user?.username]).sort(), [
        ['merged', ada.username],
        ['resolved', ada.username],
      ]);
      assert.deepEqual(merged.find(({ kind }) => kind === 'merged')?.details, { errorIds: [b] });
      await store.unmergeErrors(project.id, b, null, ada.id);
      assert.deepEqual(
        (await activity(a)).map(({ kind }) => kind),
        ['unmerged'],
      );
      assert.deepEqual((await activity(b)).map(({ kind }) => kind).sort(), ['merged', 'resolved', 'unmerged']);
      assert.equal(await store.listActivity(project.id, '99999'), null);
    });

    it('keeps the newest entries', async () => {
      const { store, project, a, activity } = await setUp();
      for (let each = 0; each <= MAX_ACTIVITY + 1; each += 1) {
        await store.setErrorStatus(project.id, a, each % 2 === 0 ? 'resolved' : 'unresolved', NOON + each);
      }
      const entries = await activity(a);
      assert.deepEqual([entries.length, entries.at(-1)?.at], [MAX_ACTIVITY, NOON + 2]);
    });

    it('ends with the project', async () => {
      const { store, project, a, ada } = await setUp();
      await store.addNote(project.id, a, ada.id, 'x', NOON);
      await store.deleteProject(project.id);
      assert.equal(await store.listActivity(project.id, a), null);
    });
  });
}
