import assert from 'node:assert/strict';
import type { NormalisedEvent } from '../../../src/domain/events/event.ts';
import { toSdkEvent } from '../../../src/export/sdk-event.ts';
import { writeSdkEvent } from '../../../src/export/sdk-event-bytes.ts';
import { GrowingBytes } from '../../../src/lib/growing-bytes.ts';
import { CAPTURE_NAMES, captureRecord, normalise } from '../integrated/digest/digest-support.ts';

const LAST = Buffer.from('"_errgate":{"received":"now"}');

/** Returns what is written for a stored event; null when nothing is. */
function written(stored: string | Buffer): string | null {
  const out = new GrowingBytes();
  const done = writeSdkEvent(Buffer.from(stored as string), LAST, out);
  assert.equal(done, out.view().length > 0);
  return done ? out.view().toString('utf8') : null;
}

const expected = (event: NormalisedEvent): string =>
  `${JSON.stringify(toSdkEvent(event)).slice(0, -1)},${LAST.toString()}}`;

const FRAME = { filename: 'a.py', function: 'f "x"', vars: { frames: [1], tags: '{"key":"' }, lineno: 1.5e21 };
const RICH = {
  event_id: 'ab'.repeat(16),
  platform: 'python',
  logentry: { message: 'hello %s', params: ['é', null], formatted: 'hello "é"\\\n\u2028' },
  exception: {
    values: [
      { type: 'First', value: 'no frames' },
      { type: 'Second', value: '\ud83d\ude00 }]', stacktrace: { frames: [FRAME, FRAME] }, module: 'm' },
    ],
  },
  threads: { values: [{ id: 1, stacktrace: { frames: [FRAME] }, crashed: true }] },
  breadcrumbs: { values: [{ message: 'crumb', data: { frames: null } }] },
  tags: { one: 'c\\"', two: 'é', three: '}],' },
  sdk: { name: 'sentry.python', version: '2.0' },
  extra: { deep: [[[]], {}, -0.5, 1e-7, true, false, null], frames: [], exceptions: [] },
  contexts: { own: { sdk: 1 } },
};

describe('events in the form of SDKs, from their bytes', () => {
  for (const name of CAPTURE_NAMES) {
    it(`are the same as those that are parsed and written again: ${name}`, () => {
      const record = captureRecord(name);
      const raw = JSON.parse(Buffer.from(record?.body ?? '{}').toString('utf8')) as Record<string, unknown>;
      if (raw['type'] === 'transaction') return;
      const event = normalise(raw, { eventId: 'ab'.repeat(16) });
      const own = written(JSON.stringify(event));
      if (event.security_report === undefined) assert.equal(own, expected(event));
      else assert.equal(own, null);
    });
  }

  it('are the same with every kind of member, and without any', () => {
    for (const raw of [RICH, { ...RICH, logentry: { formatted: 'plain' } }, { message: 'm', sdk: null }, {}]) {
      const event = normalise(structuredClone(raw), {});
      assert.equal(written(JSON.stringify(event)), expected(event));
    }
    const event = normalise(structuredClone(RICH), {});
    assert.deepEqual([event.exceptions.length, event.threads.length, event.tags.length], [2, 1, 3]);
    assert.equal(event.exceptions[0]?.frames, null);
  });

  it('are refused when a byte is missing or makes them no JSON, never written as broken lines', () => {
    const text = Buffer.from(JSON.stringify(normalise(structuredClone(RICH), {})));
    for (let at = 0; at < text.length; at += 1) {
      assert.equal(written(text.subarray(0, at)), null, `cut at ${at}`);
      for (const byte of [0x00, 0x22, 0x5c, 0x7d, 0x2c, 0x30, 0xff]) {
        const changed = Buffer.from(text);
        changed[at] = byte;
        const line = written(changed);
        if (line === null) continue;
        const event = JSON.parse(changed.toString('utf8')) as NormalisedEvent;
        assert.equal(JSON.stringify(JSON.parse(line)), expected(event), `${byte} at ${at}`);
      }
    }
  });

  it('are refused when they hold blanks, or are nested without end', () => {
    const event = normalise(structuredClone(RICH), {});
    assert.equal(written(JSON.stringify(event, null, 1)), null);
    assert.equal(written(`{"extra":${'['.repeat(100_000)}`), null);
    assert.equal(written('{}'), null);
    assert.equal(written('[]'), null);
  });
});
