import assert from 'node:assert/strict';
import type { ChannelType } from '../../../../src/domain/alerts/alert-channel.ts';
import { readChannelAddress } from '../../../../src/domain/alerts/channel-address.ts';

function read(type: ChannelType, text: string): string {
  const address = readChannelAddress(type, text);
  return typeof address === 'string' ? `problem: ${address}` : `${address.url} at ${address.host}`;
}

describe('readChannelAddress', () => {
  it('completes the address of Alertmanager, its page and both versions of its routes', () => {
    const expected = 'http://am.example.com:9093/api/v2/alerts at am.example.com:9093';
    const pasted = ['', '/', '/#/alerts', '/?silenced=false#/alerts', '/api/v1/alerts', '/api/v2', '/api/v2/alerts/'];
    for (const rest of pasted) assert.equal(read('alertmanager', `http://am.example.com:9093${rest}`), expected, rest);
    assert.equal(
      read('alertmanager', ' https://example.com/alertmanager/ '),
      'https://example.com/alertmanager/api/v2/alerts at example.com',
    );
  });

  it('asks Discord to confirm, in its own format', () => {
    const expected = 'https://discord.com/api/webhooks/1/abc?wait=true at discord.com';
    for (const rest of ['', '/', '/slack', '/github', '?wait=false'])
      assert.equal(read('discord', `https://discord.com/api/webhooks/1/abc${rest}`), expected, rest);
    assert.match(read('discord', 'https://discord.com/api/webhooks/1/abc?thread_id=5'), /thread_id=5&wait=true/);
  });

  it('leaves other addresses as they are, with a signature in the query', () => {
    const url = 'https://prod-01.logic.azure.com/workflows/1/triggers/manual/paths/invoke?api-version=1&sig=a%2Fb';
    assert.equal(read('teams', url), `${url} at prod-01.logic.azure.com`);
    assert.equal(
      read('slack', 'https://hooks.slack.com/services/T/B/X'),
      'https://hooks.slack.com/services/T/B/X at hooks.slack.com',
    );
  });

  it('refuses connectors of Office 365, which have ended', () => {
    assert.match(read('teams', 'https://contoso.webhook.office.com/webhookb2/x'), /no longer work/);
    assert.match(read('teams', 'https://contoso.webhook.office.com.example.com/x'), /at contoso/);
  });

  it('refuses what is no address of the web', () => {
    for (const text of [
      '',
      'hooks.slack.com/x',
      'ftp://example.com/',
      'javascript:alert(1)',
      'https://',
      'https://u:p@example.com/',
    ])
      assert.match(read('webhook', text), /^problem: /, text);
    assert.match(read('webhook', `https://example.com/${'x'.repeat(2048)}`), /at most 2048/);
  });

  it('takes a list of mail addresses, each once', () => {
    assert.equal(
      read('mail', 'Ops@example.com, dev@example.org;ops@EXAMPLE.com\n'),
      'ops@EXAMPLE.com,dev@example.org at example.com, example.org',
    );
    for (const text of [
      '',
      'nobody',
      'a@b@c',
      'a@example.com\r\nBcc: x@example.com',
      'bücher@example.com',
      '"a b"@example.com',
    ])
      assert.match(read('mail', text), /^problem: /, text);
    const many = Array.from({ length: 21 }, (_, index) => `a${index}@example.com`).join(',');
    assert.match(read('mail', many), /at most 20/);
  });
});
