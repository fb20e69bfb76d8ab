import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Conversation } from '../../../src/domain/alerts/alert-delivery.ts';
import type { Store } from '../../../src/domain/ports/stores/store.ts';
import { openStore } from '../../../src/storage/open/open-store.ts';
import { sealChannelSecrets } from '../../../src/thirdparty/secrets/channel-secrets.ts';
import { createTokenCipher } from '../../../src/thirdparty/secrets/encrypted-token.ts';
import { parseSecretKey } from '../../../src/thirdparty/secrets/key-ring.ts';
import { useCliSandbox } from '../../support/cli-sandbox.ts';
import { smtpError, startMailServer } from '../../support/mail-server.ts';

interface Finding {
  readonly check: string;
  readonly status: string;
  readonly message: string;
}

const KEY = 'ab'.repeat(32);

describe('errgate doctor about alerts', () => {
  const sandbox = useCliSandbox();

  async function finding(check: string): Promise<Finding> {
    const { stdout } = await sandbox.current.run('doctor', '--json');
    const { checks } = JSON.parse(stdout) as { readonly checks: readonly Finding[] };
    return checks.find((one) => one.check === check) ?? assert.fail(`no check ${check}`);
  }

  async function inStore(work: (store: Store) => Promise<unknown>): Promise<void> {
    const store = await openStore({ url: 'sqlite:', dataDir: join(sandbox.current.folder, 'data') });
    try {
      await work(store);
    } finally {
      await store.close();
    }
  }

  it('signs in to the mail server and sends nothing', async () => {
    const logins: string[] = [];
    const server = await startMailServer({
      authOptional: false,
      disabledCommands: ['STARTTLS'],
      onAuth({ username, password }, _session, done) {
        logins.push(username ?? '');
        if (password === 'right') done(null, { user: username });
        else done(smtpError(535, `no, not ${password}`));
      },
    });
    try {
      await sandbox.current.done('project', 'create', 'acme/shop');
      assert.deepEqual(
        [(await finding('mail')).status, (await finding('mail')).message.slice(0, 14)],
        ['ok', 'not configured'],
      );
      sandbox.current.env['ERRGATE_MAIL_FROM'] = 'errors@example.com';
      sandbox.current.env['ERRGATE_MAIL_URL'] = `smtp://me:right@127.0.0.1:${server.port}`;
      const good = await finding('mail');
      assert.deepEqual(good, {
        ...{ check: 'mail', status: 'ok', advice: null },
        message: `127.0.0.1:${server.port} takes connections; the sender is errors@example.com`,
      });
      sandbox.current.env['ERRGATE_MAIL_URL'] = `smtp://me:wrong-password@127.0.0.1:${server.port}`;
      const refused = await finding('mail');
      assert.equal(refused.status, 'fail');
      assert.match(refused.message, /the mail server refused the login/);
      assert.doesNotMatch(refused.message, /wrong-password/);
      assert.deepEqual([logins, server.mails], [['me', 'me'], []]);
    } finally {
      await server.close();
    }
    const gone = await finding('mail');
    assert.deepEqual([gone.status, /ECONNREFUSED/.test(gone.message)], ['fail', true], gone.message);
  });

  it('warns of links to this machine in mails that leave it', async () => {
    const server = await startMailServer({ disabledCommands: ['STARTTLS'] });
    try {
      const { env } = sandbox.current;
      await sandbox.current.done('project', 'create', 'acme/shop');
      env['ERRGATE_MAIL_FROM'] = 'errors@example.com';
      // Reaches this machine, but is not known as its own name.
      env['ERRGATE_MAIL_URL'] = `smtp://0.0.0.0:${server.port}`;
      const warned = await finding('mail');
      assert.equal(warned.status, 'warn', warned.message);
      assert.match(warned.message, /^links in mails begin with http:\/\/localhost/);
      env['ERRGATE_EXTERNAL_URL'] = 'https://errors.example.com';
      assert.equal((await finding('mail')).status, 'ok');
    } finally {
      await server.close();
    }
  });

  it('examines channels without sending: key, address, state and what was given up', async () => {
    const errgate = sandbox.current;
    errgate.env['ERRGATE_SECRET_KEY'] = KEY;
    await errgate.done('project', 'create', 'acme/shop');
    assert.deepEqual(await finding('alert channels'), {
      check: 'alert channels',
      status: 'ok',
      message: 'none',
      advice: null,
    });
    const cipher = (key: string) => createTokenCipher(() => [parseSecretKey(key)!], 'alert channel');
    await inStore(async (store) => {
      const make = (name: string, url: string, key = KEY) =>
        store.createChannel(
          {
            ...{ projectId: 1, type: 'slack', name, host: new URL(url).host },
            sealed: sealChannelSecrets(cipher(key), 1, { url, secret: null }),
          },
          0,
        );
      await make('fine', 'https://hooks.example/secret-path');
      await make('local', 'http://10.0.0.1/secret-path');
      await make('sealed', 'https://hooks.example/secret-path', 'cd'.repeat(32));
      const off = await make('off', 'https://hooks.example/secret-path');
      await store.updateChannel(1, off.id, { enabled: false, disabledReason: 'The receiver answered 410.' });
      const message = { id: 'msg_1', kind: 'test', createdAt: 0, since: 0, until: 0, parts: [], note: '' } as const;
      const failing: Conversation = {
        ...{ destination: 'channel:1', version: 1, level: 0, lastSentAt: null, number: 1, cursor: 0 },
        ...{ firstWaiting: null, lastWaiting: null, notBefore: null, heartbeatAt: null, troubleTo: null },
        failingSince: Date.now() - 3_600_000 * 3,
        pending: { message, facts: [], attempts: 3, nextAt: 0, lastAnswer: '503 busy' },
      };
      assert.ok(await store.saveConversation(failing));
      const delivery = { id: 'msg_2', destination: 'channel:1', name: 'fine', projectIds: [1], facts: [] } as const;
      const lost = { ...message, id: 'msg_2', kind: 'facts' } as const;
      const result = { message: lost, state: 'failed', attempts: 9, answer: 'no', at: Date.now() } as const;
      await store.saveDelivery({ ...delivery, ...result });
    });
    const { status, message } = await finding('alert channels');
    assert.equal(status, 'warn');
    const lines = message.split('\n');
    assert.deepEqual(
      lines.map((line) => line.replace(/ \(.*/, '')),
      [
        'acme/shop: slack "fine" takes no messages for 3 h: 503 busy',
        'acme/shop: slack "local" its address is blocked: Requests to the local network are not allowed',
        'acme/shop: slack "sealed" the stored alert channel cannot be decrypted: it was encrypted under another key',
        'acme/shop: slack "off" was switched off: The receiver answered 410.',
        '1 message could not be delivered in the last 30 days',
      ],
    );
    assert.doesNotMatch(message, /secret-path/);
  });
});
