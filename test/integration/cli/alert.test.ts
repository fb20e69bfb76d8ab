import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Store } from '../../../src/domain/ports/stores/store.ts';
import { systemClock } from '../../../src/domain/ports/clock.ts';
import { openStore } from '../../../src/storage/open/open-store.ts';
import { createChannelSetup } from '../../../src/thirdparty/setup/channel-setup.ts';
import { createTokenCipher } from '../../../src/thirdparty/secrets/encrypted-token.ts';
import { parseSecretKey } from '../../../src/thirdparty/secrets/key-ring.ts';
import { createUrlGuard } from '../../../src/thirdparty/guard/url-guard.ts';
import { useCliSandbox } from '../../support/cli-sandbox.ts';
import { startReceiver } from '../../support/fake-receivers/receiver.ts';
import { startMailServer } from '../../support/mail-server.ts';

const KEY = 'ab'.repeat(32);

describe('errgate alert', () => {
  const sandbox = useCliSandbox();
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let status = 200;

  beforeEach(async () => {
    status = 200;
    receiver = await startReceiver(({ path }) => ({ status: path === '/gone' ? 503 : status, body: 'said so' }));
    const { current } = sandbox;
    current.env['ERRGATE_SECRET_KEY'] = KEY;
    current.env['ERRGATE_OUTBOUND_ALLOW'] = '127.0.0.1';
    await current.done('project', 'create', 'acme/shop');
  });
  afterEach(() => receiver.close());

  async function inStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const store = await openStore({ url: 'sqlite:', dataDir: join(sandbox.current.folder, 'data') });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }

  const givenWebhook = (name: string, path: string) =>
    inStore(async (store) => {
      const cipher = createTokenCipher(() => [parseSecretKey(KEY)!], 'alert channel');
      const setup = createChannelSetup({
        store,
        cipher,
        guard: createUrlGuard({ allow: '127.0.0.1' }),
        clock: systemClock,
      });
      return (await setup.create(1, { type: 'webhook', name, url: `${receiver.url}${path}`, secret: null })).channel;
    });

  it('sends a test to every channel of a project, or to one, and says what they answered', async () => {
    const errgate = sandbox.current;
    await errgate.fails(
      1,
      /the project has no alert channel; `--user NAME`/,
      'alert',
      'test',
      '--project',
      'acme/shop',
    );
    const [one, two] = [await givenWebhook('one', '/one?key=hidden-part'), await givenWebhook('two', '/gone')];
    const { code, stdout, stderr } = await errgate.run('alert', 'test', '--project', 'acme/shop');
    assert.equal(code, 1, stderr);
    assert.match(stdout, /^one: sent: .*200.*\ntwo: failed: .*503/);
    assert.doesNotMatch(stdout + stderr, /hidden-part|whsec_/);
    assert.deepEqual(receiver.received.map(({ path }) => path).sort(), ['/gone', '/one?key=hidden-part']);
    assert.match(await errgate.done('alert', 'test', 'acme/shop', '--channel', String(one.id)), /^one: sent: /);
    await errgate.fails(1, /has no alert channel 99/, 'alert', 'test', 'acme/shop', '--channel', '99');
    await errgate.fails(2, /Use a whole number/, 'alert', 'test', 'acme/shop', '--channel', 'x');

    const listed = await errgate.list('alert', 'list');
    assert.deepEqual(
      listed.map(({ id, project, type, name, enabled }) => [id, project, type, name, enabled]),
      [
        [one.id, 'acme/shop', 'webhook', 'one', true],
        [two.id, 'acme/shop', 'webhook', 'two', true],
      ],
    );
    assert.match(await errgate.done('alert', 'list'), /127\.0\.0\.1:\d+/);
  });

  it('lists what became of messages, and sends a failed one again with the same id', async () => {
    const errgate = sandbox.current;
    await givenWebhook('ops', '/in');
    status = 500;
    assert.equal((await errgate.run('alert', 'test', 'acme/shop')).code, 1);
    const [failed] = await errgate.list('alert', 'deliveries', 'acme/shop');
    const { id, name, state } = failed!;
    assert.deepEqual([name, state], ['ops', 'failed']);
    status = 200;
    assert.match(await errgate.done('alert', 'resend', 'acme/shop', String(id)), /^ops: sent: /);
    assert.deepEqual(
      receiver.received.map(({ headers }) => headers['webhook-id']),
      [id, id],
    );
    const [sent, ...others] = await errgate.list('alert', 'deliveries', 'acme/shop', '--limit', '5');
    assert.deepEqual([sent!['state'], sent!['attempts'], others], ['sent', 2, []]);
    await errgate.fails(1, /Only a message that failed can be sent again/, 'alert', 'resend', 'acme/shop', String(id));
    await errgate.fails(1, /acme\/shop has no message msg_x/, 'alert', 'resend', 'acme/shop', 'msg_x');
  });

  it('sends a test by mail to a person', async () => {
    const errgate = sandbox.current;
    await errgate.done('user', 'create', 'ann', '--email', 'ann@example.com');
    const test = ['alert', 'test', 'acme/shop', '--user', 'ann'];
    await errgate.fails(1, /Mail is not configured/, ...test);
    const mail = await startMailServer({ disabledCommands: ['STARTTLS'] });
    try {
      errgate.env['ERRGATE_MAIL_URL'] = `smtp://127.0.0.1:${mail.port}`;
      errgate.env['ERRGATE_EXTERNAL_URL'] = 'https://errors.example.com';
      assert.match(await errgate.done(...test), /^ann: sent: /);
    } finally {
      await mail.close();
    }
    assert.deepEqual(
      mail.mails.map(({ to }) => to),
      [['ann@example.com']],
    );
    assert.match(
      mail.mails[0]!.raw,
      /List-Unsubscribe:\s+<https:\/\/errors\.example\.com\/-\/alerts\/unsubscribe\?token=/,
    );
  });
});
