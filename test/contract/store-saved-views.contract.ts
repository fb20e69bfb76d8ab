import assert from 'node:assert/strict';
import { MAX_FAVOURITES, MAX_SAVED_VIEWS } from '../../src/domain/search/saved-view.ts';
import { makeProject } from '../support/store-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';

let people = 0;

/** What a person sets for a project: saved views and favourites. */
export function savedViewsContract(harness: () => StoreHarness): void {
  async function setUp() {
    const { store } = harness();
    const project = await makeProject(store);
    const makePerson = async () => {
      people += 1;
      const user = await store.createUser({ username: `views${people}`, name: 'V', admin: false, passwordHash: 'x' });
      await store.setMember(project.id, user.id, 20);
      return user.id;
    };
    const [ada, bob] = [await makePerson(), await makePerson()];
    const save = (userId: number, name: string, query = 'status=all', isDefault = false) =>
      store.saveView(project.id, userId, { name, query, isDefault });
    const views = (userId: number) => store.savedViews(project.id, userId);
    return { store, project, ada, bob, save, views };
  }

  describe('saved views', () => {
    it('are those of one person in one project, by name', async () => {
      const { store, project, ada, bob, save, views } = await setUp();
      const [fatal, browser] = [await save(ada, 'Fatal'), await save(ada, 'Browser', 'search=x')];
      const ofBob = await save(bob, 'Fatal');
      assert.notEqual(fatal.id, ofBob.id);
      assert.deepEqual(await views(ada), [browser, fatal]);
      assert.deepEqual(await views(bob), [ofBob]);
      assert.deepEqual(await store.savedViews((await makeProject(store)).id, ada), []);
      assert.equal(await store.removeView(project.id, bob, fatal.id), false);
      assert.equal(await store.removeView(project.id, ada, fatal.id), true);
      assert.equal(await store.removeView(project.id, ada, fatal.id), false);
      assert.deepEqual(await views(ada), [browser]);
      assert.deepEqual(await views(bob), [ofBob]);
    });

    it('are replaced by their name, and one is the default', async () => {
      const { ada, save, views } = await setUp();
      const one = await save(ada, 'One', 'status=all', true);
      const two = await save(ada, 'Two', 'status=resolved', true);
      assert.deepEqual(await views(ada), [{ ...one, isDefault: false }, two]);
      const again = await save(ada, 'One', 'search=a%26b', true);
      assert.deepEqual(again, { id: one.id, name: 'One', query: 'search=a%26b', isDefault: true });
      assert.deepEqual(await views(ada), [again, { ...two, isDefault: false }]);
      await save(ada, 'One', 'search=a');
      assert.ok((await views(ada)).every(({ isDefault }) => !isDefault));
    });

    it('have a maximum, and all of them are kept when they are saved at the same time', async () => {
      const { ada, save, views } = await setUp();
      const names = Array.from({ length: MAX_SAVED_VIEWS }, (_, index) => `view ${index}`);
      for (let begin = 0; begin < names.length; begin += 5) {
        await Promise.all(names.slice(begin, begin + 5).map((name) => save(ada, name)));
      }
      assert.deepEqual((await views(ada)).map(({ name }) => name), [...names].sort()); // prettier-ignore
      assert.equal(new Set((await views(ada)).map(({ id }) => id)).size, MAX_SAVED_VIEWS);
      const before = await views(ada);
      await assert.rejects(save(ada, 'one more', 'status=all', true), { code: 'conflict' });
      assert.deepEqual(await views(ada), before);
      await save(ada, 'view 7', 'search=other');
      assert.equal((await views(ada)).length, MAX_SAVED_VIEWS);
    });

    it('go when the person is removed from the project, or the project is deleted', async () => {
      const { store, project, ada, bob, save, views } = await setUp();
      for (const userId of [ada, bob]) {
        await save(userId, 'Mine');
        await store.setFavourite(userId, project.id, true);
      }
      await store.removeMember(project.id, ada);
      await store.setMember(project.id, ada, 20);
      assert.deepEqual([await views(ada), await store.favourites(ada)], [[], []]);
      assert.equal((await views(bob)).length, 1);
      assert.deepEqual(await store.favourites(bob), [project.id]);
      await store.deleteProject(project.id);
      assert.deepEqual([await views(bob), await store.favourites(bob)], [[], []]);
      await assert.rejects(save(bob, 'Late'), { code: 'project_not_found' });
      await assert.rejects(store.setFavourite(bob, project.id, true), { code: 'project_not_found' });
    });
  });

  describe('favourites', () => {
    it('are the projects that a person marked', async () => {
      const { store, project, ada, bob } = await setUp();
      const other = await makeProject(store);
      for (const { id } of [other, project, project]) await store.setFavourite(ada, id, true);
      assert.deepEqual(await store.favourites(ada), [project.id, other.id]);
      assert.deepEqual(await store.favourites(bob), []);
      for (let times = 0; times < 2; times += 1) await store.setFavourite(ada, project.id, false);
      assert.deepEqual(await store.favourites(ada), [other.id]);
    });

    it('have a maximum', async () => {
      const { store, project, ada } = await setUp();
      const ids: number[] = [];
      while (ids.length < MAX_FAVOURITES) {
        const made = await Promise.all(Array.from({ length: 40 }, () => makeProject(store)));
        await Promise.all(made.map(({ id }) => store.setFavourite(ada, id, true)));
        ids.push(...made.map(({ id }) => id));
      }
      await assert.rejects(store.setFavourite(ada, project.id, true), { code: 'conflict' });
      await store.setFavourite(ada, ids[0] ?? 0, true);
      await store.setFavourite(ada, ids[0] ?? 0, false);
      await store.setFavourite(ada, project.id, true);
      assert.equal((await store.favourites(ada)).length, MAX_FAVOURITES);
    });
  });
}
