import assert from 'node:assert/strict';
import { SOURCE_TRACKERS } from '../support/fake-source/source-world.ts';
import { collect, idsIn, sdkEvent, useReader } from '../support/reader-world.ts';

const signal = new AbortController().signal;

for (const tracker of SOURCE_TRACKERS) {
  describe(`reader of ${tracker}`, () => {
    const w = useReader(tracker);

    it('finds its kind, projects and keys', async () => {
      w.source.world.addKey(w.shop, { publicKey: 'b'.repeat(32), active: false });
      assert.equal(w.reader.kind, tracker);
      const projects = await collect(w.reader.projects(signal));
      assert.deepEqual(
        projects.map(({ id, slug }) => [id, slug]).sort(),
        w.source.world.projects.map(({ id, slug }) => [id, slug]).sort(),
      );
      const keys = await collect(w.reader.keys('shop', signal));
      assert.deepEqual(
        keys.map(({ publicKey }) => publicKey),
        w.shop.keys.slice(0, tracker === 'bugsink' ? 1 : 2).map(({ publicKey }) => publicKey),
      );
      if (tracker !== 'bugsink') assert.equal(keys[1]?.active, false);
      w.source.assertClean();
    });

    it('neither misses nor repeats issues that move', async () => {
      const before = w.source.world.addIssues(w.shop, 730);
      const ids = new Set(before.map(({ id }) => id));
      let turn = 0;
      w.source.before = (request) => {
        if (!request.includes('issues')) return;
        turn += 1;
        w.now += 10;
        // Issues not read yet come to the head, and new ones come in.
        for (const index of [3, 111, 222, 333, 444, 555, 666, 729]) {
          const issue = before[(index * turn) % before.length];
          if (issue !== undefined) w.source.world.touch(issue, w.now + turn);
        }
        if (turn < 4) w.source.world.addIssue(w.shop, { value: `new ${turn}`, firstSeen: w.now });
      };
      const found = idsIn(await collect(w.reader.issues('shop', 'all', null, signal)));
      assert.equal(new Set(found).size, found.length, 'repeated');
      assert.deepEqual(
        [...ids].filter((id) => !found.includes(id)),
        [],
        'missed',
      );
      w.source.assertClean();
    });

    it('continues behind any page in a later process', async () => {
      const all = w.source.world.addIssues(w.shop, 620).map(({ id }) => id);
      const first: string[] = [];
      let next: string | null = null;
      for await (const page of w.reader.issues('shop', 'all', null, signal)) {
        first.push(...page.issues.map(({ id }) => id));
        next = page.next;
        if (first.length >= 200) break;
      }
      const later = await w.open();
      const rest = idsIn(await collect(later.issues('shop', 'all', next, signal)));
      later.close();
      assert.deepEqual(new Set([...first, ...rest]), new Set(all));
      if (tracker !== 'urgentry') assert.equal(first.length + rest.length, all.length);
      w.source.assertClean();
    });

    it('begins again when the tracker refuses an old position', async () => {
      w.source.world.addIssues(w.shop, 300);
      const [page] = await collect(w.reader.issues('shop', 'all', null, signal));
      const strange = Buffer.from(JSON.stringify(['project', 0, 0, 1, 'garbage'])).toString('base64url');
      assert.ok(page !== undefined);
      const found = idsIn(
        await collect(w.reader.issues('shop', 'all', tracker === 'bugsink' ? 'garbage' : strange, signal)),
      );
      assert.equal(new Set(found).size, 300);
    });

    it('reads counts, names, times, status and people of an issue', async () => {
      const issue = w.source.world.addIssue(w.shop, {
        bodies: [{ body: sdkEvent(1) }],
        count: 12_345,
        users: 17,
        status: 'resolved',
        statusDetails:
          tracker === 'bugsink' ? { inNextRelease: true } : { inRelease: 'shop@1.0.0', actor: { email: 'a@b.c' } },
        activity: [
          { type: 'set_resolved', at: w.now - 50_000 },
          { type: 'set_resolved_in_release', at: w.now - 20_000 },
        ],
        assignee: 'jane@example.com',
        shareId: 'abc123',
      });
      const [listed] = (await collect(w.reader.issues('shop', 'all', null, signal))).flatMap(({ issues }) => issues);
      const found = await w.reader.issue('shop', issue.id, signal);
      assert.equal(listed?.count, 12_345);
      assert.equal(found?.issue.count, 12_345);
      assert.equal(found.issue.isWhole, true);
      assert.equal(found.issue.status?.status, 'resolved');
      assert.doesNotMatch(found.issue.status.details ?? '', /a@b/);
      assert.match(found.issue.status.details ?? '', tracker === 'bugsink' ? /inNextRelease/ : /inRelease/);
      assert.ok(found.issue.externalIds.some(({ kind, value }) => kind === 'short_id' && value === issue.shortId));
      assert.match(found.issue.url ?? '', new RegExp(`^${w.source.origin}/.*${issue.id}`));
      assert.ok(Math.abs(found.at - w.now) < 5000);
      if (tracker === 'sentry') {
        assert.equal(found.issue.status.changedAt, w.now - 20_000);
        assert.equal(found.issue.assignee, 'jane@example.com');
        assert.equal(found.issue.users, 17);
        assert.equal(
          found.issue.days.reduce((sum, [, count]) => sum + count, 0),
          12_345,
        );
        assert.equal(found.issue.firstRelease, 'shop@1.0.0');
      }
      if (tracker === 'glitchtip') assert.equal(found.issue.users, null);
      w.source.assertClean();
    });

    it('leaves a base alone that the tracker does not tell', async () => {
      const issue = w.source.world.addIssue(w.shop);
      Object.assign(issue, { count: undefined });
      const found = await w.reader.issue('shop', issue.id, signal);
      assert.equal(found?.issue.count, null);
    });

    it('follows a project that is renamed between two pages', async () => {
      await collect(w.reader.projects(signal));
      const all = w.source.world.addIssues(w.shop, 620).map(({ id }) => id);
      const found: string[] = [];
      for await (const page of w.reader.issues('shop', 'all', null, signal)) {
        found.push(...page.issues.map(({ id }) => id));
        if (w.shop.slug === 'shop') {
          w.source.world.rename(w.shop, 'web-shop');
          // Another project may take the old name.
          if (tracker === 'glitchtip') w.source.world.addIssues(w.source.world.addProject('shop', { id: '99' }), 3);
        }
      }
      assert.deepEqual(found.sort(), all.sort());
      const keys = await collect(w.reader.keys('shop', signal));
      assert.deepEqual(
        keys.map(({ publicKey }) => publicKey),
        [w.shop.keys[0]?.publicKey],
      );
    });

    it('reads comments, reports, releases, days and rules as far as the tracker has them', async () => {
      const at = w.now - 3_600_000;
      const issue = w.source.world.addIssue(w.shop, { bodies: [{ body: sdkEvent(1) }] });
      issue.notes.push({ id: '1', author: 'ada', at, text: 'seen again' });
      issue.reports.push({
        id: '1',
        eventId: sdkEvent(1).event_id as string,
        name: 'Bob',
        email: 'b@example.com',
        comments: 'it broke',
        at,
      });
      w.shop.releases.push({ version: 'shop@1.0.0', firstSeen: at, lastSeen: at + 1000 });
      w.shop.rules.push({ name: 'New errors', condition: 'An error is new', action: 'email' });
      const comments = await w.reader.comments('shop', issue.id, signal);
      const reports = await w.reader.reports('shop', issue.id, signal);
      assert.deepEqual(
        comments.map(({ text }) => text),
        ['seen again'],
      );
      assert.deepEqual(
        reports.map(({ comments: text }) => text),
        tracker === 'bugsink' ? [] : ['it broke'],
      );
      const releases = await collect(w.reader.releases('shop', signal));
      assert.deepEqual(
        releases.map(({ release }) => release),
        ['shop@1.0.0'],
      );
      const rules = await w.reader.alertRules('shop', signal);
      assert.equal(rules.length, 1);
      assert.doesNotMatch(rules.join(), /hooks/);
      const days = await w.reader.days('shop', signal);
      assert.equal(
        days?.reduce((sum, [, count]) => sum + count, 0),
        1,
      );
      const found = await w.reader.issueOfEvent('shop', sdkEvent(1).event_id as string, signal);
      assert.equal(found, issue.id);
      assert.equal(await w.reader.issueOfEvent('shop', 'f'.repeat(32), signal), null);
      w.source.assertClean();
    });

    it('reads members of the organization, each address once, and without bad ones', async () => {
      const member = (email: string, name: string, role = 'member') => ({ email, name, role });
      const many = Array.from({ length: 1005 }, (_, index) => member(`m${index}@shop.example`, `M${index}`));
      w.source.world.members.push(
        member('Ada@shop.example', 'Ada\u001b[31m\nLovelace', 'owner'),
        member('ada@shop.example', 'again'),
        member('invited@shop.example', 'invited@shop.example', 'x'.repeat(5000)),
        member('no address', 'Eve'),
        member(`${'x'.repeat(300)}@shop.example`, 'Long'),
      );
      const first = await w.reader.members(signal);
      w.source.world.members.push(...many);
      const all = await w.reader.members(signal);
      if (tracker === 'bugsink') {
        assert.deepEqual([first, all], [[], []]);
        assert.match(w.reader.cannot.join('\n'), /members: Bugsink has no list/);
        return;
      }
      assert.deepEqual(
        first.map(({ email, role }) => [email, (role ?? '').length <= 64]),
        [
          ['ada@shop.example', true],
          ['invited@shop.example', true],
        ],
      );
      assert.doesNotMatch(first[0]?.name ?? '', /[\u0000-\u001f]/);
      assert.deepEqual([first[0]?.role, first[1]?.name], ['owner', null]);
      // Five rows were the bad and repeated ones, of the first 1,000 rows.
      assert.equal(all.length, 997);
      assert.match(w.reader.cannot.join('\n'), /members beyond the first 1000/);
      w.source.assertClean();
    });

    it('answers a merged issue under its new id, and a gone one with null', async () => {
      const [one, other] = w.source.world.addIssues(w.shop, 2);
      if (one === undefined || other === undefined) throw new Error('no issues');
      w.source.world.merge(one, other);
      const found = await w.reader.issue('shop', one.id, signal);
      assert.equal(found?.issue.id, other.id);
      if (tracker !== 'bugsink') {
        assert.deepEqual(
          found.issue.externalIds.filter(({ kind }) => kind === 'issue').map(({ value }) => value),
          [other.id, one.id],
        );
      }
      w.source.world.remove(other);
      assert.equal(await w.reader.issue('shop', one.id, signal), null);
    });

    it('does not take an id that another project has now', async () => {
      await collect(w.reader.projects(signal));
      const [issue] = w.source.world.addIssues(w.shop, 1);
      if (issue === undefined) throw new Error('no issue');
      w.source.world.remove(issue);
      const other = w.source.world.projects.find(({ slug }) => slug === 'other');
      if (other === undefined) throw new Error('no project');
      w.source.world.addIssue(other, { id: issue.id });
      assert.equal(await w.reader.issue('shop', issue.id, signal), null);
    });
  });
}
