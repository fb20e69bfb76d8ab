import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
import { openChannelSecrets } from '../../../src/thirdparty/secrets/channel-secrets.ts';
import { startApp, type Answer, type RunningApp } from '../../support/app.ts';
import { givenMember, givenTrackedProject } from '../../support/factories.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const WEBHOOK = { type: 'webhook', name: 'Ops', url: 'https://hooks.example/in?key=hidden-part' };

describeOnStores('alert channels over REST', (kind) => {
  let app: RunningApp;
  let project: Project;
  let token: string;

  before(async () => {
    app = await startApp(kind);
  });
  after(() => app.close());
  beforeEach(async () => {
    project = await givenTrackedProject(app.store);
    ({ token } = await givenMember(app.store, project, 'maintainer'));
    app.alerts.outlooks = [];
  });
  afterEach(() => assert.doesNotMatch(JSON.stringify(app.log), /hidden-part|whsec_/));

  const path = (of = project) => `/api/v4/projects/${of.id}/error_tracking/alert_channels`;
  const post = (body: object): Promise<Answer> => app.ask('POST', path(), { token, body });
  const put = (id: number, body: object): Promise<Answer> => app.ask('PUT', `${path()}/${id}`, { token, body });
  const secretsOf = async (id: number) => {
    const channel = (await app.store.listChannels(project.id)).find((one) => one.id === id);
    return openChannelSecrets(app.trackers.cipher, channel!);
  };

  it('are made with a secret that is told once, and show only their host', async () => {
    const made = await post(WEBHOOK);
    assert.equal(made.status, 201);
    assert.equal(made.headers.get('Cache-Control'), 'no-store');
    const { secret, ...channel } = made.json();
    assert.match(secret, /^whsec_[\w+/]{43}=$/);
    assert.deepEqual(channel, {
      ...{ id: channel.id, type: 'webhook', name: 'Ops', host: 'hooks.example', enabled: true, disabled_reason: null },
      created_at: new Date(app.clock.at).toISOString(),
      outlook: {
        ...{ state: 'idle', next_at: null, reason: '', last_sent_at: null, failing_since: null, last_answer: null },
      },
    });
    const listed = await app.get(path(), token);
    assert.deepEqual(listed.json(), [channel]);
    assert.doesNotMatch(listed.text, /hidden-part|whsec_/);
    assert.deepEqual(await secretsOf(channel.id), { url: WEBHOOK.url, secret });
    const [stored] = await app.store.listChannels(project.id);
    assert.doesNotMatch(JSON.stringify(stored), /hidden-part|whsec_/);
  });

  it('take a secret of the maintainer, which no answer has', async () => {
    const made = await post({ ...WEBHOOK, secret: SECRET });
    assert.deepEqual([made.status, 'secret' in made.json()], [201, false]);
    assert.equal((await secretsOf(made.json().id)).secret, SECRET);
  });

  it('show when the next message goes out', async () => {
    const { id } = (await post(WEBHOOK)).json();
    const retry = { nextAt: 5000, reason: 'Tries again.', lastSentAt: null, failingSince: 1000, lastAnswer: '503' };
    app.alerts.outlooks = [{ destination: `channel:${id}`, name: 'Ops', state: 'retrying', ...retry }];
    assert.deepEqual((await app.get(path(), token)).json()[0].outlook, {
      ...{ state: 'retrying', next_at: '1970-01-01T00:00:05.000Z', reason: 'Tries again.', last_sent_at: null },
      ...{ failing_since: '1970-01-01T00:00:01.000Z', last_answer: '503' },
    });
  });

  it('change in part; a secret that is rotated signs for another day', async () => {
    const made = (await post(WEBHOOK)).json();
    const renamed = await put(made.id, { name: 'Renamed', enabled: false });
    assert.deepEqual(
      [renamed.json().name, renamed.json().enabled, 'secret' in renamed.json()],
      ['Renamed', false, false],
    );
    const moved = await put(made.id, { url: 'https://other.example/y' });
    assert.equal(moved.json().host, 'other.example');
    assert.deepEqual(await secretsOf(made.id), { url: 'https://other.example/y', secret: made.secret });

    const rotated = await put(made.id, { rotate_secret: true });
    const { secret } = rotated.json();
    assert.notEqual(secret, made.secret);
    const until = app.clock.at + 86_400_000;
    const expected = { url: 'https://other.example/y', secret, previous: { secret: made.secret, until } };
    assert.deepEqual(await secretsOf(made.id), expected);
    app.clock.at = until;
    await put(made.id, { url: 'https://third.example/z' });
    assert.deepEqual(await secretsOf(made.id), { url: 'https://third.example/z', secret });
  });

  it('keep a bearer token only for the host that it was entered for', async () => {
    for (const type of ['gitlab', 'alertmanager']) {
      const { id } = (await post({ type, name: type, url: 'https://one.example/a', secret: 'kept-token' })).json();
      assert.equal((await put(id, { url: 'https://one.example/b' })).status, 200);
      assert.equal((await secretsOf(id)).secret, 'kept-token');
      for (const url of ['https://two.example/b', 'http://one.example/b', 'https://one.example:8443/b']) {
        const refused = await put(id, { url });
        assert.deepEqual([refused.status, /^secret is missing/.test(refused.json().error)], [400, true], refused.text);
      }
      assert.equal((await put(id, { url: 'https://two.example/b', secret: 'other-token' })).status, 200);
      assert.deepEqual(
        [(await secretsOf(id)).secret, new URL((await secretsOf(id)).url).host],
        ['other-token', 'two.example'],
      );
    }
  });

  it('lose the reason why errgate switched them off when they are switched on', async () => {
    const { id } = (await post(WEBHOOK)).json();
    await app.store.updateChannel(project.id, id, { enabled: false, disabledReason: 'The receiver said 410.' });
    assert.equal((await app.get(path(), token)).json()[0].disabled_reason, 'The receiver said 410.');
    const on = (await put(id, { enabled: true })).json();
    assert.deepEqual([on.enabled, on.disabled_reason], [true, null]);
  });

  it('of every type are checked by its rules', async () => {
    for (const [body, host] of [
      [{ type: 'mail', name: 'm', url: 'a@one.example, b@two.example' }, 'one.example, two.example'],
      [{ type: 'slack', name: 's', url: 'https://hooks.slack.com/services/T/B/X' }, 'hooks.slack.com'],
      [{ type: 'mattermost', name: 'm', url: 'https://chat.example/hooks/x' }, 'chat.example'],
      [{ type: 'teams', name: 't', url: 'https://prod-1.logic.azure.com/workflows/x?sig=y' }, 'prod-1.logic.azure.com'],
      [{ type: 'discord', name: 'd', url: 'https://discord.com/api/webhooks/1/x' }, 'discord.com'],
      [{ type: 'alertmanager', name: 'a', url: 'http://127.0.0.1:9093' }, '127.0.0.1:9093'],
      [
        { type: 'gitlab', name: 'g', url: 'https://gitlab.example/alerts/notify.json', secret: 'key' },
        'gitlab.example',
      ],
    ] as const) {
      const made = await post(body);
      assert.deepEqual([made.status, made.json().host, 'secret' in made.json()], [201, host, false], made.text);
    }
    for (const [body, error] of [
      [{ ...WEBHOOK, url: 'http://10.1.2.3/x' }, /^url is blocked: Requests to the local network are not allowed/],
      [{ ...WEBHOOK, url: 'http://169.254.169.254/latest' }, /^url is blocked/],
      [{ ...WEBHOOK, url: 'ftp://hooks.example' }, /^url is invalid: enter an address that begins with https/],
      [{ ...WEBHOOK, url: 'https://me:pass@hooks.example' }, /^url is invalid: it must not contain a user name/],
      [{ ...WEBHOOK, secret: 'short' }, /^secret is invalid: use whsec_/],
      [{ type: 'mail', name: 'm', url: 'nobody' }, /^url is invalid: "nobody" is not a mail address/],
      [
        { type: 'slack', name: 's', url: 'https://hooks.slack.com/x', secret: 'x' },
        /^secret is not used by channels of/,
      ],
      [
        { type: 'gitlab', name: 'g', url: 'https://gitlab.example/x' },
        /^secret is missing: enter the authorization key/,
      ],
      [{ type: 'gitlab', name: 'g', url: 'https://gitlab.example/x', secret: 'a\r\nb' }, /^secret is invalid/],
      [{ ...WEBHOOK, type: 'pager' }, /^type must be one of mail, webhook, slack/],
      [{ ...WEBHOOK, name: '  ' }, /^name must be one line of text/],
      [{ type: 'webhook', name: 'x' }, /^url is missing/],
    ] as const) {
      const refused = await post(body);
      assert.deepEqual([refused.status, error.test(refused.json().error)], [400, true], refused.text);
      assert.doesNotMatch(refused.text, /hidden-part/);
    }
    const { id } = (await app.store.listChannels(project.id)).find(({ type }) => type === 'slack')!;
    assert.match(
      (await put(id, { rotate_secret: true })).json().error,
      /rotate_secret is for channels of the type webhook/,
    );
    assert.match((await put(id, { url: 'http://192.168.0.1/' })).json().error, /^url is blocked/);
  });

  it('are at most 20 per project', async () => {
    for (let index = 0; index < 20; index += 1)
      assert.equal((await post({ ...WEBHOOK, name: `c${index}` })).status, 201);
    assert.equal((await post(WEBHOOK)).status, 409);
  });

  it('are tested at once, and deleted', async () => {
    const { id } = (await post(WEBHOOK)).json();
    const tested = await app.ask('POST', `${path()}/${id}/test`, { token });
    const { to, state, answer, kind: messageKind } = tested.json();
    assert.deepEqual(
      [to, state, answer, messageKind],
      [{ kind: 'channel', id, name: 'Ops' }, 'sent', '200 OK', 'test'],
    );
    assert.equal((await app.ask('DELETE', `${path()}/${id}`, { token })).status, 204);
    assert.equal((await app.ask('DELETE', `${path()}/${id}`, { token })).status, 404);
    assert.deepEqual((await app.get(path(), token)).json(), []);
  });

  it('of another project do not exist here', async () => {
    const { id } = (await post(WEBHOOK)).json();
    const other = await givenTrackedProject(app.store);
    const { token: foreign } = await givenMember(app.store, other, 'owner');
    for (const [method, address, body] of [
      ['PUT', `${path(other)}/${id}`, { name: 'taken' }],
      ['PUT', `${path(other)}/${id}`, { rotate_secret: true }],
      ['POST', `${path(other)}/${id}/test`, undefined],
      ['DELETE', `${path(other)}/${id}`, undefined],
      ['DELETE', `${path(other)}/0`, undefined],
      ['PUT', `${path(other)}/x`, { name: 'taken' }],
    ] as const) {
      const answer = await app.ask(method, address, { token: foreign, ...(body === undefined ? {} : { body }) });
      assert.equal(answer.status, 404, `${method} ${address}`);
    }
    assert.equal((await app.get(path(), token)).json()[0].name, 'Ops');
    assert.deepEqual((await app.get(path(other), foreign)).json(), []);
  });

  it('do not take secrets from an address', async () => {
    const query = new URLSearchParams({ ...WEBHOOK, secret: SECRET }).toString();
    assert.match((await app.ask('POST', `${path()}?${query}`, { token, body: {} })).json().error, /type is missing/);
  });
});
