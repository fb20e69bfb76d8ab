import assert from 'node:assert/strict';
import { MAX_BULK_STEP } from '../../../src/domain/ports/stores/list-store.ts';
import { givenEvents } from '../../support/factories.ts';
import { HOOK, HookWorld } from '../../support/hook-world.ts';
import { issueUrl, makeIssueEvent, signedHeaders } from '../../support/issue-events.ts';
import { linkWorlds, refusal } from '../../support/link-world.ts';
import { describeOnStores } from '../../support/test-stores.ts';

describeOnStores('webhooks of GitLab issues', (kind) => {
  const world = linkWorlds(kind);
  let h: HookWorld;
  beforeEach(async () => {
    h = await HookWorld.open(world());
  });

  it('resolve the error of a closed issue and reopen that of a reopened one, in the name of the issue', async () => {
    const answer = await h.send();
    assert.deepEqual([answer.status, answer.json()], [200, { changed: 1, message: '1 error became resolved.' }]);
    assert.equal(await h.status(), 'resolved');
    assert.equal(await h.changed({ action: 'reopen' }), 1);
    assert.equal(await h.status(), 'unresolved');
    const [reopened, resolved] = await h.activity();
    for (const [entry, status] of [
      [resolved, 'resolved'],
      [reopened, 'unresolved'],
    ] as const) {
      const { kind: what, user, issue_url: url, issue_title: title } = entry ?? {};
      assert.deepEqual([what, user, url, title], [status, null, issueUrl(12), 'The shop is down']);
    }
  });

  it('leave a regression as it is for every resolved error', async () => {
    const { app, project } = h.w;
    assert.equal(await h.changed(), 1);
    await givenEvents(app.store, project, [{ at: app.clock.at + 5000 }]);
    assert.equal(await h.status(), 'unresolved');
    const [newest] = await h.activity();
    assert.equal(newest?.kind, 'regressed');
    assert.equal(await h.changed(), 1, 'closed again');
  });

  it('take the secret in X-Gitlab-Token too, and refuse what has neither', async () => {
    const { app, project } = h.w;
    const body = JSON.stringify(makeIssueEvent({ at: app.clock.at }));
    const seconds = Math.floor(app.clock.at / 1000);
    const signed = signedHeaders(body, h.secret, 'one', seconds);
    const wrong = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    for (const [headers, what] of [
      [{}, 'nothing'],
      [{ 'x-gitlab-token': wrong }, 'another secret'],
      [{ 'x-gitlab-token': h.secret.slice(0, -1) }, 'a part of the secret'],
      [signedHeaders(body, wrong, 'one', seconds), 'a signature by another secret'],
      [{ ...signed, 'x-gitlab-token': h.secret, 'webhook-signature': 'v1,x' }, 'a wrong signature beside the secret'],
      [{ ...signed, 'webhook-id': 'two' }, 'another id'],
      [{ ...signed, 'webhook-timestamp': String(seconds + 1) }, 'another time'],
      [{ ...signed, 'webhook-timestamp': 'soon' }, 'no time'],
      [signedHeaders(`${body} `, h.secret, 'one', seconds), 'another body'],
      [signedHeaders(body, h.secret, 'one', seconds - 301), 'an old one'],
      [signedHeaders(body, h.secret, 'one', seconds + 301), 'one of the future'],
    ] as const) {
      assert.match(await refusal(h.post(body, headers), 401), /turn it on in the settings/, what);
    }
    const unknown = `/api/v4/projects/${project.id + 999}/error_tracking`;
    for (const base of [unknown, '/api/v4/projects/none%2Fof%20these/error_tracking']) {
      assert.equal((await h.post(body, signed, base)).status, 401, base);
    }
    assert.equal(await h.status(), 'unresolved');
    assert.equal((await h.post(body, { 'x-gitlab-token': h.secret })).json().changed, 1);
    const { values } = await app.deps.metrics.issueHooks.get();
    const refused = values.find(({ labels }) => labels.outcome === 'refused');
    assert.ok((refused?.value ?? 0) >= 12);
  });

  it('refuse a repeated request and a change that came too late, so that neither takes anything back', async () => {
    const { app } = h.w;
    const closed = app.clock.at + 1000;
    assert.equal((await h.send({}, { id: 'once' })).status, 200);
    await h.set('unresolved');
    assert.match(await refusal(h.send({ at: closed }, { id: 'once' }), 409), /taken before/);
    assert.equal((await h.send({ at: closed })).json().message, 'This change of the issue was taken before.');
    assert.equal(await h.changed({ action: 'reopen' }), 0);
    assert.match(await refusal(h.send({ at: closed }), 409), /newer change/);
    assert.match(await refusal(h.send({ at: closed }, { id: 'once' }), 409), /newer change/);
    assert.equal(await h.status(), 'unresolved');
  });

  it('come at the same time, and leave the state of the newest', async () => {
    const { app } = h.w;
    const at = app.clock.at + 1000;
    const answers = await Promise.all([
      h.send({ at }),
      h.send({ at: at + 1, action: 'reopen' }),
      h.send({ at: at + 2 }),
      h.send({ at }),
    ]);
    assert.ok(answers.every(({ status }) => status === 200 || status === 409));
    assert.ok((await h.activity()).filter(({ kind: what }) => what === 'resolved').length <= 2);
    assert.match(await refusal(h.send({ at: at + 1, action: 'reopen' }), 409), /newer change/);
  });

  it('change every error with the issue, under any form of its address, and merged ones once', async () => {
    const { w } = h;
    await givenEvents(
      w.app.store,
      w.project,
      ['two', 'three', 'four'].map((group) => ({ group, at: w.app.clock.at })),
    );
    const listed = (await w.app.get(`${w.base}/errors`, w.people.reporter.token)).json() as { id: string }[];
    const ids = listed.map(({ id }) => id).filter((id) => id !== w.errorId);
    const forms = ['/-/work_items/12#note_7', '/issues/12/?x=1', '/-/issues/120'];
    for (const [index, id] of ids.entries()) {
      const body = { url: `https://GIT.test:443/group/sub/shop${forms[index]}` };
      const path = `${w.base}/errors/${id}/issues`;
      assert.equal((await w.app.ask('POST', path, { token: w.people.developer.token, body })).status, 201);
    }
    const [two = '', three = '', other = ''] = ids;
    await w.app.store.mergeErrors(w.project.id, [two, w.errorId]);
    assert.equal(await h.changed(), 2);
    assert.deepEqual(await Promise.all([w.errorId, three, other].map((id) => h.status(id))), [
      ...['resolved', 'resolved', 'unresolved'],
    ]);
    await w.app.store.unmergeErrors(w.project.id, w.errorId, null);
    assert.equal(await h.status(two), 'resolved');
  });

  it('change more errors than one step of the store takes', async () => {
    const { app, project, people } = h.w;
    const groups = Array.from({ length: MAX_BULK_STEP }, (_, index) => ({ at: app.clock.at, group: `many ${index}` }));
    await givenEvents(app.store, project, groups);
    const every = { status: 'all', search: null, environment: null, release: null, level: null } as const;
    const listed = await app.store.matchingErrors(project.id, every, 0, 1000, app.clock.at);
    const issue = { url: issueUrl(12), title: 'x' };
    for (const { errorId } of listed) {
      await app.store.addLinkedIssue(project.id, errorId, issue, people.developer.user.id, app.clock.at);
    }
    assert.equal(await h.changed(), MAX_BULK_STEP + 1);
  });

  it('change nothing for what is not a change of the state of a linked issue', async () => {
    const elsewhere = 'https://git.example/group/sub/shop/-/issues/12';
    for (const [options, why] of [
      [{ action: null }, /does not close or reopen/],
      [{ action: 'update', attributes: { state: 'closed' } }, /does not close or reopen/],
      [{ action: 'open' }, /does not close or reopen/],
      [{ more: { object_kind: 'note' } }, /not about an issue/],
      [{ attributes: { moved_to_id: 9 } }, /was moved/],
      [{ attributes: { duplicated_to_id: 9 } }, /as a duplicate/],
      [{ number: 13 }, /No error is linked/],
      [{ number: 120 }, /No error is linked/],
      [{ attributes: { url: elsewhere } }, /No error is linked/],
      [{ attributes: { url: 'http://git.test/group/sub/shop/-/issues/12' } }, /No error is linked/],
      [{ attributes: { url: 'https://git.test/group/sub/-/issues/12' } }, /No error is linked/],
      [{ attributes: { url: 'https://git.test/group/sub/shop/-/merge_requests/12' } }, /no form that is known/],
      [{ attributes: { url: 'no address' } }, /no form that is known/],
      [{ action: 'reopen' }, /None of the errors .* is resolved/],
    ] as const) {
      const answer = await h.send(options);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.json().changed, 0);
      assert.match(answer.json().message, why);
    }
    assert.equal(await h.status(), 'unresolved');
    assert.equal((await h.activity()).length, 1);
  });

  it('know work items, confidential issues, old times, and a state that changed with other members', async () => {
    const { app } = h.w;
    const workItem = { attributes: { url: 'https://git.test/group/sub/shop/-/work_items/12', type: 'Task' } };
    assert.equal(await h.changed({ ...workItem, more: { object_kind: 'work_item', event_type: 'work_item' } }), 1);
    assert.equal(await h.changed({ action: 'reopen', more: { event_type: 'confidential_issue' } }), 1);
    const changes = { changes: { state_id: { previous: 1, current: 2 } } };
    assert.equal(await h.changed({ action: 'update', attributes: { state: 'closed' }, more: changes }), 1);
    const updated = new Date(Math.ceil(app.clock.at / 1000) * 1000 + 1000).toISOString();
    const old = `${updated.slice(0, 10)} ${updated.slice(11, 19)} UTC`;
    assert.equal(await h.changed({ action: 'reopen', attributes: { updated_at: old } }), 1);
  });

  it('leave ignored errors, and those that a person resolved or reopened, in their own state', async () => {
    await h.set('ignored');
    assert.equal(await h.changed(), 0);
    assert.equal(await h.changed({ action: 'reopen' }), 0);
    assert.equal(await h.status(), 'ignored');
    await h.set('resolved');
    assert.equal(await h.changed(), 0);
  });

  it('answer what is no event of issues with 400, and a body that is too large with 413', async () => {
    const { app } = h.w;
    const seconds = Math.floor(app.clock.at / 1000);
    const event = makeIssueEvent({ at: app.clock.at });
    const without = (name: string) => ({ ...event, object_attributes: { ...event.object_attributes, [name]: null } });
    for (const body of [
      ...['', '[]', 'null', '{', '\u0000', '{"object_kind":"issue"}'],
      JSON.stringify({ ...event, object_attributes: [] }),
      JSON.stringify(without('url')),
      JSON.stringify(without('updated_at')),
      JSON.stringify(makeIssueEvent({ at: app.clock.at + 600_000 })),
      JSON.stringify(makeIssueEvent({ at: 0, attributes: { url: `https://git.test/${'x'.repeat(1000)}` } })),
    ]) {
      await refusal(h.post(body, signedHeaders(body, h.secret, 'bad', seconds)), 400);
    }
    const long = JSON.stringify({ ...event, description: 'x'.repeat(2 * 1024 * 1024) });
    assert.equal((await h.post(long, signedHeaders(long, h.secret, 'long', seconds))).status, 413);
    assert.equal(await h.status(), 'unresolved');
  });

  it('keep the title of a confidential issue out of the activity', async () => {
    assert.equal(await h.changed({ attributes: { confidential: true, title: 'A leak' } }), 1);
    const [resolved] = await h.activity();
    assert.deepEqual([resolved?.kind, resolved?.issue_url], ['resolved', issueUrl(12)]);
    assert.doesNotMatch(JSON.stringify(resolved), /leak/);
  });

  it('change nothing while error tracking is off or an external tracker has the errors', async () => {
    const { app, base, people, project } = h.w;
    const { token } = people.maintainer;
    await app.ask('PATCH', `${base}/settings`, { token, body: { active: false } });
    assert.match((await h.send()).json().message, /is off/);
    const link = {
      active: true,
      api_host: 'https://tracker.example',
      token: 'x1',
      organization_slug: 'acme',
      project_slug: 'shop',
    };
    assert.equal((await app.ask('PUT', `${base}/settings/thirdparty`, { token, body: link })).status, 200);
    assert.match((await h.send()).json().message, /external tracker/);
    assert.equal(await app.store.seenIssue(project.id, '0'.repeat(32)), null);
  });

  it('are turned on by a Maintainer, with a secret that is shown once, and off', async () => {
    const { app, base, people, project } = h.w;
    const { token } = people.maintainer;
    const url = `https://errors.example.test/api/v4/projects/${project.id}/error_tracking/hooks/gitlab`;
    const read = await app.get(base + HOOK, people.reporter.token);
    assert.deepEqual([read.json().enabled, read.json().url, read.json().secret], [true, url, undefined]);
    assert.ok(!(await app.store.issueHook(project.id))?.sealed.includes(h.secret));
    for (const method of ['PUT', 'DELETE']) {
      assert.equal((await app.ask(method, base + HOOK, { token: people.developer.token, body: {} })).status, 403);
    }
    for (const secret of ['short', 'whsec_short', `whsec_${'%'.repeat(44)}`]) {
      await refusal(app.ask('PUT', base + HOOK, { token, body: { secret } }), 400);
    }
    const own = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
    const changed = await app.ask('PUT', base + HOOK, { token, body: { secret: own } });
    assert.deepEqual([changed.json().secret, changed.headers.get('cache-control')], [own, 'no-store']);
    assert.equal((await h.send()).status, 401, 'the former secret');
    assert.equal((await app.ask('DELETE', base + HOOK, { token })).status, 204);
    assert.equal((await app.ask('DELETE', base + HOOK, { token })).status, 204);
    assert.equal((await app.get(base + HOOK, token)).json().enabled, false);
    const body = JSON.stringify(makeIssueEvent({ at: app.clock.at }));
    assert.equal((await h.post(body, { 'x-gitlab-token': own })).status, 401);
  });
});
