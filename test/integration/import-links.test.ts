import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { CommandPlace } from '../support/command-place.ts';
import { makeLinks } from '../support/link-data.ts';
import { errorOf, makeProject, TestJournal } from '../support/store-data.ts';
import { grouped, START } from '../support/store-to-export.ts';
import { describeOnEveryStore, SQLITE } from '../support/test-stores.ts';

describeOnEveryStore('links in an export, of', (kind, suite) => {
  suite.timeout(60_000);
  let folder = '';
  let from: CommandPlace;
  let to: CommandPlace;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'errgate-links-'));
    from = new CommandPlace(kind, folder, 'from');
    to = new CommandPlace(SQLITE, folder, 'to');
    // The same ids as there mean something else here.
    await to.done('project', 'create', 'acme/first');
    await from.done('project', 'create', 'acme/other');
    const store = await from.open();
    const shop = await makeProject(store, 'acme/shop');
    await new TestJournal(store).apply([grouped(shop, 'one', 'bad value in one')]);
    const eve = { username: 'eve', name: 'Eve', email: 'eve@example.test', admin: false, passwordHash: 'x' };
    const user = await store.createUser(eve);
    await store.setProjectLinks(shop.id, makeLinks());
    const { id } = await errorOf(store, shop, 'one');
    for (const number of [1, 2]) {
      const issue = { url: `https://git.test/issues/${number}`, title: `Issue ${number}` };
      await store.addLinkedIssue(shop.id, id, issue, user.id, START + number);
    }
    await from.done('export', '--to', join(folder, 'all'));
    const mail = { username: 'evi', name: 'Evi', email: 'EVE@example.test', admin: false, passwordHash: 'x' };
    const here = await to.open();
    const member = await here.createUser(mail);
    await here.setMember((await makeProject(here, 'acme/shop')).id, member.id, 30);
  });
  after(async () => {
    for (const each of [from, to]) await each.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  async function read(store: Store) {
    const shop = (await store.projectByPath('acme/shop'))?.project;
    assert.ok(shop !== undefined);
    const issues = (await store.linkedIssues(shop.id, (await errorOf(store, shop, 'one')).id)) ?? [];
    const people = new Map((await store.listUsers()).map(({ id, name }) => [id, name]));
    return {
      links: await store.projectLinks(shop.id),
      issues: issues.map(({ url, title, at, userId }) => [url, title, at, people.get(userId ?? 0)]),
    };
  }

  it('come along without the token, once, and by the e-mail address of who linked them', async () => {
    const text = readFileSync(join(folder, 'all', 'projects.ndjson'), 'utf8');
    assert.doesNotMatch(text, /sealed|token/i);
    for (let times = 0; times < 2; times += 1) {
      await to.done('import', '--from-export', join(folder, 'all'));
      const { links, issues } = await read(await to.open());
      const { issueTracker, ...same } = makeLinks();
      assert.ok(issueTracker !== null);
      assert.deepEqual(links, { ...same, issueTracker: { ...issueTracker, hasToken: false }, sealedToken: null });
      assert.deepEqual(issues, [
        ['https://git.test/issues/1', 'Issue 1', START + 1, 'Evi'],
        ['https://git.test/issues/2', 'Issue 2', START + 2, 'Evi'],
      ]);
    }
  });

  it('do not replace links that the project has here', async () => {
    const store = await to.open();
    const shop = (await store.projectByPath('acme/shop'))?.project;
    const own = makeLinks({ sealedToken: 'own' });
    await store.setProjectLinks(shop?.id ?? 0, own);
    await to.done('import', '--from-export', join(folder, 'all'));
    assert.deepEqual(await store.projectLinks(shop?.id ?? 0), own);
  });
});
