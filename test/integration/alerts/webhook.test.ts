import assert from 'node:assert/strict';
import { Webhook } from 'standardwebhooks';
import { channelRequest } from '../../../src/alerts/channels/channel-request.ts';
import type { AlertMessage } from '../../../src/domain/alerts/alert-message.ts';
import { newWebhookSecret } from '../../../src/lib/standard-webhooks.ts';
import {
  alertMessage,
  AT,
  EXTERNAL_URL,
  floodMessage,
  largestMessage,
  namedError,
  presentError,
  projectPart,
  trackedError,
} from '../../support/alert-messages.ts';
import { channel, firstAttempt, testSender } from '../../support/alert-sender-world.ts';
import { type Reply, startReceiver } from '../../support/fake-receivers/receiver.ts';

interface Body {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Record<string, unknown> & { readonly errors: Record<string, unknown>[] };
}

const secret = newWebhookSecret();
const KEY = 'topsecretpath';

function bodyOf(message: AlertMessage): Body {
  const secrets = { url: 'https://hooks.example/x', secret };
  return JSON.parse(
    channelRequest('webhook', secrets, message, { mayRepeat: false, now: AT, presentError }).body,
  ) as Body;
}

describe('webhook', () => {
  async function deliver(message: AlertMessage, reply: Reply = { status: 204, body: '' }, attempts = 1) {
    const server = await startReceiver(() => reply);
    try {
      const sender = testSender();
      const to = channel('webhook', `${server.url}/${KEY}?token=topsecretquery`, secret);
      let result = await sender.send(to, message, firstAttempt);
      for (let attempt = 1; attempt < attempts; attempt += 1) {
        result = await sender.send(to, message, { ...firstAttempt, mayRepeat: true });
      }
      return { result, received: server.received };
    } finally {
      server.close();
    }
  }

  it('is verified by the library of Standard Webhooks, with the time of the attempt', async () => {
    const { result, received } = await deliver(alertMessage());
    assert.deepEqual(result, { outcome: 'sent', answer: '204 No Content' });
    const { headers, body } = received[0]!;
    const verified = new Webhook(secret).verify(body, headers as Record<string, string>) as Body;
    assert.equal(verified.type, 'error.new');
    assert.equal(headers['webhook-id'], alertMessage().id);
    assert.ok(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000) < 60);
    assert.equal(headers['content-type'], 'application/json');
  });

  it('is signed with the secret before a rotation too, until its time', () => {
    const previous = { secret: newWebhookSecret(), until: AT + 1 };
    const headersAt = (now: number) =>
      channelRequest('webhook', { url: 'https://hooks.example/x', secret, previous }, alertMessage(), {
        mayRepeat: false,
        now,
        presentError,
      }).headers;
    assert.equal(headersAt(AT)['webhook-signature']?.split(' ').length, 2);
    assert.equal(headersAt(AT + 1)['webhook-signature']?.split(' ').length, 1);
  });

  it('has the same id and body each time', async () => {
    const { received } = await deliver(floodMessage(), { status: 503, body: '' }, 3);
    assert.equal(received.length, 3);
    assert.equal(new Set(received.map(({ body }) => body)).size, 1);
    assert.equal(new Set(received.map(({ headers }) => headers['webhook-id'])).size, 1);
  });

  it('has the errors as the list of the REST API has them', () => {
    const { type, timestamp, data } = bodyOf(alertMessage());
    assert.equal(type, 'error.new');
    assert.equal(timestamp, '2026-11-24T04:19:30.000Z');
    assert.deepEqual(data['project'], { id: 3, path: 'shop/cart' });
    assert.deepEqual(data['counts'], { new: 1, regressed: 0, escalated: 0, unmuted: 0 });
    const listed = JSON.parse(JSON.stringify(presentError(trackedError(), projectPart().project))) as object;
    assert.deepEqual(data.errors, [{ ...listed, fact: 'new', release: 'cart@2.4.1', environment: 'production' }]);
    const [shown] = bodyOf(alertMessage()).data.errors;
    assert.equal(shown!['web_url'], `${EXTERNAL_URL}/shop/cart/-/error_tracking/17/details`);
    assert.equal(data['url'], projectPart().url);
  });

  it('is a summary for several facts', () => {
    const { type, data } = bodyOf(floodMessage());
    assert.equal(type, 'errors.summary');
    assert.deepEqual(data['counts'], { new: 1000, regressed: 0, escalated: 0, unmuted: 0 });
    assert.equal(data.errors.length, 10);
  });

  for (const kind of ['new', 'regressed', 'escalated', 'unmuted'] as const) {
    it(`is error.${kind} for one fact of this kind`, () => {
      const message = alertMessage({ parts: [projectPart({ errors: [namedError({ fact: kind })] })] });
      assert.equal(bodyOf(message).type, `error.${kind}`);
    });
  }

  it('has the same members when it is a test, a heartbeat or about trouble', () => {
    const members = Object.keys(bodyOf(alertMessage()).data);
    for (const kind of ['test', 'heartbeat', 'trouble'] as const) {
      const parts = [projectPart({ errors: [], counts: { new: 0, regressed: 0, escalated: 0, unmuted: 0 } })];
      const { type, data } = bodyOf(alertMessage({ kind, parts, note: 'All is well.' }));
      assert.equal(type, `alert.${kind}`);
      assert.deepEqual(Object.keys(data), members);
      assert.equal(data['message'], 'All is well.');
    }
  });

  it('stays below 20 KB with whatever text, and keeps the loudest errors', () => {
    for (const text of ['x', 'é', '語', '🔥', '"', '\\', '\u0001', '\u202e', '\ud83d', '\n']) {
      const message = largestMessage(text);
      const size = Buffer.byteLength(JSON.stringify(bodyOf(message)));
      assert.ok(size < 20_000, `${JSON.stringify(text)}: ${size}`);
      const { errors, counts } = bodyOf(message).data;
      assert.ok(errors.length >= 3, `${JSON.stringify(text)}: ${errors.length} errors`);
      assert.equal(errors[0]!['id'], '1');
      assert.deepEqual(counts, { new: 1_000_000, regressed: 0, escalated: 0, unmuted: 0 });
    }
  });

  describe('answers', () => {
    const wait = { 'retry-after': '7' };
    for (const [reply, outcome, afterMs] of [
      [{ status: 200, body: 'ok' }, 'sent', undefined],
      [{ status: 202, body: '' }, 'sent', undefined],
      [{ status: 301, body: '', headers: { location: '/elsewhere' } }, 'refused', undefined],
      [{ status: 400, body: 'bad' }, 'refused', undefined],
      [{ status: 401, body: '' }, 'refused', undefined],
      [{ status: 404, body: 'no_service' }, 'refused', undefined],
      [{ status: 410, body: '' }, 'gone', undefined],
      [{ status: 408, body: '' }, 'retry', null],
      [{ status: 429, body: '', headers: wait }, 'retry', 7000],
      [{ status: 429, body: '{"retry_after":1.5}' }, 'retry', 1500],
      [{ status: 500, body: '<html>' }, 'retry', null],
      [{ status: 503, body: '', headers: wait }, 'retry', 7000],
    ] as const) {
      it(`${reply.status} is ${outcome}${afterMs === null || afterMs === undefined ? '' : ` after ${afterMs} ms`}`, async () => {
        const { result } = await deliver(alertMessage(), reply);
        assert.equal(result.outcome, outcome);
        if (result.outcome === 'retry') assert.equal(result.afterMs, afterMs);
        assert.match(result.answer, new RegExp(`^${reply.status}`));
      });
    }

    it('are kept in one line, short, without the address and the secret', async () => {
      const said = `Cannot POST /${KEY}?token=topsecretquery with ${secret}\r\n\u001b[2J${'x'.repeat(10_000)}`;
      const { result } = await deliver(alertMessage(), { status: 400, body: said });
      assert.match(result.answer, /^400 Bad Request: Cannot POST /);
      assert.doesNotMatch(result.answer, /topsecret|whsec_|[\u0000-\u001f]/);
      assert.ok(result.answer.length <= 500);
    });

    it('say what to do about a blocked address', async () => {
      const result = await testSender().send(
        channel('webhook', `http://10.0.0.1/${KEY}`, secret),
        alertMessage(),
        firstAttempt,
      );
      assert.equal(result.outcome, 'refused');
      assert.match(result.answer, /ERRGATE_OUTBOUND_ALLOW=10\.0\.0\.1/);
      assert.doesNotMatch(result.answer, /topsecret/);
    });
  });
});
