import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { channelRequest } from '../../../src/alerts/channels/channel-request.ts';
import { readChannelAddress } from '../../../src/domain/alerts/channel-address.ts';
import type { AlertMessage } from '../../../src/domain/alerts/alert-message.ts';
import {
  alertMessage,
  AT,
  floodMessage,
  largestMessage,
  messageSaying,
  presentError,
} from '../../support/alert-messages.ts';
import { channel, firstAttempt, testSender } from '../../support/alert-sender-world.ts';
import { eventually } from '../../support/service-process.ts';

const ALERTMANAGER = ['/usr/bin/prometheus-alertmanager', '/usr/local/bin/alertmanager'].find((path) =>
  existsSync(path),
);

interface Firing {
  readonly labels: Record<string, string>;
  readonly annotations: Record<string, string>;
  readonly endsAt: string;
  readonly generatorURL: string;
  readonly status: { readonly state: string };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function alertsOf(message: AlertMessage): Firing[] {
  const secrets = { url: 'http://alertmanager.example/api/v2/alerts', secret: null };
  const { body } = channelRequest('alertmanager', secrets, message, { mayRepeat: false, now: AT, presentError });
  return JSON.parse(body) as Firing[];
}

describe('alerts for Alertmanager', () => {
  it('are one for a single error; ten and a summary for more', () => {
    assert.deepEqual(
      alertsOf(alertMessage()).map(({ labels }) => labels),
      [
        {
          alertname: 'ErrgateNewError',
          project: 'shop/cart',
          error: '17',
          severity: 'error',
          environment: 'production',
        },
      ],
    );
    const names = alertsOf(floodMessage()).map(({ labels }) => labels['alertname']);
    assert.deepEqual(names, [...Array.from({ length: 10 }, () => 'ErrgateNewError'), 'ErrgateSummary']);
    assert.equal(alertsOf(floodMessage()).at(-1)!.annotations['summary'], '1,000 new errors in shop/cart');
    const tests = alertsOf(alertMessage({ kind: 'test', parts: [] }));
    assert.deepEqual(
      tests.map(({ labels }) => labels['alertname']),
      ['ErrgateTest'],
    );
  });

  it('have the same labels in every attempt, and fire for an hour from it', () => {
    const secrets = { url: 'http://alertmanager.example/api/v2/alerts', secret: 'proxy-token' };
    const at = (now: number) =>
      channelRequest('alertmanager', secrets, floodMessage(), { mayRepeat: true, now, presentError });
    const [first, later] = [AT, AT + 8 * 3_600_000].map((now) => JSON.parse(at(now).body) as Firing[]);
    assert.deepEqual(
      later!.map(({ labels }) => labels),
      first!.map(({ labels }) => labels),
    );
    assert.equal(Date.parse(later![0]!.endsAt), AT + 9 * 3_600_000);
    assert.equal(at(AT).headers['authorization'], 'Bearer proxy-token');
  });
});

if (ALERTMANAGER === undefined) {
  describe('a real Alertmanager', () => {
    it('SKIPPED: no Alertmanager; install it (apt-get install prometheus-alertmanager)', function () {
      console.log('      alerts: not sent to a real Alertmanager, because there is none');
      this.skip();
    });
  });
}

(ALERTMANAGER === undefined ? describe.skip : describe)('a real Alertmanager', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), 'errgate-alertmanager-'));
  let process: ChildProcess;
  let base: string;
  let said = '';

  before(async () => {
    base = `http://127.0.0.1:${await freePort()}`;
    const file = join(folder, 'alertmanager.yml');
    writeFileSync(file, 'route:\n  receiver: none\nreceivers:\n  - name: none\n');
    process = spawn(ALERTMANAGER ?? '', [
      `--config.file=${file}`,
      `--storage.path=${join(folder, 'data')}`,
      `--web.listen-address=${base.slice('http://'.length)}`,
      '--cluster.listen-address=',
    ]);
    process.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await eventually(
      async () => ({ status: (await fetch(`${base}/-/ready`).catch(() => null))?.status, said }),
      ({ status }) => status === 200,
    );
  });

  after(async () => {
    process.kill();
    if (process.exitCode === null) await once(process, 'exit');
    rmSync(folder, { recursive: true, force: true });
  });

  async function deliver(message: AlertMessage): Promise<void> {
    // What a person copies from the browser.
    const address = readChannelAddress('alertmanager', `${base}/#/alerts`);
    assert.ok(typeof address !== 'string');
    const result = await testSender().send(channel('alertmanager', address.url), message, firstAttempt);
    assert.equal(result.outcome, 'sent', result.answer);
  }

  async function firing(): Promise<Firing[]> {
    return (await (await fetch(`${base}/api/v2/alerts`)).json()) as Firing[];
  }

  const now = (message: AlertMessage): AlertMessage => ({
    ...message,
    createdAt: Date.now(),
    since: Date.now(),
    until: Date.now(),
  });

  it('takes what errgate sends, each alert once', async () => {
    await deliver(now(floodMessage()));
    await deliver(now(floodMessage()));
    const alerts = await firing();
    assert.equal(alerts.length, 11);
    const payment = alerts.find(({ labels }) => labels['error'] === '101');
    assert.equal(payment?.annotations['summary'], 'PaymentError: Card was declined by the bank');
    assert.equal(payment.labels['severity'], 'critical');
    assert.ok(Date.parse(payment.endsAt) > Date.now());
    assert.match(payment.generatorURL, /\/error_tracking\/101\/details$/);
  });

  it('takes text of strangers and the largest message', async () => {
    for (const text of ['\u0000\u202e\ud83d', '{{ .Labels }} "\\', '', ' ', 'a\nb'])
      await deliver(now(messageSaying(text)));
    await deliver(now(largestMessage('🔥"\\')));
    await deliver(now(alertMessage({ kind: 'test', parts: [] })));
    assert.ok((await firing()).some(({ labels }) => labels['alertname'] === 'ErrgateTest'));
  });
});
