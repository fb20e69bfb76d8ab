import assert from 'node:assert/strict';
import { EVENT_ID, RECEIVED_AT } from '../digest-support.ts';
import { table } from './event-table.ts';
import type { NormalisedEvent } from '../../../../../src/domain/events/event.ts';
import { normaliseEvent } from '../../../../../src/integrated/digest/normalise/normalise-event.ts';

describe('shapes of an event', () => {
  describe('identity and time', () => {
    table([
      ['the id is what the caller says, not the payload', { event_id: 'F'.repeat(32) }, (e) => e.event_id, EVENT_ID],
      ['seconds as float', { timestamp: 1795198781.65 }, (e) => e.timestamp, '2026-11-20T18:19:41.650Z'],
      ['seconds as whole number', { timestamp: 1795198781 }, (e) => e.timestamp, '2026-11-20T18:19:41.000Z'],
      ['seconds as text', { timestamp: '1795198781.65' }, (e) => e.timestamp, '2026-11-20T18:19:41.650Z'],
      ['nanoseconds', { timestamp: '2026-11-20T18:40:16.195671982Z' }, (e) => e.timestamp, '2026-11-20T18:40:16.195Z'],
      ['no zone is UTC', { timestamp: '2026-11-20T18:40:16.5' }, (e) => e.timestamp, '2026-11-20T18:40:16.500Z'],
      ['offset', { timestamp: '2026-11-20T20:10:16+01:30' }, (e) => e.timestamp, '2026-11-20T18:40:16.000Z'],
      [
        'offset without colon',
        { timestamp: '2026-11-20 13:40:16-0500' },
        (e) => e.timestamp,
        '2026-11-20T18:40:16.000Z',
      ],
      ['absent: time of receipt', {}, (e) => [e.timestamp, e.notes], ['2026-11-20T19:00:00.000Z', []]],
      [
        'unreadable: time of receipt, noted',
        { timestamp: 'yesterday' },
        (e) => [e.timestamp, e.notes],
        ['2026-11-20T19:00:00.000Z', ['timestamp: unreadable, time of receipt used']],
      ],
      ['impossible date', { timestamp: '2026-13-40T00:00:00Z' }, (e) => e.timestamp, '2026-11-20T19:00:00.000Z'],
    ]);
  });

  describe('level and platform', () => {
    table([
      ['missing level is error', {}, (e) => e.level, 'error'],
      ['log is info', { level: 'log' }, (e) => e.level, 'info'],
      ['critical is fatal', { level: 'critical' }, (e) => e.level, 'fatal'],
      ['warn is warning', { level: 'WARN' }, (e) => e.level, 'warning'],
      ['Python numbers', { level: 30 }, (e) => e.level, 'warning'],
      ['Python numbers as text', { level: '50' }, (e) => e.level, 'fatal'],
      ['between two Python levels', { level: 25 }, (e) => e.level, 'info'],
      ['an unknown word is error', { level: 'sample' }, (e) => e.level, 'error'],
      ['a list is error', { level: [] }, (e) => e.level, 'error'],
      ['platform is kept', { platform: 'ruby' }, (e) => e.platform, 'ruby'],
      ['unknown platform is other', { platform: 'toaster' }, (e) => e.platform, 'other'],
      ['missing platform is other', {}, (e) => e.platform, 'other'],
    ]);
  });

  describe('texts that may be anything', () => {
    table([
      ['trimmed', { logger: ' app ' }, (e) => e.logger, 'app'],
      ['boolean', { logger: true }, (e) => e.logger, 'True'],
      ['number', { server_name: 7.5 }, (e) => e.server_name, '7.5'],
      ['object is dropped', { transaction: { a: 1 } }, (e) => e.transaction, null],
      ['blank is absent', { transaction: '  ' }, (e) => e.transaction, null],
      ['culprit is the old name of transaction', { culprit: 'app.views' }, (e) => e.transaction, 'app.views'],
      ['release', { release: 'app@1.0' }, (e) => e.release, 'app@1.0'],
      [
        'release with a slash',
        { release: 'a/b' },
        (e) => [e.release, e.notes],
        [null, ['dropped: release is invalid (has a slash)']],
      ],
      ['release named latest', { release: 'latest' }, (e) => e.release, null],
      ['dist', { dist: '17' }, (e) => e.dist, '17'],
      [
        'dist with blanks inside',
        { dist: 'a b' },
        (e) => [e.dist, e.notes],
        [null, ['dropped: dist is invalid (has other characters than letters, digits, _, . and -)']],
      ],
      ['environment with a space', { environment: 'my prod' }, (e) => [e.environment, e.notes], ['my prod', []]],
      [
        'environment with a slash',
        { environment: 'a/b' },
        (e) => [e.environment, e.notes],
        [null, ['dropped: environment is invalid (has a slash)']],
      ],
      [
        'release that is an object',
        { release: { a: 1 } },
        (e) => [e.release, e.notes],
        [null, ['dropped: release is invalid (is no text)']],
      ],
      [
        'members that are no objects',
        { user: 'ada', request: 7, contexts: { os: 'Linux', app: null }, extra: [1], modules: [], sdk: 'x' },
        (e) => e.notes,
        [
          'dropped: user is invalid (is no object)',
          'dropped: request is invalid (is no object)',
          'dropped: extra is invalid (is no object)',
          'dropped: sdk is invalid (is no object)',
          'dropped: contexts is invalid (one of them is no object)',
        ],
      ],
      [
        'unknown level',
        { level: 'loud' },
        (e) => [e.level, e.notes],
        ['error', ['dropped: level is invalid (is unknown)']],
      ],
      [
        'environment none',
        { environment: 'None' },
        (e) => [e.environment, e.notes],
        [null, ['dropped: environment is invalid (is a reserved word)']],
      ],
      ['environment with a slash', { environment: 'a/b' }, (e) => e.environment, null],
    ]);
  });

  describe('tags', () => {
    const pairs = (event: NormalisedEvent) => event.tags.map(({ key, value }) => [key, value]);
    table([
      [
        'object',
        { tags: { a: 'x', n: 1, yes: true } },
        pairs,
        [
          ['a', 'x'],
          ['n', '1'],
          ['yes', 'True'],
        ],
      ],
      [
        'list of pairs',
        {
          tags: [
            ['a', 'x'],
            ['n', 2],
          ],
        },
        pairs,
        [
          ['a', 'x'],
          ['n', '2'],
        ],
      ],
      ['list of objects', { tags: [{ key: 'a', value: 'x' }] }, pairs, [['a', 'x']]],
      ['null', { tags: null }, pairs, []],
      ['null entries', { tags: [null, ['a', 'x'], 5] }, pairs, [['a', 'x']]],
      [
        'nested value is refused',
        { tags: { a: { b: 1 } } },
        (e) => [e.tags, e.notes],
        [[], ['dropped: tags[0] is invalid (its value is no text)']],
      ],
      [
        'first of a name wins',
        {
          tags: [
            ['a', 1],
            ['a', 2],
          ],
        },
        pairs,
        [['a', '1']],
      ],
      ['blanks in a name', { tags: { 'a b': 1 } }, pairs, [['a-b', '1']]],
      [
        'bad characters in a name',
        { tags: { 'a/b': 1 } },
        (e) => [e.tags, e.notes],
        [[], ['dropped: tags[0] is invalid (its name has other characters than letters, digits, _, ., : and -)']],
      ],
      ['line break in a value', { tags: { a: 'x\ny' } }, pairs, []],
      ['empty value is no tag', { tags: { a: '', b: null } }, (e) => [e.tags, e.notes], [[], []]],
      [
        'environment moves to its member',
        { tags: { environment: 'prod' } },
        (e) => [e.environment, e.tags],
        ['prod', []],
      ],
      ['the member beats the tag', { environment: 'a', tags: { environment: 'b' } }, (e) => e.environment, 'a'],
      [
        'mirrors are dropped',
        { tags: { release: '1', dist: '2', user: 'x', filename: 'f', function: 'g' } },
        pairs,
        [],
      ],
      ['site of old clients', { site: 'main' }, pairs, [['site', 'main']]],
      ['a name that objects have', { tags: { constructor: 'x', __proto__: 'y' } }, pairs, [['constructor', 'x']]],
    ]);
  });

  describe('message', () => {
    const message = (event: NormalisedEvent) => [event.message, event.logentry];
    table([
      ['text', { message: 'hi' }, message, ['hi', null]],
      ['false, as old PHP says none', { message: false }, message, [null, null]],
      ['empty beside exceptions, as Ruby sends', { message: '' }, message, [null, null]],
      ['number', { message: 5 }, message, ['5', null]],
      ['object with formatted only, as Java', { message: { formatted: 'hi' } }, message, ['hi', null]],
      [
        'object of PHP',
        { message: { message: 'u %s', params: ['bob'], formatted: 'u bob' } },
        message,
        ['u bob', { message: 'u %s', params: ['bob'] }],
      ],
      [
        'template and list of parameters',
        { logentry: { message: '%s failed %d times at 100%%', params: ['bob', 3] } },
        message,
        ['bob failed 3 times at 100%', { message: '%s failed %d times at 100%%', params: ['bob', 3] }],
      ],
      [
        'template and named parameters',
        { logentry: { message: 'user %(name)s', params: { name: 'bob' } } },
        message,
        ['user bob', { message: 'user %(name)s', params: { name: 'bob' } }],
      ],
      [
        'braces',
        { logentry: { message: 'user {} did {1}', params: ['bob', 'x'] } },
        message,
        ['user bob did x', { message: 'user {} did {1}', params: ['bob', 'x'] }],
      ],
      ['too few parameters stay visible', { logentry: { message: '%s %s', params: ['a'] } }, (e) => e.message, 'a %s'],
      ['logentry as text', { logentry: 'hi' }, message, ['hi', null]],
      ['logentry with message only', { logentry: { message: 'hi' } }, message, ['hi', null]],
      [
        'formatted beside a template, as raven',
        { message: 'hi bob', 'sentry.interfaces.Message': { message: 'hi %s', params: [] } },
        message,
        ['hi bob', { message: 'hi %s', params: null }],
      ],
    ]);
  });

  describe('events that are not errors', () => {
    const origin = { eventId: EVENT_ID, receivedAt: RECEIVED_AT, sentAt: null, clientIp: null };
    const rules = { inAppInclude: [], inAppExclude: [] };
    for (const raw of [null, 1, 'text', [], true, [{}]]) {
      it(`${JSON.stringify(raw)} is invalid`, () => {
        assert.deepEqual(normaliseEvent(raw, origin, rules), {
          kind: 'dropped',
          category: 'error',
          outcome: 'invalid',
          reason: 'not_an_object',
        });
      });
    }
    it('a transaction sent to the event route is filtered under its own category', () => {
      assert.deepEqual(normaliseEvent({ type: 'transaction' }, origin, rules), {
        kind: 'dropped',
        category: 'transaction',
        outcome: 'filtered',
        reason: 'unsupported_type',
      });
    });
    for (const type of ['event', 'default', 'error', 'csp', null, 7, 'something new']) {
      it(`type ${JSON.stringify(type)} is stored`, () => {
        assert.equal(normaliseEvent({ type }, origin, rules).kind, 'event');
      });
    }
  });
});
