import assert from 'node:assert/strict';
import type { NormalisedEvent } from '../../../../../../src/domain/events/event.ts';
import { normalise } from '../../digest-support.ts';

const long = (length: number) => 'x'.repeat(length);
const stack = (frames: unknown[]) => ({ exception: [{ type: 'E', stacktrace: { frames } }] });

describe('limits', () => {
  type Row = [
    field: string,
    make: (text: string) => unknown,
    read: (e: NormalisedEvent) => unknown,
    max: number,
    tolerance: number,
    note: string,
  ];
  const frame = (name: string) => (text: string) => stack([{ function: 'f', [name]: text }]);
  const firstFrame = (event: NormalisedEvent) => event.exceptions[0]?.frames?.[0];
  const rows: Row[] = [
    ['message', (t) => ({ message: t }), (e) => e.message, 8192, 200, 'message'],
    [
      'exception type',
      (t) => ({ exception: { type: t } }),
      (e) => e.exceptions[0]?.type,
      256,
      20,
      'exceptions[0].type',
    ],
    [
      'exception value',
      (t) => ({ exception: { value: t } }),
      (e) => e.exceptions[0]?.value,
      8192,
      200,
      'exceptions[0].value',
    ],
    [
      'exception module',
      (t) => ({ exception: { type: 'E', module: t } }),
      (e) => e.exceptions[0]?.module,
      256,
      0,
      'exceptions[0].module',
    ],
    [
      'thread id',
      (t) => ({ exception: { type: 'E', thread_id: t } }),
      (e) => e.exceptions[0]?.thread_id,
      128,
      0,
      'exceptions[0].thread_id',
    ],
    ['function', frame('function'), (e) => firstFrame(e)?.function, 256, 0, 'exceptions[0].frames[0].function'],
    ['module', frame('module'), (e) => firstFrame(e)?.module, 256, 0, 'exceptions[0].frames[0].module'],
    ['filename', frame('filename'), (e) => firstFrame(e)?.filename, 256, 40, 'exceptions[0].frames[0].filename'],
    ['abs_path', frame('abs_path'), (e) => firstFrame(e)?.abs_path, 256, 40, 'exceptions[0].frames[0].abs_path'],
    [
      'context line',
      frame('context_line'),
      (e) => firstFrame(e)?.context_line,
      256,
      0,
      'exceptions[0].frames[0].context_line',
    ],
    ['transaction', (t) => ({ transaction: t }), (e) => e.transaction, 200, 0, 'transaction'],
    ['release', (t) => ({ release: t }), (e) => e.release, 200, 0, 'release'],
    ['dist', (t) => ({ dist: t }), (e) => e.dist, 64, 0, 'dist'],
    ['environment', (t) => ({ environment: t }), (e) => e.environment, 64, 0, 'environment'],
    ['logger', (t) => ({ logger: t }), (e) => e.logger, 64, 0, 'logger'],
    ['server name', (t) => ({ server_name: t }), (e) => e.server_name, 256, 0, 'server_name'],
    ['user id', (t) => ({ user: { id: t } }), (e) => e.user?.id, 128, 0, 'user.id'],
    ['e-mail', (t) => ({ user: { email: t } }), (e) => e.user?.email, 75, 0, 'user.email'],
    ['request url', (t) => ({ request: { url: t } }), (e) => e.request?.url, 256, 40, 'request.url'],
    [
      'breadcrumb category',
      (t) => ({ breadcrumbs: [{ category: t }] }),
      (e) => e.breadcrumbs[0]?.category,
      128,
      0,
      'breadcrumbs[0].category',
    ],
    [
      'breadcrumb message',
      (t) => ({ breadcrumbs: [{ message: t }] }),
      (e) => e.breadcrumbs[0]?.message,
      8192,
      200,
      'breadcrumbs[0].message',
    ],
  ];
  for (const [field, make, read, max, tolerance, note] of rows) {
    it(`${field}: ${max} (+${tolerance})`, () => {
      const whole = normalise(make(long(max + tolerance)));
      assert.equal(read(whole), long(max + tolerance));
      assert.deepEqual(whole.notes, []);
      const cut = normalise(make(long(max + tolerance + 1)));
      assert.equal(read(cut), `${long(max - 3)}...`);
      assert.ok(cut.notes.includes(`${note}: truncated`), cut.notes.join());
    });
  }

  it('never cuts within a surrogate pair', () => {
    for (const length of [74, 75, 76, 77]) {
      const email = normalise({ user: { email: long(length % 2) + '😀'.repeat(50) } }).user?.email ?? '';
      assert.ok(email.isWellFormed() && email.endsWith('...') && email.length <= 75, email);
    }
  });

  it('frames: the first 249 and the last of more than 250', () => {
    const frames = Array.from({ length: 300 }, (_, i) => ({ function: `f${i}` }));
    const event = normalise(stack(frames));
    const names = event.exceptions[0]?.frames?.map((f) => f.function) ?? [];
    assert.deepEqual([names.length, names[0], names[248], names[249]], [250, 'f0', 'f248', 'f299']);
    assert.ok(event.notes.includes('exceptions[0].frames: 50 frames omitted'));
    assert.equal(normalise(stack(frames.slice(0, 250))).exceptions[0]?.frames?.length, 250);
  });

  it('source lines and variables on 50 frames, 25 from each end', () => {
    const frames = Array.from({ length: 60 }, () => ({
      function: 'f',
      in_app: true,
      context_line: 'x',
      vars: { a: 1 },
    }));
    const kept = normalise(stack(frames)).exceptions[0]?.frames?.map((f) => f.context_line !== null && f.vars !== null);
    assert.deepEqual(kept, [
      ...Array<boolean>(25).fill(true),
      ...Array<boolean>(10).fill(false),
      ...Array<boolean>(25).fill(true),
    ]);
  });

  it('source lines stay on application frames rather than on others', () => {
    const frames = Array.from({ length: 80 }, (_, i) => ({ function: 'f', in_app: i % 2 === 0, context_line: 'x' }));
    const list = normalise(stack(frames)).exceptions[0]?.frames ?? [];
    assert.ok(list.every((f) => !f.in_app || f.context_line === 'x'));
    assert.equal(list.filter((f) => f.context_line !== null).length, 50);
  });

  it('breadcrumbs: the newest 100', () => {
    const event = normalise({ breadcrumbs: Array.from({ length: 130 }, (_, i) => ({ message: `m${i}` })) });
    assert.deepEqual(
      [event.breadcrumbs.length, event.breadcrumbs[0]?.message, event.breadcrumbs.at(-1)?.message, event.notes],
      [100, 'm30', 'm129', ['breadcrumbs: 30 omitted']],
    );
  });

  it('tags: 100, over-long ones refused rather than cut', () => {
    const tags = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`t${i}`, 'x']));
    const event = normalise({ tags });
    assert.deepEqual([event.tags.length, event.notes], [100, ['tags: more than 100, the rest omitted']]);
    assert.deepEqual(normalise({ tags: { a: long(201), [long(201)]: 'b', c: long(200) } }).tags, [
      { key: 'c', value: long(200) },
    ]);
  });

  it('exceptions: the newest 50; threads: 100 with the crashed one', () => {
    const exceptions = Array.from({ length: 60 }, (_, i) => ({ type: `E${i}` }));
    const threads = Array.from({ length: 120 }, (_, i) => ({ id: i, crashed: i === 119 }));
    const event = normalise({ exception: exceptions, threads });
    assert.deepEqual([event.exceptions.length, event.exceptions.at(-1)?.type], [50, 'E59']);
    assert.deepEqual([event.threads.length, event.threads.at(-1)?.id], [100, '119']);
    assert.deepEqual(event.notes, ['exceptions: 10 causes omitted', 'threads: 20 threads omitted']);
  });

  it('variables: 2 KiB and 5 levels', () => {
    const event = normalise(
      stack([{ function: 'f', vars: { deep: { b: { c: { d: { e: {} } } } }, big: long(5000), more: 1 } }]),
    );
    const vars = event.exceptions[0]?.frames?.[0]?.vars ?? {};
    assert.deepEqual(vars.deep, { b: { c: { d: { e: '...' } } } });
    assert.ok(JSON.stringify(vars).length < 2100);
    assert.ok(String(vars.big).endsWith('x...'));
    assert.equal('more' in vars, false);
    assert.deepEqual(event.notes, ['exceptions[0].frames[0].vars: truncated']);
  });

  it('notes name positions of stored frames, and frames that are not stored use up no notes', () => {
    const lines = { context_line: long(500), pre_context: [long(500), long(500)] };
    const event = normalise(
      stack([{}, { vars: { big: long(3000) } }, { function: 'a' }, { function: 'b', vars: { big: long(3000) } }]),
    );
    assert.deepEqual(event.notes, ['exceptions[0].frames[1].vars: truncated']);
    const deep = normalise(
      stack(Array.from({ length: 30 }, (_, i) => ({ function: `f${i}`, ...lines, vars: { big: long(3000) } }))),
    );
    assert.ok(deep.notes.includes('exceptions[0].frames[29].vars: truncated'), deep.notes.join());
    const recursion = normalise(
      stack(Array.from({ length: 250 }, (_, i) => ({ function: `f${i}`, vars: { big: long(3000) } }))),
    );
    assert.equal(recursion.notes.length, 51);
    assert.equal(recursion.notes.at(-1), 'exceptions[0].frames[249].vars: truncated');
  });

  it('notes about a stack trace of the event itself name the place where it is stored', () => {
    const stacktrace = () => ({ frames: [{ function: 'f', vars: { big: long(3000) } }] });
    const own = { frames: [{ function: 'g' }] };
    const notesOf = (event: object) => normalise({ stacktrace: stacktrace(), ...event }).notes;
    assert.deepEqual(notesOf({ exception: [{ type: 'E' }] }), ['exceptions[0].frames[0].vars: truncated']);
    assert.deepEqual(notesOf({ message: 'm' }), ['threads[0].frames[0].vars: truncated']);
    assert.deepEqual(notesOf({ threads: [{ id: 1 }] }), ['threads[1].frames[0].vars: truncated']);
    // Nobody's: it is not stored, and what is stored there was not cut.
    assert.deepEqual(notesOf({ exception: [{ type: 'E', stacktrace: own }] }), ['stacktrace[0].vars: truncated']);
  });

  it('extra: 16 KiB a value, 256 KiB in all, 7 levels', () => {
    const event = normalise({ extra: { big: long(20_000), small: 'kept' } });
    assert.equal(event.extra.small, 'kept');
    assert.ok(String(event.extra.big).length <= 16_384);
    const all = normalise({ extra: Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${i}`, long(10_000)])) });
    assert.ok(JSON.stringify(all.extra).length < 270_000);
    assert.deepEqual(all.notes, ['extra: truncated']);
    const deep = { a: { b: { c: { d: { e: { f: { g: [] } } } } } } };
    assert.deepEqual(normalise({ extra: deep }).extra, { a: { b: { c: { d: { e: { f: { g: '...' } } } } } } });
  });

  it('contexts: 8 KiB each, without effect on other contexts', () => {
    const event = normalise({ contexts: { a: { big: long(9000) }, b: { ok: 1 } } });
    assert.ok(JSON.stringify(event.contexts.a).length < 8300);
    assert.deepEqual(event.contexts.b, { ok: 1 });
  });

  it('modules: 8 KiB', () => {
    const modules = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`module-${i}`, '1.0.0']));
    const event = normalise({ modules });
    assert.ok(JSON.stringify(event.modules).length < 9000);
    assert.deepEqual(event.notes, ['modules: truncated']);
  });

  it('request: query 1 KiB, headers 8 KiB, cookies 2 KiB, data 8 KiB', () => {
    const event = normalise({
      request: {
        query_string: { q: long(2000) },
        headers: { 'X-A': long(9000) },
        cookies: { c: long(3000) },
        data: long(9000),
      },
    });
    const lengths = [event.request?.query_string, event.request?.headers, event.request?.cookies].map(
      (list) => list?.[0]?.[1].length,
    );
    assert.deepEqual(lengths, [1017, 8183, 2041]);
    assert.equal(String(event.request?.data).length, 8192);
    assert.deepEqual(event.notes, [
      'request.query_string: truncated',
      'request.headers: truncated',
      'request.cookies: truncated',
      'request.data: truncated',
    ]);
  });

  it('fingerprint: 100 values, none of them cut', () => {
    const event = normalise({ fingerprint: [long(5000), ...Array.from({ length: 120 }, (_, i) => i)] });
    assert.deepEqual(
      [event.fingerprint.length, event.fingerprint[0]?.length, event.fingerprint.at(-1)],
      [100, 5000, '98'],
    );
    assert.deepEqual(event.notes, ['fingerprint: more than 100, the rest omitted']);
  });

  it('notes: 100 and one that says so', () => {
    const event = normalise({ tags: Array.from({ length: 300 }, () => ['bad key/', 'x']) });
    assert.deepEqual([event.notes.length, event.notes.at(-1)], [101, 'further notes omitted']);
  });
});
