import assert from 'node:assert/strict';
import fc from 'fast-check';
import { channelRequest, type HttpChannelType } from '../../../src/alerts/channels/channel-request.ts';
import { readChannelAddress } from '../../../src/domain/alerts/channel-address.ts';
import type { AlertMessage } from '../../../src/domain/alerts/alert-message.ts';
import {
  alertMessage,
  EXTERNAL_URL,
  floodMessage,
  largestMessage,
  messageSaying,
  presentError,
} from '../../support/alert-messages.ts';
import { channel, firstAttempt, testSender } from '../../support/alert-sender-world.ts';
import { HOSTILE_TEXTS } from '../../support/hostile-texts.ts';
import { fakeDiscord } from '../../support/fake-receivers/discord.ts';
import { fakeGitlab } from '../../support/fake-receivers/gitlab.ts';
import { fakeMattermost } from '../../support/fake-receivers/mattermost.ts';
import { type FakeReceiver, startReceiver } from '../../support/fake-receivers/receiver.ts';
import { fakeSlack } from '../../support/fake-receivers/slack.ts';
import { fakeTeams } from '../../support/fake-receivers/teams.ts';

const TOKEN = 'glpat-of-the-endpoint';
const SERVICES: readonly (readonly [HttpChannelType, FakeReceiver, string])[] = [
  ['slack', fakeSlack, '/services/T000/B000/topsecretX'],
  ['mattermost', fakeMattermost, '/hooks/topsecretX'],
  ['teams', fakeTeams, '/workflows/1/triggers/manual/paths/invoke?sig=topsecretX'],
  ['discord', fakeDiscord, '/api/webhooks/1/topsecretX'],
  ['gitlab', fakeGitlab(TOKEN), '/shop/cart/alerts/notify/errgate/topsecretX.json'],
];
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

function bodyFor(type: HttpChannelType, message: AlertMessage, mayRepeat = false): string {
  const secrets = { url: 'https://chat.example/hook', secret: null };
  return channelRequest(type, secrets, message, { mayRepeat, now: message.createdAt, presentError }).body;
}

function assertInert(receiver: FakeReceiver, body: string, about: string): void {
  const { status, body: said } = receiver.answer({ path: '/', headers: { authorization: `Bearer ${TOKEN}` }, body });
  assert.ok(status >= 200 && status < 300, `${about}: ${status} ${said}`);
  const { links, mentions, text } = receiver.show(body);
  assert.deepEqual(mentions, [], about);
  for (const link of links) assert.ok(link.startsWith(`${EXTERNAL_URL}/`), `${about}: ${link}`);
  assert.doesNotMatch(text, UNSEEN, about);
}

describe('chats and alert endpoints', () => {
  for (const [type, service, path] of SERVICES) {
    describe(type, () => {
      async function sendTo(message: AlertMessage) {
        const server = await startReceiver((received) => service.answer(received));
        try {
          const address = readChannelAddress(type, server.url + path);
          assert.ok(typeof address !== 'string');
          const result = await testSender().send(channel(type, address.url, TOKEN), message, firstAttempt);
          return { result, received: server.received };
        } finally {
          server.close();
        }
      }

      it('takes one error, a thousand, tests and other kinds of messages', async () => {
        const kinds = (['test', 'heartbeat', 'trouble'] as const).map((kind) =>
          alertMessage({ kind, parts: [], note: kind === 'test' ? '' : 'A sentence about @everyone.' }),
        );
        for (const message of [alertMessage(), floodMessage(), ...kinds]) {
          const { result, received } = await sendTo(message);
          assert.equal(result.outcome, 'sent', result.answer);
          assert.doesNotMatch(result.answer, /topsecret|glpat/);
          assert.equal(received.length, 1);
          assert.equal(received[0]!.path.split('?')[0], path.split('?')[0]);
          assertInert(service, received[0]!.body, message.kind);
        }
      });

      it('shows the numbers, the loudest errors and where the rest is', async () => {
        const { received } = await sendTo(floodMessage());
        const shown = service.show(received[0]!.body);
        assert.match(shown.text, /1,000 new errors in shop\/cart/);
        assert.match(shown.text, /PaymentError: Card was declined by the bank/);
        assert.match(shown.text, /and 99\d more/);
        assert.match(shown.text, /cart@2\.4\.1/);
        assert.ok(shown.links.some((link) => link.includes('first_seen_after=')));
      });

      it('is not moved by text of strangers', () => {
        for (const text of HOSTILE_TEXTS)
          assertInert(service, bodyFor(type, messageSaying(text)), JSON.stringify(text));
      });

      it('is not moved by any text, and takes the largest', () => {
        const parts = fc.constantFrom(
          '@everyone',
          '<!here>',
          '`',
          '```',
          '\n',
          '](',
          '[',
          'https://evil.example',
          'www.',
          '/close',
          '\\',
          '\u202e',
          ' ',
        );
        const text = fc.oneof(
          fc.string({ unit: 'binary', maxLength: 400 }),
          fc.array(parts, { maxLength: 30 }).map((list) => list.join('')),
        );
        fc.assert(
          fc.property(text, (said) => assertInert(service, bodyFor(type, messageSaying(said)), JSON.stringify(said))),
          { numRuns: 150 },
        );
        for (const said of ['x', '語', '🔥', '\u202e', '<', '"', '\\', 'é', '`@']) {
          assertInert(service, bodyFor(type, largestMessage(said), true), said);
        }
      });

      if (type !== 'gitlab') {
        it('says of a second attempt that it may be a repeat', () => {
          assert.match(service.show(bodyFor(type, alertMessage(), true)).text, /May be a repeat/);
          assert.doesNotMatch(service.show(bodyFor(type, alertMessage(), false)).text, /repeat/);
        });
      }
    });
  }

  it('counts up one alert of GitLab per error, and opens one per message about several', () => {
    const fingerprint = (message: AlertMessage): unknown =>
      (JSON.parse(bodyFor('gitlab', message)) as { fingerprint: unknown }).fingerprint;
    assert.equal(fingerprint(alertMessage()), 'errgate:3:17');
    assert.equal(fingerprint(alertMessage({ id: 'msg_other' })), 'errgate:3:17');
    assert.equal(fingerprint(floodMessage({ id: 'msg_other' })), 'msg_other');
  });

  it('refuses nothing but what the services refuse', () => {
    // The fakes are strict: what they refuse is what the real services refuse.
    const wrong: readonly (readonly [FakeReceiver, object, number])[] = [
      [fakeSlack, { blocks: [] }, 400],
      [
        fakeSlack,
        { text: 'x', blocks: [{ type: 'header', text: { type: 'plain_text', text: 'x'.repeat(151) } }] },
        400,
      ],
      [fakeSlack, { text: 'x', blocks: [{ type: 'marquee' }] }, 400],
      [fakeMattermost, { attachments: [] }, 400],
      [fakeMattermost, { text: 'x'.repeat(16_384) }, 400],
      [fakeDiscord, { content: 'x'.repeat(2001) }, 400],
      [fakeDiscord, { content: '', embeds: [] }, 400],
      [fakeTeams, { type: 'message', attachments: [] }, 400],
      [fakeTeams, { type: 'message', filler: 'x'.repeat(28 * 1024) }, 413],
      [fakeGitlab(TOKEN), { title: 'x'.repeat(201) }, 400],
    ];
    for (const [service, body, status] of wrong) {
      const headers = { authorization: `Bearer ${TOKEN}` };
      assert.equal(
        service.answer({ path: '/', headers, body: JSON.stringify(body) }).status,
        status,
        JSON.stringify(body).slice(0, 80),
      );
    }
  });
});
