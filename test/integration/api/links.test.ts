import assert from 'node:assert/strict';
import { givenProject } from '../../support/factories.ts';
import { startGithub } from '../../support/fake-hosts/github-host.ts';
import { LINK, linkWorlds, NO_LINKS, refusal, TOKEN, trackerOf } from '../../support/link-world.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const REPOSITORY = {
  url_template: 'https://git.example.test/shop/-/blob/{ref}/{path}#L{line}',
  default_ref: 'main',
  ref_template: 'v{version}',
  prefixes: [{ from: '/app/', to: 'src/' }],
};

describeOnStores('links of a project', (kind) => {
  const world = linkWorlds(kind);

  it('are set by Maintainers, and read by Reporters without the token', async () => {
    const w = world();
    assert.deepEqual(await w.links(), NO_LINKS);
    const fake = await w.gitlab();
    const saved = await w.put({ repository: REPOSITORY, issue_tracker: trackerOf(fake) });
    assert.equal(saved.status, 200, saved.text);
    const shown = {
      repository: REPOSITORY,
      issue_tracker: {
        ...{ kind: 'gitlab', new_issue_url: '', api_url: fake.url, project: 'group/sub/shop', has_token: true },
      },
    };
    assert.deepEqual(saved.json(), shown);
    const read = await w.app.get(`${w.base}/links`, w.people.reporter.token);
    assert.deepEqual(read.json(), shown);
    assert.ok(!read.text.includes(TOKEN));
    const { sealedToken } = await w.app.store.projectLinks(w.project.id);
    assert.ok(sealedToken !== null && !sealedToken.includes(TOKEN), 'the token is encrypted');
    assert.equal((await w.put(NO_LINKS, w.people.developer)).status, 403);
    assert.equal((await w.put(NO_LINKS)).status, 200);
    assert.deepEqual(await w.links(), NO_LINKS);
  });

  it('keep the token for its host only', async () => {
    const w = world();
    const [fake, other] = [await w.gitlab(), await w.gitlab()];
    await w.tracked(trackerOf(fake));
    const { token: _, ...without } = trackerOf(fake, { project: 'group/other' });
    const kept = await w.put({ repository: null, issue_tracker: without });
    assert.equal(kept.json().issue_tracker.has_token, true);
    for (const moved of [
      { ...without, api_url: other.url },
      { ...without, kind: 'github', project: 'a/b' },
    ]) {
      const why = await refusal(w.put({ repository: null, issue_tracker: moved }), 400);
      assert.match(why, /issue_tracker\.token is missing: the stored one belongs to the host before/);
      assert.match(await refusal(w.test(moved), 400), /the stored one belongs to the host before/);
    }
    assert.equal(other.requests.length, 0);
    const removed = await w.put({ repository: null, issue_tracker: { ...without, token: null } });
    assert.equal(removed.json().issue_tracker.has_token, false);
    await w.tracked(LINK);
    assert.equal((await w.app.store.projectLinks(w.project.id)).sealedToken, null);
  });

  it('refuse what cannot be a link', async () => {
    const w = world();
    const repository = (given: object) => ({ repository: { ...REPOSITORY, ...given }, issue_tracker: null });
    const tracker = (given: object) => ({
      repository: null,
      issue_tracker: { ...trackerOf({ url: 'https://git.example.test' }), ...given },
    });
    for (const [body, why] of [
      [{ repository: null }, /issue_tracker is missing/],
      [repository({ url_template: 'javascript:alert({path})' }), /url_template is invalid/],
      [repository({ url_template: 'https://user:pw@git.test/{path}' }), /url_template is invalid/],
      [repository({ url_template: 'https://{path}.test/' }), /placeholder in its host/],
      [repository({ url_template: 'https://git.test/{file}' }), /unknown placeholder \{file\}/],
      [repository({ url_template: 'https://git.test/blob' }), /lacks the placeholder \{path\}/],
      [repository({ url_template: 'https://git.test/ {path}' }), /url_template is invalid/],
      [repository({ default_ref: ' ' }), /default_ref is empty/],
      [repository({ default_ref: 'a b' }), /default_ref is invalid/],
      [repository({ ref_template: 'main' }), /ref_template has no or another placeholder/],
      [repository({ prefixes: [{ from: '/a', to: '../../b' }] }), /prefixes must not lead out/],
      [repository({ prefixes: Array.from({ length: 21 }, () => ({ from: '/', to: '' })) }), /prefixes/],
      [tracker({ kind: 'jira' }), /kind/],
      [tracker({ api_url: null }), /api_url is invalid/],
      [tracker({ api_url: 'ftp://git.test' }), /api_url is invalid/],
      [tracker({ api_url: 'http://localhost:1' }), /api_url is blocked: .*ERRGATE_OUTBOUND_ALLOW=localhost:1/],
      [tracker({ api_url: 'http://169.254.169.254/' }), /api_url is blocked/],
      [tracker({ project: '../../users' }), /project is invalid/],
      [tracker({ project: 'a?b' }), /project is invalid/],
      [tracker({ kind: 'github', project: 'only' }), /use owner\/repository/],
      [tracker({ token: 'two words' }), /token is invalid/],
      [tracker({ ...LINK, api_url: null, project: null, token: 'x' }), /token is not for the kind link/],
      [{ repository: null, issue_tracker: { ...LINK, new_issue_url: '' } }, /new_issue_url is empty/],
      [{ repository: null, issue_tracker: { ...LINK, new_issue_url: 'https://x.test/{path}' } }, /unknown placeholder/],
    ] as const) {
      assert.match(await refusal(w.put(body), 400), why, JSON.stringify(body));
    }
    assert.deepEqual(await w.links(), NO_LINKS);
  });

  it('are tested with the host, which makes nothing', async () => {
    const w = world();
    const fake = await w.gitlab();
    assert.match(
      (await w.test(trackerOf(fake))).json().message,
      /accepts the token, and it can see group\/sub\/shop\.$/,
    );
    await w.tracked(trackerOf(fake));
    const { token: _, ...without } = trackerOf(fake);
    assert.equal((await w.test(without)).status, 200, 'with the stored token');
    assert.deepEqual([fake.issues, fake.requests.filter(({ method }) => method !== 'GET')], [[], []]);
    const reads = await w.gitlab({ scopes: ['read_api'] });
    assert.match(await refusal(w.test(trackerOf(reads)), 502), /only the scope read_api: give it the scope api/);
    const old = await w.gitlab({ scopes: null });
    assert.match((await w.test(trackerOf(old))).json().message, /does not tell whether/);
    assert.match(
      await refusal(w.test(trackerOf(await w.gitlab({ issuesAccess: 'disabled' }))), 502),
      /issues are switched off/,
    );
    assert.match(await refusal(w.test(trackerOf(await w.gitlab({ archived: true }))), 502), /archived/);
    assert.match(await refusal(w.test(trackerOf(fake, { token: 'wrong' })), 502), /does not accept the token/);
    assert.match(await refusal(w.test(trackerOf(fake, { project: 'group/none' })), 502), /no project group\/none/);
    assert.match(await refusal(w.test(LINK), 400), /enter a token to test/);
    assert.equal((await w.test(trackerOf(fake), w.people.developer)).status, 403);

    const github = (given: object) => w.host(startGithub({ token: TOKEN, project: 'acme/shop', ...given }));
    const asGithub = { kind: 'github', project: 'acme/shop' };
    const fine = await w.test(trackerOf(await github({ scopes: ['repo'] }), asGithub));
    assert.match(fine.json().message, /can see acme\/shop\.$/);
    assert.match((await w.test(trackerOf(await github({}), asGithub))).json().message, /does not tell whether/);
    const narrow = { scopes: ['public_repo', 'gist'] };
    assert.match(
      await refusal(w.test(trackerOf(await github(narrow), asGithub)), 502),
      /only the scope public_repo, gist/,
    );
    assert.equal((await w.test(trackerOf(await github({ ...narrow, isPrivate: false }), asGithub))).status, 200);
    assert.match(await refusal(w.test(trackerOf(await github({ hasIssues: false }), asGithub)), 502), /switched off/);
  });

  it('of errors are left to an external tracker, while links are for its projects too', async () => {
    const w = world();
    const linked = await givenProject(w.app.store);
    await w.app.store.setMember(linked.id, w.people.maintainer.user.id, 40);
    const apiUrl = 'https://tracker.example/api/0/projects/o/p/';
    await w.app.store.saveSettings(linked.id, { active: true, integrated: false, apiUrl });
    const at = `/api/v4/projects/${linked.id}/error_tracking`;
    for (const method of ['GET', 'POST']) {
      const asked = await w.app.ask(method, `${at}/errors/1/issues`, { token: w.people.maintainer.token });
      assert.equal(asked.json().code, 'unsupported_by_tracker');
    }
    const body = { repository: REPOSITORY, issue_tracker: null };
    assert.equal((await w.app.ask('PUT', `${at}/links`, { token: w.people.maintainer.token, body })).status, 200);
    assert.deepEqual((await w.app.get(`${at}/links`, w.people.maintainer.token)).json().repository, REPOSITORY);
  });
});
