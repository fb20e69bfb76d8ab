import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import PQueue from 'p-queue';
import { buildOnce } from '../support/cli-process.ts';
import { FakeHook } from '../support/fake-hook.ts';
import { startMailServer } from '../support/mail-server.ts';
import { recordResult } from '../support/record-result.ts';
import { eventually, eventuallyMoving, type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { describeInFullRun } from '../support/test-stores.ts';

/** New errors; full size by `ERRGATE_TEST_FLOOD_ERRORS=100000` (`npm run test:full`). */
const ERRORS = Number(process.env['ERRGATE_TEST_FLOOD_ERRORS'] ?? 1000);
const MEMBERS = 10;
const SENDERS = 8;
const SECOND = 1000;
const HOUR = 3600 * SECOND;
const PRELOAD = pathToFileURL(join(import.meta.dirname, '..', 'support', 'fault-preload.mjs')).href;

interface Counts {
  readonly new: number;
  readonly regressed: number;
  readonly escalated: number;
  readonly unmuted: number;
}

describeInFullRun('drill of a flood of new errors', (kind, suite) => {
  suite.timeout(120_000 + ERRORS * 10);
  const folder = mkdtempSync(join(tmpdir(), 'errgate-flood-'));
  const store = kind.forProcesses();
  const timeFile = join(folder, 'time');
  let passed = 0;
  let service: ServiceProcess | null = null;
  let mail: Awaited<ReturnType<typeof startMailServer>> | null = null;
  let hook: FakeHook | null = null;

  before(buildOnce);
  after(async () => {
    await service?.end('SIGKILL');
    await mail?.close();
    await hook?.close();
    await store.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Lets time pass in the service at once; its timers do not notice. */
  function pass(ms: number): void {
    passed += ms;
    writeFileSync(`${timeFile}.new`, String(passed));
    renameSync(`${timeFile}.new`, timeFile);
  }

  async function ask(method: string, path: string, body: object): Promise<Record<string, unknown>> {
    const { url, first } = service ?? assert.fail();
    const answer = await fetch(`${url}/api/v4/${path}`, {
      method,
      headers: { 'PRIVATE-TOKEN': first.token, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  }

  /** Returns the sum of a metric's samples whose labels have `label`. */
  async function metric(name: string, label: string): Promise<number> {
    const text = await (await fetch(`${(service ?? assert.fail()).url}/-/metrics`)).text();
    const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) && line.includes(label));
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
  }

  it(`counts each of ${ERRORS} errors once, in one message to each destination while they come together`, async () => {
    mail = await startMailServer({ disabledCommands: ['STARTTLS'] });
    hook = await FakeHook.start();
    const { mails } = mail;
    const { calls } = hook;
    service = await startServiceProcess(join(folder, 'data'), {
      ...store.env,
      NODE_OPTIONS: `--import=${PRELOAD}`,
      ERRGATE_TEST_TIME: timeFile,
      ERRGATE_OUTBOUND_ALLOW: '127.0.0.1',
      ERRGATE_MAIL_URL: `smtp://127.0.0.1:${mail.port}`,
      ERRGATE_MAIL_FROM: 'errgate@errors.example.org',
      ERRGATE_EXTERNAL_URL: 'https://errors.example.org',
    });
    const { first, url } = service;
    const project = `projects/${first.project_id}`;
    const addresses = Array.from({ length: MEMBERS }, (_, index) => `person${index}@example.org`);
    for (const email of addresses) {
      const username = email.slice(0, email.indexOf('@'));
      await ask('POST', 'users', { username, name: username, email, password: `long enough ${username}` });
      await ask('POST', `${project}/members`, { username, access_level: 30 });
    }
    await ask('POST', `${project}/error_tracking/alert_channels`, { type: 'webhook', name: 'ops', url: hook.url });
    const target = `${url}/api/${first.project_id}/store/?sentry_key=${new URL(first.dsn).username}`;
    const send = async (type: string): Promise<void> => {
      const exception = { values: [{ type, value: 'the deploy was bad' }] };
      const body = JSON.stringify({ exception, platform: 'node', environment: 'production', release: 'shop@2' });
      assert.equal((await fetch(target, { method: 'POST', body })).status, 200);
    };
    const factsAre = (count: number): Promise<number> =>
      eventuallyMoving(() => metric('errgate_alerts_facts_total', 'kind="new"'), {
        satisfied: (facts) => facts === count,
        progress: (facts) => facts,
        stallMs: 60_000,
        context: () => service?.log() ?? '',
      });
    const senders = new PQueue({ concurrency: SENDERS });
    const began = Date.now();
    await senders.addAll(Array.from({ length: ERRORS }, (_, index) => () => send(`Error${index}`)));
    const sentMs = Date.now() - began;
    // Messages may go out while a long flood still comes; only the last ones wait for the quiet time below.
    await factsAre(ERRORS);
    const numbersTo = (email: string): number[] =>
      mails.filter(({ to }) => to.includes(email)).map(({ raw }) => numberIn(raw));
    const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
    const webhook = (): Counts[] =>
      calls.map(({ body }) => (JSON.parse(body) as { data: { counts: Counts } }).data.counts);
    const heard = (): number[] => [
      ...addresses.map((email) => sum(numbersTo(email))),
      sum(webhook().map((each) => each.new)),
    ];
    // What came in the time of one message is one message; each gap ends early enough for the next.
    let hours = 0;
    while (heard().some((number) => number < ERRORS)) {
      assert.ok(hours < 5, `heard after ${hours} hours: ${heard().join(', ')}`);
      pass(hours === 0 ? 31 * SECOND : HOUR);
      hours += 1;
      await eventually(
        () => Promise.resolve(heard()),
        (numbers) => numbers.every((number) => number >= ERRORS),
        hours === 1 ? 15_000 : 5000,
      ).catch(() => undefined);
    }
    const most = Math.max(calls.length, ...addresses.map((email) => numbersTo(email).length));
    // A flood of less than half a minute is one message; a longer one keeps to 5 + T.
    assert.ok(sentMs < 25 * SECOND ? most === 1 : most <= 5 + hours, `${most} messages in ${hours} hours`);
    const flood = { mails: mails.length, webhooks: calls.length };
    // Whatever were left would come with the next error.
    pass(6 * HOUR);
    await send('Last');
    await factsAre(ERRORS + 1);
    // A message waits 30 s from when the dispatcher took the error up, which may be after this clock was set.
    for (let rounds = 0; rounds < 3 && heard().some((number) => number <= ERRORS); rounds += 1) {
      pass(31 * SECOND);
      await eventually(
        () => Promise.resolve(heard()),
        (numbers) => numbers.every((number) => number > ERRORS),
        15_000,
      ).catch(() => undefined);
    }
    assert.deepEqual(
      heard(),
      Array.from({ length: MEMBERS + 1 }, () => ERRORS + 1),
    );
    assert.deepEqual([mails.length - flood.mails, calls.length - flood.webhooks], [MEMBERS, 1]);
    for (const counts of webhook()) {
      assert.deepEqual({ ...counts, new: 0 }, { new: 0, regressed: 0, escalated: 0, unmuted: 0 });
    }
    recordResult('alert-flood', {
      ...{ store: kind.name, errors: ERRORS, sent_in_s: Math.round(sentMs / SECOND), members: MEMBERS },
      ...flood,
      counted_by_each: ERRORS,
    });
    console.log(
      `      sent in ${(sentMs / SECOND).toFixed(1)} s: ${flood.mails} mails, ${flood.webhooks} webhook messages`,
    );
    assert.equal(await service.end('SIGTERM'), 0);
  });
});

/** Reads the number of new errors in the subject of a mail; that about a single error names it instead. */
function numberIn(raw: string): number {
  const subject = /^Subject: (.*(?:\r?\n[ \t].*)*)/m.exec(raw)?.[1] ?? '';
  if (/^\[[^\]]+\] New error: /.test(subject)) return 1;
  const number = /^([\d,]+) new errors? in /.exec(subject)?.[1];
  assert.ok(number !== undefined, subject);
  return Number(number.replaceAll(',', ''));
}
