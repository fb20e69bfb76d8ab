import assert from 'node:assert/strict';
import type { Store } from '../../../src/domain/ports/stores/store.ts';
import type { FakeSource } from '../../support/fake-source/fake-source.ts';
import type { SourceProject } from '../../support/fake-source/source-records.ts';
import { faults } from '../../support/fake-tracker/faults.ts';
import { bodyOf, eventIdFor, useImportShop } from '../../support/import-shop.ts';
import { IMPORT_TOKEN, importInto, liveEvent, pictureOf } from '../../support/import-world.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const LETTERS = 'a b c d e f g h i j'.split(' ');

describeOnStores('import of a tracker', (kind) => {
  let source: FakeSource;
  let store: Store;
  let shop: SourceProject;

  const { projectAt } = useImportShop(kind, (made) => {
    ({ source, shop, store } = made);
  });

  function addIssues(): void {
    for (const [index, name] of LETTERS.entries()) {
      source.world.addIssue(shop, {
        bodies: [{ body: bodyOf(name), at: Date.now() - 86_400_000 }],
        count: 100 * index + 1,
        status: index % 3 === 0 ? 'resolved' : index % 3 === 1 ? 'unresolved' : 'ignored',
      });
    }
  }

  it('brings keys, ids and counts along, and a second run changes nothing', async () => {
    addIssues();
    source.world.addKey(shop, { active: false, label: 'Old' });
    shop.releases.push({ version: 'shop@1.0', firstSeen: 1_700_000_000_000, lastSeen: 1_700_000_100_000 });
    const summary = await importInto(store, source);
    assert.deepEqual([summary.state, summary.complete, summary.imported, summary.updated], ['done', true, 10, 0]);
    assert.deepEqual(summary.joined, { event_id: 0, group_key: 10, likeness: 0 });
    const project = await projectAt('acme/shop');
    const picture = await pictureOf(store, project);
    assert.deepEqual(
      picture.map(({ issue, count, status: state }) => [issue, count, state]),
      [...shop.issues.values()].map(({ id, count, status: state }) => [id, count, state]).sort(),
    );
    assert.deepEqual(
      (await store.listKeys(project.id)).map(({ publicKey, active }) => [publicKey, active]),
      shop.keys.map(({ publicKey, active }) => [publicKey, active]),
    );
    assert.deepEqual(await store.listAliases(project.id), ['4711']);
    assert.deepEqual(await store.settings(project.id).then((settings) => [settings?.active, settings?.integrated]), [
      true,
      true,
    ]);
    const again = await importInto(store, source);
    assert.deepEqual([again.state, again.imported, again.updated], ['done', 0, 10]);
    assert.deepEqual(again.joined, summary.joined);
    assert.deepEqual(await pictureOf(store, project), picture);
    source.assertClean();
  });

  it('counts the next live event of each error in it', async () => {
    addIssues();
    await importInto(store, source);
    const project = await projectAt('acme/shop');
    for (const name of LETTERS) await liveEvent(store, project, bodyOf(name), eventIdFor(`live ${name}`));
    assert.deepEqual(
      (await pictureOf(store, project)).map(({ issue, count }) => [issue, count]),
      [...shop.issues.values()].map(({ id, count }) => [id, count + 1]).sort(),
    );
  });

  it('counts events once that both systems got, in any order of run and event', async () => {
    const issue = source.world.addIssue(shop, { bodies: [{ body: bodyOf('a') }], count: 40 });
    const far = Date.now() + 3_600_000;
    await importInto(store, source, { options: { bothReceiveUntil: far } });
    const project = await projectAt('acme/shop');
    for (let turn = 0; turn < 3; turn += 1) {
      for (let event = 0; event < 4; event += 1) {
        const id = eventIdFor(`both ${turn} ${event}`);
        source.world.receive(shop, { ...bodyOf('a'), event_id: id });
        await liveEvent(store, project, bodyOf('a'), id);
      }
      // One that only the tracker got.
      source.world.receive(shop, { ...bodyOf('a'), event_id: eventIdFor(`there ${turn}`) });
      const summary = await importInto(store, source);
      assert.equal(summary.waiting, 0);
      assert.deepEqual(
        (await pictureOf(store, project)).map(({ issue: id, count }) => [id, count]),
        [[issue.id, issue.count]],
      );
    }
    assert.equal(issue.count, 40 + 3 * 5);
  });

  it('counts an error with several group keys once, and lists those to which no event leads', async () => {
    const issue = source.world.addIssue(shop, { bodies: [{ body: bodyOf('a'), at: Date.now() - 86_400_000 }] });
    issue.notes.push({ id: '1', author: 'Ada', at: Date.now() - 1000, text: 'look at this' });
    source.world.addIssue(shop, { bodies: [], count: 7 });
    const first = await importInto(store, source);
    assert.deepEqual([first.joined.group_key, first.unjoined, first.projects[0]?.notes], [1, 1, 1]);
    for (const name of ['b', 'c']) {
      const [id, at] = [eventIdFor(name), Date.now()];
      issue.events.push({ id, at, receivedAt: at, hash: eventIdFor(`hash ${name}`), body: bodyOf(name) });
      source.world.touch(issue);
    }
    const again = await importInto(store, source);
    assert.deepEqual([again.joined.group_key, again.unjoined, again.projects[0]?.notes], [1, 1, 1]);
  });

  it('binds errors that began here before the import by the ids of their events', async () => {
    const body = bodyOf('a', { fingerprint: ['there'] });
    const issue = source.world.addIssue(shop, { bodies: [], count: 7 });
    await importInto(store, source, { options: { only: ['projects', 'keys'] } });
    const project = await projectAt('acme/shop');
    for (const id of ['one', 'two'].map(eventIdFor)) {
      await liveEvent(store, project, body, id);
      issue.events.push({
        id,
        at: Date.now(),
        receivedAt: Date.now(),
        hash: eventIdFor('hash'),
        body: bodyOf('other'),
      });
      shop.known.set(id, issue);
      source.world.touch(issue);
    }
    const summary = await importInto(store, source, { options: { eventsPerError: 0, resemblance: false } });
    assert.deepEqual(summary.joined, { event_id: 1, group_key: 1, likeness: 0 });
    assert.deepEqual(
      (await pictureOf(store, project)).map(({ count }) => count),
      [9],
    );
  });

  it('joins an error by likeness, says so, and does not repeat it after it was separated', async () => {
    const there = bodyOf('a');
    const here = bodyOf('a', { fingerprint: ['{{ default }}', 'v2'] });
    source.world.addIssue(shop, { bodies: [{ body: there }], count: 5 });
    await importInto(store, source);
    const project = await projectAt('acme/shop');
    await liveEvent(store, project, here, eventIdFor('live'));
    assert.equal((await pictureOf(store, project)).length, 2);
    const summary = await importInto(store, source);
    assert.deepEqual(summary.joined, { event_id: 0, group_key: 1, likeness: 1 });
    assert.equal(summary.unjoined, 0);
    const [joined] = await pictureOf(store, project);
    assert.equal(joined?.count, 6);
    assert.match(JSON.stringify(joined.origin), /joined by likeness/);
    const [issueId = ''] = shop.issues.keys();
    const [error] = await store.findByExternalId(project.id, issueId);
    await store.unmergeErrors(project.id, error!.errorId, null);
    await importInto(store, source);
    assert.equal((await pictureOf(store, project)).length, 2);
  });

  it('leaves errors apart that only look alike when told so', async () => {
    source.world.addIssue(shop, { bodies: [{ body: bodyOf('a') }], count: 5 });
    await importInto(store, source);
    const project = await projectAt('acme/shop');
    await liveEvent(store, project, bodyOf('a', { fingerprint: ['v2'] }), eventIdFor('live'));
    const summary = await importInto(store, source, { options: { resemblance: false } });
    assert.equal(summary.joined.likeness, 0);
    assert.equal((await pictureOf(store, project)).length, 2);
  });

  for (const order of ['owner first', 'owner last']) {
    it(`gives a key of two issues to the unresolved one, ${order}`, async () => {
      const bodies = [{ body: bodyOf('a') }];
      const add = (state: string, count: number) => source.world.addIssue(shop, { bodies, status: state, count });
      const [one, two] = order === 'owner first' ? ['resolved', 'unresolved'] : ['unresolved', 'resolved'];
      add(one, 10);
      add(two, 20);
      const summary = await importInto(store, source);
      assert.equal(summary.projects[0]!.conflicts, 1);
      const project = await projectAt('acme/shop');
      await liveEvent(store, project, bodyOf('a'), eventIdFor('live'));
      const grown = (await pictureOf(store, project)).filter(({ count }) => count % 10 === 1);
      assert.deepEqual(
        grown.map(({ status: state }) => state),
        ['unresolved'],
      );
      await importInto(store, source);
      assert.equal((await pictureOf(store, project)).length, 2);
    });
  }

  it('merges issues with one key when told so', async () => {
    for (const count of [10, 20]) source.world.addIssue(shop, { bodies: [{ body: bodyOf('a') }], count });
    await importInto(store, source, { options: { onConflict: 'merge' } });
    const project = await projectAt('acme/shop');
    await store.rollUpMerged();
    assert.deepEqual(
      (await pictureOf(store, project)).map(({ count }) => count),
      [30],
    );
  });

  it('never merges two issues that share a message', async () => {
    const body = { platform: 'python', level: 'error', message: 'disk is full' };
    for (const count of [10, 20]) source.world.addIssue(shop, { bodies: [{ body }], count });
    const summary = await importInto(store, source, { options: { onConflict: 'merge' } });
    assert.equal(summary.projects[0]!.conflicts, 1);
    assert.equal((await pictureOf(store, await projectAt('acme/shop'))).length, 2);
  });

  it('refuses a key of another project here, lists it, and goes on', async () => {
    const other = await store.createProject({ path: 'mine/own', name: 'own', visibility: 'private' });
    await store.createKey(other.id, shop.keys[0]!.publicKey);
    addIssues();
    const summary = await importInto(store, source);
    assert.deepEqual([summary.state, summary.complete, summary.imported, summary.left], ['failed', false, 10, 1]);
    assert.match(summary.message, /^1 left: key "Key 1" of shop; the reasons are listed/);
    assert.match(
      summary.left_outs.map(({ what, reason }) => `${what}: ${reason}`).join(),
      /Key 1.*belongs to mine\/own/,
    );
    assert.ok(!JSON.stringify(summary).includes(shop.keys[0]!.publicKey));
    assert.deepEqual(await store.listKeys((await projectAt('acme/shop')).id), []);
  });

  it('finds a project again that was renamed on either side', async () => {
    addIssues();
    await importInto(store, source);
    const project = await projectAt('acme/shop');
    await store.updateProject(project.id, { path: 'team/store' });
    source.world.rename(shop, 'store');
    const again = await importInto(store, source);
    assert.deepEqual([again.state, again.imported, again.updated], ['done', 0, 10]);
    assert.deepEqual(
      again.projects.map(({ path }) => path),
      ['team/store'],
    );
  });

  it('says which scope a token lacks, and brings the part along when it has it', async () => {
    addIssues();
    source.world.addToken(IMPORT_TOKEN, ['org:read', 'project:read']);
    const first = await importInto(store, source);
    assert.deepEqual([first.state, first.imported, first.complete], ['failed', 0, false]);
    assert.match(JSON.stringify(first.left_outs), /scope event:read/);
    source.world.addToken(IMPORT_TOKEN, ['org:read', 'project:read', 'event:read']);
    const second = await importInto(store, source);
    assert.deepEqual([second.state, second.imported, second.left], ['failed', 10, 1]);
    assert.match(second.message, /^1 left: members; the reasons/);
    source.world.addToken(IMPORT_TOKEN);
    const third = await importInto(store, source);
    assert.deepEqual([third.state, third.complete, third.left], ['done', true, 0]);
  });

  it('asks for an error four times, and keeps the bodies of its 20 newest events', async () => {
    const firstAt = Date.now() - 86_400_000;
    for (const name of LETTERS) {
      const bodies = Array.from({ length: 20 }, (_, index) => ({
        body: bodyOf(name),
        at: firstAt + index * 1000,
        hash: eventIdFor(name),
      }));
      source.world.addIssue(shop, { bodies, firstSeen: firstAt, count: 20 });
    }
    const [only] = (await importInto(store, source)).projects;
    assert.deepEqual([only?.events, only?.joined.group_key], [20 * LETTERS.length, LETTERS.length]);
    const asked = source.requests.filter((request) => /\/issues\/\w+\/|\/events\//.test(request));
    assert.ok(asked.length <= 4 * LETTERS.length, `${asked.length} requests\n${asked.slice(0, 8).join('\n')}`);
  });

  it('asks for an error six times when the tracker has more events, or has removed some', async () => {
    const bodies = Array.from({ length: 30 }, (_, index) => ({
      body: bodyOf('old'),
      at: Date.now() - 86_400_000 + index * 1000,
      hash: eventIdFor('old'),
    }));
    source.world.addIssue(shop, { bodies, firstSeen: Date.now() - 200 * 86_400_000, count: 4711 });
    await importInto(store, source);
    const asked = source.requests.filter((request) => /\/issues\/\w+\/|\/events\//.test(request));
    assert.ok(asked.length <= 6, asked.join('\n'));
  });

  it('joins events of each group key below one hash of the tracker', async () => {
    const names = ['b', 'b', 'a', 'c', 'a', 'b', 'b'];
    const bodies = names.map((name, index) => ({
      body: bodyOf(name),
      at: Date.now() - 86_400_000 + index * 1000,
      hash: eventIdFor('one'),
    }));
    const issue = source.world.addIssue(shop, { bodies, count: 100 });
    await importInto(store, source);
    const project = await projectAt('acme/shop');
    for (const name of ['a', 'b', 'c']) await liveEvent(store, project, bodyOf(name), eventIdFor(`live ${name}`));
    const picture = await pictureOf(store, project);
    assert.deepEqual(
      picture.map((row) => [row.issue, row.count]),
      [[issue.id, 103]],
    );
  });

  it('goes on where it was when the tracker fails in the middle', async () => {
    addIssues();
    source.fail(faults.status(500), /\/events\/\?/);
    const broken = await importInto(store, source);
    assert.equal(broken.state, 'failed');
    assert.match(broken.message, /run it again/);
    source.heal();
    const whole = await importInto(store, source);
    assert.deepEqual([whole.state, whole.updated, whole.joined.group_key], ['done', 10, 10]);
  });
});
