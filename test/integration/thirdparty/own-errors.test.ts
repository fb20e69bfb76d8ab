import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { defaultStackParser, linkedErrorsIntegration, NodeClient, Scope } from '@sentry/node';
import { parseTargetDsn } from '../../../src/domain/projects/dsn.ts';
import { errorEvent, type ErrorEvent } from '../../../src/thirdparty/own-errors/error-event.ts';
import { sendEvent } from '../../../src/thirdparty/own-errors/event-client.ts';
import { Reporter } from '../../../src/thirdparty/own-errors/reporter.ts';
import { FakeTarget } from '../../support/fake-target.ts';

const CHILD = fileURLToPath(new URL('../../support/uncaught-child.ts', import.meta.url));

/** An error with a cause and, as an AggregateError, with errors of its own. */
function failure(): Error {
  const timedOut = new TypeError('the first\n of two lines');
  return new AggregateError([timedOut, new RangeError('the second')], 'both failed', {
    cause: new Error('the reason', { cause: 'text, no error' }),
  });
}

describe('reports about errors of errgate', () => {
  let target: FakeTarget;
  beforeEach(async () => {
    target = await FakeTarget.start();
  });
  afterEach(() => target.close());

  function taken(): ErrorEvent[] {
    assert.deepEqual(target.problems, []);
    return target.taken.map(({ items }) => {
      assert.deepEqual(
        items.map(({ type }) => type),
        ['event'],
      );
      return JSON.parse(items[0]?.payload ?? '') as ErrorEvent;
    });
  }

  function reporter(): Reporter {
    const dsn = parseTargetDsn(target.dsn) ?? assert.fail();
    return new Reporter({ dsn, version: '1.2.3', headers: { 'X-Mark': 'm' } });
  }

  /** What the SDK would send about the error. */
  async function eventOfSdk(error: Error): Promise<ErrorEvent> {
    const events: unknown[] = [];
    const sdk = new NodeClient({
      dsn: target.dsn,
      stackParser: defaultStackParser,
      transport: () => ({ send: () => Promise.resolve({}), flush: () => Promise.resolve(true) }),
      integrations: [linkedErrorsIntegration()],
      environment: 'test',
      release: 'errgate@1.2.3',
      includeServerName: false,
    });
    sdk.on('beforeEnvelope', ([, [item]]) => events.push(item[1]));
    sdk.init();
    const scope = new Scope();
    scope.setClient(sdk);
    scope.setTags({ request_id: 'r1' });
    scope.captureException(error);
    await sdk.close(5000);
    assert.equal(events.length, 1);
    return JSON.parse(JSON.stringify(events[0])) as ErrorEvent;
  }

  it('are events as the SDK for Node.js sends them', async () => {
    const error = failure();
    const theirs = await eventOfSdk(error);
    const facts = { version: '1.2.3', environment: 'test', tags: { request_id: 'r1' } };
    const dsn = parseTargetDsn(target.dsn) ?? assert.fail();
    assert.deepEqual(await sendEvent(dsn, errorEvent(error, facts)), { status: 200, pauseMs: 0 });

    const [ours] = taken();
    assert.ok(ours);
    assert.match(ours.event_id, /^[0-9a-f]{32}$/);
    assert.equal(target.taken[0]?.header['event_id'], ours.event_id);
    assert.ok(Math.abs(ours.timestamp - theirs.timestamp) < 60);
    const { runtime } = theirs.contexts;
    for (const name of ['platform', 'environment', 'release', 'tags'] as const)
      assert.deepEqual(ours[name], theirs[name], name);
    assert.deepEqual(ours.contexts.runtime, runtime);
    const byType = (event: ErrorEvent): unknown[] =>
      event.exception.values
        .map(({ type, value, stacktrace }) => ({
          type,
          value,
          frames: stacktrace?.frames.map(({ function: name, filename, lineno, colno }) => [
            name,
            filename,
            lineno,
            colno,
          ]),
        }))
        .toSorted((a, b) => a.value.localeCompare(b.value));
    assert.deepEqual(byType(ours), byType(theirs));
    assert.equal(ours.exception.values.length, 4);
    assert.equal(ours.exception.values.at(-1)?.value, 'both failed', 'the outermost is the last');
    assert.equal(theirs.exception.values.at(-1)?.value, 'both failed');
    assert.deepEqual(ours.exception.values.at(-1)?.stacktrace?.frames.at(-1)?.in_app, true);
  });

  it('hold nothing of an error but types, messages and stacks', async () => {
    const reports = reporter();
    const error = Object.assign(new Error('it broke'), { token: 'glpat-secret', body: { deep: 'payload' } });
    reports.report({ error, message: 'request failed', facts: { path: '/a' } });
    await reports.flush(5000);
    const [event] = taken();
    assert.deepEqual(event?.tags, { path: '/a', logged: 'request failed' });
    assert.equal(target.taken[0]?.headers['x-mark'], 'm');
    assert.doesNotMatch(JSON.stringify(target.taken[0]), /glpat-secret|deep/);
  });

  it('stop while the address asks for a pause', async () => {
    target.reply = () => ({ status: 429, headers: { 'Retry-After': '60' } });
    const reports = reporter();
    const report = { error: new Error('one'), message: 'one', facts: {} };
    reports.report(report);
    await reports.flush(5000);
    reports.report(report);
    await reports.flush(5000);
    assert.equal(target.requests, 1);
  });

  it('are bounded while the address does not answer, and do not delay the stop', async () => {
    target.reply = () => ({ hang: true });
    const reports = reporter();
    for (let count = 0; count < 200; count += 1) reports.report({ error: new Error('e'), message: 'e', facts: {} });
    await reports.flush(1000);
    assert.ok(target.requests > 0 && target.requests <= 64, String(target.requests));
  });

  const endings: [how: string, type: string, value: string, mechanism: string, printed: RegExp][] = [
    ['thrown', 'RangeError', 'nobody catches', 'onuncaughtexception', /RangeError: nobody catches/],
    ['rejected', 'RangeError', 'nobody waits', 'onunhandledrejection', /RangeError: nobody waits/],
    ['text', 'Error', 'a thrown string, which is no error', 'onuncaughtexception', /a secret text/],
  ];
  for (const [how, type, value, mechanism, printed] of endings) {
    it(`are sent before the process ends by an uncaught error: ${how}`, async () => {
      const ended = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
        execFile(process.execPath, ['--import=tsx', CHILD, target.dsn, how], (error, _stdout, stderr) => {
          resolve({ code: error?.code, stderr });
        });
      });
      assert.equal(ended.code, 1);
      assert.match(ended.stderr, printed);
      const [event, ...others] = taken();
      assert.deepEqual(others, []);
      assert.equal(event?.level, 'fatal');
      const exception = event.exception.values.at(-1);
      assert.deepEqual([exception?.type, exception?.value], [type, value]);
      assert.deepEqual(exception?.mechanism, { type: mechanism, handled: false, exception_id: 0 });
    });
  }
});
