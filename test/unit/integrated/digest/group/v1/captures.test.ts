import assert from 'node:assert/strict';
import type { NormalisedEvent } from '../../../../../../src/domain/events/event.ts';
import { CAPTURE_NAMES, captureRecord, normalise } from '../../digest-support.ts';
import { keyOf } from './events.ts';

function captured(name: string): NormalisedEvent {
  const record = captureRecord(name);
  assert.ok(record, `${name} holds an event`);
  return normalise(JSON.parse(Buffer.from(record.body).toString('utf8')));
}

/** One error of a sample program, as each captured SDK version sent it. */
const sameError: Record<string, string[]> = {
  'node chained exception': ['node-7.38.0/04', 'node-10.22.0/04', 'node-11.12.0/02'],
  'node message': ['node-7.38.0/02', 'node-10.22.0/02', 'node-11.12.0/03'],
  'node large exception': ['node-7.38.0/05', 'node-10.22.0/05', 'node-11.12.0/04'],
  'python chained exception': ['python-1.21.0/01', 'python-2.68.0/01'],
  'python log with parameters': ['python-1.21.0/02', 'python-2.68.0/02'],
  'python message': ['python-1.21.0/03', 'python-2.68.0/03'],
  'java chained exception': ['java-6.18.1/01', 'java-8.53.0/01'],
  'java message': ['java-6.18.1/02', 'java-8.53.0/02'],
  'go chained error': ['go-0.20.0/01', 'go-0.27.0/01'],
  'go message': ['go-0.20.0/02', 'go-0.27.0/02'],
  'go panic': ['go-0.20.0/03', 'go-0.27.0/03'],
  'ruby chained exception': ['ruby-5.9.0/01', 'ruby-6.6.2/01'],
  'ruby message': ['ruby-5.9.0/02', 'ruby-6.6.2/02'],
  'php chained exception': ['php-3.18.0/01', 'php-4.29.0/01'],
  // The older version sends an exception group as one exception, without its members.
  'python 1 exception group': ['python-1.21.0/04'],
  'python 2 exception group': ['python-2.68.0/04'],
};
/** `hello world` from SDKs that send no stack with it: nothing tells them apart. */
const plainHello = ['php-3.18.0/02', 'php-4.29.0/02', 'python-2.68.0/03', 'node-10.22.0/02'];
const browser = ['browser-11/01', 'browser-11/02'];

describe('group v1: captures of real SDKs', () => {
  for (const [what, names] of Object.entries(sameError)) {
    it(`groups ${what}: ${names.join(', ')}`, () => {
      assert.equal(new Set(names.map((name) => keyOf(captured(name)))).size, 1);
    });
  }

  it('groups messages that come without a stack by their text', () => {
    assert.equal(new Set(plainHello.map((name) => keyOf(captured(name)))).size, 1);
    assert.equal(new Set(browser.map((name) => keyOf(captured(name)))).size, 1);
  });

  it('keeps different errors apart, except messages with the same text', () => {
    const errors = Object.entries(sameError).filter(([what]) => what !== 'node message');
    const keys = errors.map(([, names]) => keyOf(captured(names[0] ?? '')));
    assert.equal(new Set(keys).size, errors.length);
  });

  it('has an expectation for every capture with an event', () => {
    const known = new Set([...Object.values(sameError).flat(), ...plainHello, ...browser]);
    const unknown = CAPTURE_NAMES.filter((name) => captureRecord(name) !== null && !known.has(name));
    assert.deepEqual(unknown, []);
  });
});
