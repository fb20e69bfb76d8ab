import assert from 'node:assert/strict';
import type { EventException, Frame, NormalisedEvent } from '../../../../src/domain/events/event.ts';
import { CAPTURE_NAMES, captureRecord, digester } from './digest-support.ts';
import { BROWSER_CAPTURES } from './expected-captures/browser.ts';
import type { ExpectedCaptures } from './expected-captures/expected.ts';
import { GO_CAPTURES } from './expected-captures/go.ts';
import { JAVA_CAPTURES } from './expected-captures/java.ts';
import { NODE_CAPTURES } from './expected-captures/node.ts';
import { PHP_CAPTURES } from './expected-captures/php.ts';
import { PYTHON_CAPTURES } from './expected-captures/python.ts';
import { RUBY_CAPTURES } from './expected-captures/ruby.ts';

/** One line per frame: `+` application, `-` other code, then function, file and line. */
function frameLine(frame: Frame): string {
  return `${frame.in_app ? '+' : '-'} ${frame.function ?? ''} ${frame.filename ?? ''}:${frame.lineno ?? ''}`;
}

const EXPECTED: ExpectedCaptures = {
  ...BROWSER_CAPTURES,
  ...GO_CAPTURES,
  ...JAVA_CAPTURES,
  ...NODE_CAPTURES,
  ...PHP_CAPTURES,
  ...PYTHON_CAPTURES,
  ...RUBY_CAPTURES,
};

function digestCapture(name: string) {
  const source = captureRecord(name);
  assert.ok(source, `${name} should carry an event`);
  const { event: digested, outcomes } = digester()(source);
  assert.ok(digested, JSON.stringify(outcomes));
  assert.deepEqual(outcomes, []);
  return { digested, event: JSON.parse(digested.payload) as NormalisedEvent };
}

function chain(exceptions: EventException[]) {
  return exceptions.map(({ type, value, frames }) => [type, value, frames?.map(frameLine) ?? null]);
}

describe('events of real SDKs', () => {
  it('has an expectation for every capture', () => {
    assert.deepEqual([...CAPTURE_NAMES].sort(), Object.keys(EXPECTED).sort());
  });

  for (const [name, expected] of Object.entries(EXPECTED)) {
    if (!expected) {
      it(`${name}: carries no event`, () => {
        assert.equal(captureRecord(name), null);
      });
      continue;
    }
    it(`${name}: ${expected.title}`, () => {
      const { digested, event } = digestCapture(name);
      const browser = name.startsWith('browser');
      assert.equal(digested.title, expected.title);
      assert.equal(digested.culprit, expected.culprit);
      assert.equal(digested.type, expected.type);
      assert.equal(digested.message, expected.message);
      assert.equal(digested.level, expected.level);
      assert.equal(digested.platform, expected.platform);
      assert.equal(event.timestamp, expected.timestamp);
      assert.equal(digested.at, Date.parse(expected.timestamp));
      assert.equal(digested.release, browser ? null : 'app@1.0.0');
      assert.equal(digested.environment, browser ? null : 'prod');
      assert.deepEqual(chain(event.exceptions), expected.exceptions ?? []);
      assert.deepEqual(
        event.threads.map(({ frames }) => (frames ?? []).map(frameLine)),
        expected.threads ?? [],
      );
      assert.deepEqual(
        event.breadcrumbs.map(({ timestamp, type, level, message }) => [timestamp, type, level, message]),
        expected.breadcrumbs ?? [],
      );
      assert.deepEqual(
        [event.user?.id, event.user?.email, event.user?.ip_address],
        expected.userId === null
          ? [undefined, undefined, undefined]
          : ['7', expected.email === undefined ? 'a@b.c' : expected.email, expected.ip ?? null],
      );
      assert.deepEqual(event.tags, browser ? [] : [{ key: 'k', value: '1' }]);
      assert.deepEqual(Object.fromEntries(digested.tags), {
        level: expected.level,
        ...(browser
          ? {}
          : {
              environment: 'prod',
              release: 'app@1.0.0',
              k: '1',
              server_name: expected.platform === 'java' ? 'localhost' : 'vm',
            }),
        ...expected.derived,
      });
      assert.equal(event.logger, expected.logger ?? null);
      assert.deepEqual(event.logentry, expected.logentry ?? null);
      assert.deepEqual(event.fingerprint, ['{{ default }}']);
      assert.deepEqual(event.notes, expected.notes ?? []);
    });
  }

  it('gives the same user the same hash in every SDK, with the id as number or text', () => {
    const hashes = Object.entries(EXPECTED)
      .filter(([name, expected]) => expected && !name.startsWith('browser'))
      .map(([name]) => digestCapture(name).digested.userHash);
    assert.equal(new Set(hashes).size, 1);
    assert.match(hashes[0] ?? '', /^[0-9a-f]{24}$/);
  });

  it('filters secrets in call arguments of PHP and Python, and keeps the others', () => {
    for (const name of ['php-3.18.0/01', 'php-4.29.0/01', 'python-1.21.0/01', 'python-2.68.0/01']) {
      const frame = digestCapture(name).event.exceptions[0]?.frames?.at(-1);
      assert.equal(frame?.vars?.secret, '[Filtered]', name);
    }
    const python = digestCapture('python-1.21.0/01').event.exceptions[0]?.frames?.at(-1);
    assert.equal(python?.vars?.x, '5');
    assert.deepEqual(python.pre_context.length, 5);
  });

  it('keeps contexts, extra, modules and the SDK', () => {
    const { event } = digestCapture('python-2.68.0/01');
    assert.deepEqual(event.extra, { e: { a: [1, 2] }, 'sys.argv': ['py.py'] });
    assert.deepEqual(Object.keys(event.contexts), ['trace', 'runtime']);
    assert.equal(event.modules.flask, '3.1.3');
    assert.equal(Object.keys(event.modules).length, 103);
    assert.deepEqual(event.sdk, { name: 'sentry.python.flask', version: '2.68.0' });
  });

  it('removes the line break at the end of Ruby source lines', () => {
    const frame = digestCapture('ruby-6.6.2/01').event.exceptions[0]?.frames?.at(-1);
    assert.equal(frame?.context_line, 'def inner; raise ArgumentError,"bad thing 12345"; end');
  });
});
