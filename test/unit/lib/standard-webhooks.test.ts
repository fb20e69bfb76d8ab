import assert from 'node:assert/strict';
import { Webhook } from 'standardwebhooks';
import { newWebhookSecret, parseWebhookSecret, webhookHeaders } from '../../../src/lib/standard-webhooks.ts';

describe('Standard Webhooks', () => {
  const body = JSON.stringify({ type: 'error.new', title: 'Ünïcode 🔥' });
  const seconds = Math.floor(Date.now() / 1000);

  it('are signed so that the library of the standard verifies them', () => {
    const secret = newWebhookSecret();
    const headers = webhookHeaders({ id: 'msg_1', seconds, body }, [secret]);
    assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body));
    assert.throws(() => new Webhook(secret).verify(`${body} `, headers));
    assert.throws(() => new Webhook(newWebhookSecret()).verify(body, headers));
    assert.throws(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'msg_2' }));
  });

  it('verify with either of two secrets', () => {
    const secrets = [newWebhookSecret(), newWebhookSecret()];
    const headers = webhookHeaders({ id: 'msg_1', seconds, body }, secrets);
    for (const secret of secrets) new Webhook(secret).verify(body, headers);
  });

  it('have secrets of 24 to 64 bytes in base64', () => {
    assert.equal(parseWebhookSecret(newWebhookSecret())?.length, 32);
    assert.notEqual(newWebhookSecret(), newWebhookSecret());
    const of = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;
    assert.equal(parseWebhookSecret(of(24))?.length, 24);
    assert.equal(parseWebhookSecret(of(64))?.length, 64);
    for (const wrong of [
      of(23),
      of(65),
      '',
      'whsec_',
      'secret',
      of(32).slice(6),
      `${of(32)}!`,
      of(32).replace('B', '-'),
    ])
      assert.equal(parseWebhookSecret(wrong), null, wrong);
    assert.throws(() => webhookHeaders({ id: 'msg_1', seconds, body }, ['whsec_short']), RangeError);
  });
});
