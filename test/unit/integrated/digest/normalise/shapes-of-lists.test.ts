import type { NormalisedEvent } from '../../../../../src/domain/events/event.ts';
import { table, type Row } from './event-table.ts';

const chain = (event: NormalisedEvent) => event.exceptions.map(({ type, value }) => [type, value]);
const frames = (event: NormalisedEvent) => event.exceptions[0]?.frames?.map((frame) => frame.function);

describe('shapes of the lists and objects in an event', () => {
  describe('exceptions', () => {
    const entry = { type: 'E', value: 'v' };
    table([
      ['values', { exception: { values: [entry] } }, chain, [['E', 'v']]],
      [
        'bare list',
        { exception: [entry, { type: 'F', value: 'w' }] },
        chain,
        [
          ['E', 'v'],
          ['F', 'w'],
        ],
      ],
      ['single object', { exception: entry }, chain, [['E', 'v']]],
      ['single object as values', { exception: { values: entry } }, chain, [['E', 'v']]],
      ['legacy name', { 'sentry.interfaces.Exception': { values: [entry] } }, chain, [['E', 'v']]],
      ['legacy module name', { 'sentry.interfaces.exception.Exception': [entry] }, chain, [['E', 'v']]],
      ['today beats legacy', { exception: [entry], 'sentry.interfaces.Exception': [] }, chain, [['E', 'v']]],
      ['null entries', { exception: { values: [null, entry, 'x'] } }, chain, [['E', 'v']]],
      ['null', { exception: null }, chain, []],
      ['null values', { exception: { values: null } }, chain, []],
      ['object as value becomes JSON', { exception: { type: 'E', value: { a: [1] } } }, chain, [['E', '{"a":[1]}']]],
      ['number as value', { exception: { type: 'E', value: 404 } }, chain, [['E', '404']]],
      ['neither type nor value nor stack', { exception: [{}, { module: 'm' }] }, chain, []],
      [
        'thread id as a huge number',
        { exception: { type: 'E', thread_id: 140_735_161_446_400 } },
        (e) => e.exceptions[0]?.thread_id,
        '140735161446400',
      ],
      [
        'mechanism without type',
        { exception: { type: 'E', mechanism: { handled: false } } },
        (e) => [e.exceptions[0]?.mechanism?.type, e.exceptions[0]?.mechanism?.handled],
        ['generic', false],
      ],
      [
        'mechanism data as list',
        { exception: { type: 'E', mechanism: { data: ['a'] } } },
        (e) => e.exceptions[0]?.mechanism?.data,
        { 0: 'a' },
      ],
    ]);
  });

  describe('stack traces', () => {
    const stacktrace = { frames: [{ function: 'outer' }, { function: 'inner' }] };
    table([
      ['frames', { exception: { type: 'E', stacktrace } }, frames, ['outer', 'inner']],
      [
        'raw_stacktrace where there is no other',
        { exception: { type: 'E', raw_stacktrace: stacktrace } },
        frames,
        ['outer', 'inner'],
      ],
      ['no frames', { exception: { type: 'E', stacktrace: {} } }, (e) => e.exceptions[0]?.frames, null],
      ['null frames', { exception: { type: 'E', stacktrace: { frames: null } } }, (e) => e.exceptions[0]?.frames, null],
      ['empty list', { exception: { type: 'E', stacktrace: { frames: [] } } }, (e) => e.exceptions[0]?.frames, null],
      [
        'null and empty frames inside',
        { exception: { type: 'E', stacktrace: { frames: [null, {}, { function: 'f' }] } } },
        frames,
        ['f'],
      ],
      ['single frame', { exception: { type: 'E', stacktrace: { frames: { function: 'f' } } } }, frames, ['f']],
      ['top-level goes to the only exception', { stacktrace, exception: { type: 'E' } }, frames, ['outer', 'inner']],
      [
        'top-level does not replace',
        { stacktrace, exception: { type: 'E', stacktrace: { frames: [{ function: 'own' }] } } },
        frames,
        ['own'],
      ],
      [
        'top-level with several exceptions is dropped',
        { stacktrace, exception: [{ type: 'E' }, { type: 'F' }] },
        frames,
        undefined,
      ],
      [
        'top-level of a message is where it was logged',
        { stacktrace, message: 'm' },
        (e) => e.threads.map((t) => [t.current, t.frames?.length]),
        [[true, 2]],
      ],
    ]);

    const paths = (raw: Record<string, unknown>, filename: string, path: string): Row => [
      `paths of ${JSON.stringify(raw)}`,
      { exception: { type: 'E', stacktrace: { frames: [raw] } } },
      (e) => [e.exceptions[0]?.frames?.[0]?.filename, e.exceptions[0]?.frames?.[0]?.abs_path],
      [filename, path],
    ];
    table([
      paths({ abs_path: '/srv/a.go' }, '/srv/a.go', '/srv/a.go'),
      paths({ filename: 'a.py' }, 'a.py', 'a.py'),
      paths({ filename: 'https://h.example/js/a.js?v=1' }, '/js/a.js', 'https://h.example/js/a.js?v=1'),
      paths({ filename: 'a.js', abs_path: 'https://h/a.js' }, 'a.js', 'https://h/a.js'),
    ]);
    table([
      [
        'numbers as text, lists as variables, null lines',
        {
          exception: {
            type: 'E',
            stacktrace: {
              frames: [
                {
                  function: 'f',
                  lineno: '12',
                  colno: -1,
                  vars: ['a', 'b'],
                  context_line: 'x\n',
                  pre_context: [null, 'y\r\n'],
                  post_context: null,
                },
              ],
            },
          },
        },
        (e) => {
          const f = e.exceptions[0]?.frames?.[0];
          return [f?.lineno, f?.colno, f?.vars, f?.context_line, f?.pre_context, f?.post_context];
        },
        [12, null, { 0: 'a', 1: 'b' }, 'x', ['', 'y'], []],
      ],
    ]);
  });

  describe('threads and breadcrumbs', () => {
    table([
      [
        'threads as bare list, ids as numbers',
        { threads: [{ id: 7, crashed: true }] },
        (e) => e.threads,
        [{ id: '7', name: null, crashed: true, current: false, frames: null }],
      ],
      [
        'threads as values',
        { threads: { values: [{ name: 'main', current: true }] } },
        (e) => e.threads[0]?.name,
        'main',
      ],
      [
        'breadcrumbs: bare list, defaults',
        { breadcrumbs: [{ message: 'm' }] },
        (e) => e.breadcrumbs,
        [{ timestamp: null, type: 'default', category: null, level: 'info', message: 'm', data: null }],
      ],
      [
        'breadcrumbs: legacy name and ty',
        { 'sentry.interfaces.Breadcrumbs': { values: [{ ty: 'http' }] } },
        (e) => e.breadcrumbs[0]?.type,
        'http',
      ],
      [
        'breadcrumbs: whole seconds',
        { breadcrumbs: [{ timestamp: 1795199924 }] },
        (e) => e.breadcrumbs[0]?.timestamp,
        '2026-11-20T18:38:44.000Z',
      ],
      [
        'breadcrumbs: year beyond what dates can say',
        { breadcrumbs: [{ timestamp: 1e20 }] },
        (e) => e.breadcrumbs[0]?.timestamp,
        null,
      ],
      [
        'breadcrumbs: null entries',
        { breadcrumbs: { values: [null, { message: 'a' }] } },
        (e) => e.breadcrumbs.length,
        1,
      ],
    ]);
  });

  describe('fingerprint', () => {
    const fingerprint = (event: NormalisedEvent) => event.fingerprint;
    table([
      ['list', { fingerprint: ['a', 'b'] }, fingerprint, ['a', 'b']],
      ['empty, as Java and Ruby send', { fingerprint: [] }, fingerprint, ['{{ default }}']],
      ['null inside', { fingerprint: [1, null] }, fingerprint, ['1']],
      ['scalars', { fingerprint: [1, true, 2.5] }, fingerprint, ['1', 'True', '2.5']],
      ['only null', { fingerprint: [null] }, fingerprint, ['{{ default }}']],
      ['text is no list', { fingerprint: 'abc' }, fingerprint, ['{{ default }}']],
      ['absent', {}, fingerprint, ['{{ default }}']],
      ['checksum of old clients decides alone', { checksum: 'abc', fingerprint: ['x'] }, fingerprint, ['abc']],
    ]);
  });

  describe('the rest', () => {
    table([
      [
        'contexts that are no objects are dropped',
        { contexts: { a: 1, b: { c: 2 }, d: null } },
        (e) => e.contexts,
        { b: { c: 2 } },
      ],
      ['contexts as list', { contexts: [] }, (e) => e.contexts, {}],
      ['extra as list', { extra: ['a'] }, (e) => e.extra, { 0: 'a' }],
      ['extra as text', { extra: 'a' }, (e) => e.extra, {}],
      ['modules', { modules: { a: 1, b: '2', c: {}, d: null } }, (e) => e.modules, { a: '1', b: '2' }],
      ['sdk', { sdk: { name: 'x', version: 2 } }, (e) => e.sdk, { name: 'x', version: '2' }],
      ['sdk null', { sdk: null }, (e) => e.sdk, null],
      [
        'errors of the client become notes',
        { errors: [{ type: 'invalid_data', name: 'user' }] },
        (e) => e.notes,
        ['client: invalid_data in user'],
      ],
      [
        '_meta and debug_meta are not kept',
        { _meta: { a: 1 }, debug_meta: {} },
        (e) => Object.keys(e).includes('_meta'),
        false,
      ],
    ]);
  });
});
