import assert from 'node:assert/strict';
import { startGithub } from '../../support/fake-hosts/github-host.ts';
import { answer, type HostAnswer } from '../../support/fake-hosts/issue-host.ts';
import { LINK, linkWorlds, refusal, TOKEN, trackerOf } from '../../support/link-world.ts';
import { describeOnStores } from '../../support/test-stores.ts';

describeOnStores('linked issues of errors', (kind) => {
  const world = linkWorlds(kind);

  it('link an issue by its address, once, and remove the link', async () => {
    const w = world();
    assert.deepEqual((await w.issues('GET')).json(), []);
    const url = 'https://bugs.example.test/issues/7';
    const added = await w.issues('POST', '', { url: ` ${url} `, title: ' Shop\nis  down ' });
    assert.equal(added.status, 201, added.text);
    const { id, created_at: at, ...shown } = added.json();
    const { id: userId, username, name } = w.people.developer.user;
    assert.deepEqual(shown, { url, title: 'Shop is down', user: { id: userId, username, name } });
    assert.equal(Date.parse(at), w.app.clock.at);
    assert.deepEqual((await w.issues('POST', '', { url })).json(), added.json());
    const second = (await w.issues('POST', '', { url: `${url}8` })).json();
    assert.equal(second.title, `${url}8`);
    assert.deepEqual((await w.issues('GET', '', undefined, w.people.reporter)).json(), [added.json(), second]);
    assert.equal((await w.issues('POST', '', { url }, w.people.reporter)).status, 403);
    assert.equal((await w.issues('DELETE', `/${id}`, undefined, w.people.reporter)).status, 403);
    assert.equal((await w.issues('DELETE', `/${id}`)).status, 204);
    for (const path of [`/${id}`, '/0', '/x']) assert.equal((await w.issues('DELETE', path)).status, 404);
    assert.deepEqual((await w.issues('GET')).json(), [second]);
    const log = (await w.app.get(`${w.base}/errors/${w.errorId}/activity`, w.people.reporter.token)).json();
    assert.deepEqual(
      log.map((entry: Record<string, unknown>) => [entry.kind, entry.issue_url, entry.issue_title]),
      [
        ['issue_unlinked', url, 'Shop is down'],
        ['issue_linked', `${url}8`, `${url}8`],
        ['issue_linked', url, 'Shop is down'],
      ],
    );
  });

  it('refuse addresses and bodies that cannot be one', async () => {
    const w = world();
    for (const [body, why] of [
      [{}, /url is missing/],
      [{ url: 'javascript:alert(1)' }, /url is invalid/],
      [{ url: 'data:text/html,x' }, /url is invalid/],
      [{ url: '//git.test/1' }, /url is invalid/],
      [{ url: 'https://u:p@git.test/1' }, /url is invalid/],
      [{ url: 'https://git.test/\u202e1' }, /url is invalid/],
      [{ url: `https://git.test/${'x'.repeat(1000)}` }, /url/],
      [{ url: 'https://git.test/1', create: true, title: 'x' }, /cannot be combined/],
      [{ url: 'https://git.test/1', description: 'x' }, /description is for create only/],
      [{ create: true }, /title is missing/],
      [{ create: true, title: ' ' }, /title is missing/],
      [{ create: true, title: 'x'.repeat(201) }, /title/],
      [{ create: true, title: 'x', description: 'a\0b' }, /description is invalid/],
      [{ create: true, title: 'x' }, /no issue tracker with a token/],
    ] as const) {
      assert.match(await refusal(w.issues('POST', '', body), 400), why, JSON.stringify(body));
    }
    await w.tracked(LINK);
    assert.match(await refusal(w.create(), 400), /no issue tracker with a token/);
    assert.equal((await w.app.get(`${w.base}/errors/999/issues`, w.people.developer.token)).status, 404);
  });

  it('make issues on GitLab and GitHub, and link them', async () => {
    const w = world();
    const fake = await w.gitlab();
    await w.tracked(trackerOf({ url: `${fake.url}/api/v4/` }));
    const made = await w.create();
    assert.equal(made.status, 201, made.text);
    assert.equal(made.json().url, `${fake.url}/group/sub/shop/-/issues/1`);
    assert.deepEqual(fake.issues, [{ title: 'It fails', description: '**Why**' }]);
    const github = await w.host(startGithub({ token: TOKEN, project: 'acme/shop' }));
    await w.tracked(trackerOf(github, { kind: 'github', project: 'acme/shop' }));
    const second = await w.create({ title: 'Again' });
    assert.equal(second.json().url, `${github.url}/acme/shop/issues/1`);
    assert.deepEqual(github.issues, [{ title: 'Again', description: '**Why**' }]);
    const listed = (await w.issues('GET')).json();
    assert.deepEqual(listed.map(({ title }: { title: string }) => title), ['It fails', 'Again']); // prettier-ignore
  });

  it('say why the host made no issue, and never show or log the token', async () => {
    const w = world();
    const fake = await w.gitlab();
    await w.tracked(trackerOf(fake));
    const elsewhere = await w.gitlab();
    const soon = String(Math.floor(w.app.clock.at / 1000) + 600);
    const echo = `the token ${TOKEN} is bad`;
    for (const [given, why] of [
      [answer(401, { message: echo }), /does not accept the token.*\(it says: the token \[hidden\] is bad\)/],
      [answer(403, { message: '403 Forbidden' }), /does not allow this: give it the scope api/],
      [
        answer(403, { message: 'limit' }, { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': soon }),
        /try again in 10 minutes/,
      ],
      [answer(403, { message: 'slow down' }, { 'Retry-After': '30' }), /try again in 30 seconds/],
      [answer(404, { message: '404 Project Not Found' }), /shows this token no project group\/sub\/shop/],
      [answer(410, { message: 'gone' }), /issues are switched off/],
      [answer(422, { message: 'Validation Failed' }), /did not accept the issue \(it says: Validation Failed\)/],
      [answer(400, { message: { title: ['is bad'] } }), /did not accept the issue \(it says: title: is bad\)/],
      [answer(429, {}, { 'Retry-After': '7' }), /try again in 7 seconds/],
      [answer(500, 'oops'), /error of its own with status 500; try again later/],
      [answer(302, '', { Location: `${elsewhere.url}/login?x=${TOKEN}` }), /where the token is not sent/],
      [answer(308, '', { Location: `${elsewhere.url}/moved` }), /sends to http:.*\/moved, where the token is not sent/],
      [answer(200, '<html>sign in</html>'), /is none of GitLab.*the issue may exist/],
      [answer(201, { web_url: 'javascript:alert(1)', title: 'x' }), /did not answer with an issue.*may exist/],
      [answer(201, { iid: 1 }), /did not answer with an issue/],
      [answer(201, { web_url: `https://x.test/${'x'.repeat(2_000_000)}` }), /is none of GitLab/],
    ] as readonly (readonly [HostAnswer, RegExp])[]) {
      fake.instead = () => given;
      const got = await w.create();
      assert.equal(got.status, 502, got.text);
      assert.equal(got.json().code, 'issue_host_failed');
      assert.match(got.json().message, why);
      assert.ok(!got.text.includes(TOKEN), got.text);
    }
    assert.equal(elsewhere.requests.length, 0, 'no redirect is followed');
    fake.instead = null;
    fake.close();
    assert.match(await refusal(w.create(), 502), /nothing listens at this address$/);
    assert.deepEqual((await w.issues('GET')).json(), []);
    assert.ok(!JSON.stringify(w.app.log).includes(TOKEN), 'the log has no token');
  });

  it('give up on a host that does not answer, and say that the issue may exist', async () => {
    const w = world();
    const fake = await w.gitlab();
    await w.tracked(trackerOf(fake));
    fake.instead = () => answer(200, null);
    assert.match(await refusal(w.create(), 502), /no answer within .* seconds; the issue may exist/);
  });

  it('make no issue that could not be linked', async () => {
    const w = world();
    const fake = await w.gitlab();
    await w.tracked(trackerOf(fake));
    for (let number = 0; number < 20; number += 1) {
      assert.equal((await w.issues('POST', '', { url: `https://git.test/${number}` })).status, 201);
    }
    assert.equal((await w.create()).status, 409);
    assert.equal((await w.issues('POST', '', { url: 'https://git.test/more' })).status, 409);
    assert.deepEqual(fake.issues, []);
    assert.equal(fake.requests.length, 0);
  });
});
