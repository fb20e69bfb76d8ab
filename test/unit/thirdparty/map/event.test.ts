import assert from 'node:assert/strict';
import { AppError } from '../../../../src/domain/app-error.ts';
import type { ShownEvent } from '../../../../src/domain/events/tracked-event.ts';
import { isThirdpartyEvent } from '../../../../src/schemas/thirdparty/event.ts';
import { eventSummary, levelOfEvent, projectOfEvent, trackedEvent } from '../../../../src/thirdparty/map/event.ts';
import { shaped, shapedList } from '../../../../src/thirdparty/http/shape.ts';
import { trackerDetails } from '../../../../src/thirdparty/http/tracker-errors.ts';
import { readRecordings } from '../../../support/fake-tracker/recorded.ts';
import { recordedBody } from '../support/recorded-body.ts';

const VIEW = { errorId: '5', nextIsOlder: false };
const read = (body: unknown, view = VIEW) => {
  const event = shaped(isThirdpartyEvent, body, 'an event');
  return trackedEvent(event, { ...view, level: levelOfEvent(event) });
};

const ID = '7ca573c0f4814912aaa9bdc77d1a7d51';

/** An event with these entries and members. */
function eventWith(entries: unknown, patch: object = {}): ShownEvent {
  return read({
    eventID: ID,
    dateCreated: '2025-04-08T21:15:04Z',
    platform: 'python',
    type: 'error',
    entries,
    ...patch,
  }).event;
}

const apiFrame = {
  filename: 'app.py',
  absPath: '/srv/app.py',
  module: 'app',
  package: null,
  function: 'show',
  lineNo: 10,
  colNo: 4,
  inApp: true,
  platform: null,
  context: [[8, 'eight'], [9, null], [10, 'ten'], [11, 'eleven']], // prettier-ignore
  vars: { x: '1', secret: null },
};
const rawFrame = {
  filename: 'app.py',
  abs_path: '/srv/app.py',
  module: 'app',
  function: 'show',
  lineno: 10,
  colno: 4,
  in_app: true,
  pre_context: ['eight', null],
  context_line: 'ten',
  post_context: ['eleven'],
  vars: { x: '1', secret: null },
};
const frame = {
  filename: 'app.py',
  abs_path: '/srv/app.py',
  module: 'app',
  package: null,
  function: 'show',
  lineno: 10,
  colno: 4,
  in_app: true,
  platform: null,
  context_line: 'ten',
  pre_context: ['eight', ''],
  post_context: ['eleven'],
  vars: { x: '1', secret: null },
};

describe('third-party events', () => {
  it('of a recorded Urgentry, whose next event is the older one', () => {
    const recorded = readRecordings('urgentry-0.2.10');
    const bodyOf = (name: string) => recorded.find(({ file }) => file === `${name}.json`)?.body;
    const rows = bodyOf('issue-events') as { eventID: string }[];
    const { event, previousEventId, nextEventId } = read(bodyOf('issue-events-latest'), { ...VIEW, nextIsOlder: true });
    assert.equal(event.event_id, rows[0]?.eventID);
    assert.deepEqual([previousEventId, nextEventId], [rows[1]?.eventID, null]);
  });

  it('of a recorded GlitchTip event', () => {
    const { event, errorId, receivedAt, previousEventId, nextEventId } = read(recordedBody('issue-3-latest-event'));
    assert.equal(errorId, '5');
    assert.equal(receivedAt, Date.parse('2026-11-20T18:51:25.210Z'));
    assert.deepEqual([previousEventId, nextEventId], ['45fd5bee6e57456ca4e8ab4fda64efdd', null]);
    assert.deepEqual(
      [event.event_id, event.timestamp, event.platform, event.release, event.environment, event.server_name],
      ['5ca824caab0845e4849ae4987947d107', '2026-11-20T18:20:17.739Z', 'python', 'app@1.0.0', 'prod', 'vm'],
    );
    assert.deepEqual(
      event.exceptions.map(({ type, value, mechanism }) => [type, value, mechanism?.handled]),
      [['KeyError', "'missing-5'", true], ['ValueError', 'outer', true]], // prettier-ignore
    );
    const inner = event.exceptions[0]?.frames?.at(-1);
    assert.deepEqual(
      [inner?.function, inner?.lineno, inner?.context_line, inner?.pre_context.length, inner?.post_context.length],
      ['inner', 7, '    secret="s3"; return {}["missing-%s"%x]', 5, 5],
    );
    assert.deepEqual(inner?.vars, { x: '5', secret: '[Filtered]' });
    assert.deepEqual(event.user, { id: '7', username: null, email: 'a@b.c', name: null, ip_address: null, data: {} });
    assert.deepEqual(event.extra, { e: { a: [1, 2] }, 'sys.argv': ['py.py'] });
    assert.deepEqual(event.sdk, { name: 'sentry.python.flask', version: '2.68.0' });
    assert.equal(event.modules.pip, '23.2.1');
    assert.equal(event.message, null);
  });

  it('of every recorded event', () => {
    for (const name of ['issue-1', 'issue-2', 'issue-3', 'issue-4']) {
      const { event } = read(recordedBody(`${name}-latest-event`));
      assert.ok(
        event.exceptions.some(({ frames }) => (frames?.length ?? 0) > 0),
        name,
      );
      assert.ok(event.tags.length > 4, name);
    }
    const crumbs = read(recordedBody('issue-4-latest-event')).event.breadcrumbs;
    assert.deepEqual(crumbs, [{ timestamp: '2026-11-20T18:35:55.196Z', type: 'default', category: 'x', level: 'info', message: 'bc', data: null }]); // prettier-ignore
  });

  it('of a recorded list, spelt in snake case', () => {
    const { rows } = shapedList(isThirdpartyEvent, recordedBody('issue-events'), 'an event');
    assert.deepEqual(
      rows.map((row) => [eventSummary(row, '67'), projectOfEvent(row)]),
      [
        [
          {
            eventId: '14d582b0f14e495f963bab72ccf0e5aa',
            errorId: '67',
            at: Date.parse('2026-11-20T18:39:10Z'),
            receivedAt: Date.parse('2026-11-20T18:51:25.251Z'),
          },
          '1',
        ],
      ],
    );
  });

  it('frames as the API writes them and as SDKs send them are the same frames', () => {
    for (const one of [apiFrame, rawFrame]) {
      const data = { values: [{ type: 'E', value: 'v', stacktrace: { frames: [one] } }] };
      assert.deepEqual(eventWith([{ type: 'exception', data }]).exceptions[0]?.frames, [frame]);
    }
    const bare = eventWith([{ type: 'exception', data: { values: [{ stacktrace: { frames: [{}] } }] } }]);
    assert.deepEqual(
      bare.exceptions[0]?.frames?.map(({ filename, lineno, in_app, context_line, vars }) => [filename, lineno, in_app, context_line, vars]), // prettier-ignore
      [[null, null, false, null, null]],
    );
  });

  it('take the level of their error where they have none, and none is made up', () => {
    const event = shaped(isThirdpartyEvent, { eventID: ID, type: 'error' }, 'an event');
    assert.equal(trackedEvent(event, { ...VIEW, level: levelOfEvent(event) }).event.level, null);
    assert.equal(trackedEvent(event, { ...VIEW, level: 'fatal' }).event.level, 'fatal');
    assert.equal(read({ eventID: ID, level: 'warning' }).event.level, 'warning');
    assert.equal(read({ eventID: ID, level: 'odd', tags: [['level', 'debug']] }).event.level, 'debug');
  });

  it('a message with its template', () => {
    const data = { formatted: 'user bob failed', message: 'user %s failed', params: ['bob'] };
    const event = eventWith([{ type: 'message', data }], { type: 'default' });
    assert.deepEqual([event.message, event.logentry], ['user bob failed', { message: 'user %s failed', params: ['bob'] }]); // prettier-ignore
    assert.equal(event.level, null);
    assert.equal(eventWith([{ type: 'message', data: { message: 'old' } }]).message, 'old');
    assert.equal(eventWith([], { type: 'default', message: 'only here' }).message, 'only here');
  });

  it('threads, and a stack trace without an exception', () => {
    const values = [
      { id: 3, name: 'main', crashed: true, current: true, stacktrace: { frames: [rawFrame] } },
      { id: 4 },
    ];
    const { threads } = eventWith([{ type: 'threads', data: { values } }]);
    assert.deepEqual(threads[0], { id: '3', name: 'main', crashed: true, current: true, frames: [frame] });
    assert.deepEqual(threads[1], { id: '4', name: null, crashed: false, current: false, frames: null });
    const alone = eventWith([{ type: 'stacktrace', data: { frames: [apiFrame] } }]);
    assert.deepEqual(alone.threads, [{ id: null, name: null, crashed: false, current: true, frames: [frame] }]);
    const owned = eventWith([
      { type: 'exception', data: { values: [{ type: 'E' }] } },
      { type: 'stacktrace', data: { frames: [apiFrame] } },
    ]);
    assert.deepEqual([owned.exceptions[0]?.frames, owned.threads], [[frame], []]);
    const template = eventWith([
      { type: 'template', data: { lineNo: 3, filename: 'a.html', context: [[3, '{% x %}']] } },
    ]);
    assert.deepEqual(
      template.threads[0]?.frames?.map(({ filename, lineno, context_line }) => [filename, lineno, context_line]),
      [['a.html', 3, '{% x %}']],
    );
  });

  it('requests in every form', () => {
    const request = (data: object) => eventWith([{ type: 'request', data }]).request;
    assert.deepEqual(
      request({
        method: 'GET',
        url: 'https://x/',
        query: [['a', '1']],
        headers: [['H', 'v']],
        cookies: [['c', '2']],
        data: { p: 1 },
        env: { E: 'x' },
      }),
      {
        // prettier-ignore
        method: 'GET',
        url: 'https://x/',
        query_string: [['a', '1']],
        headers: [['H', 'v']],
        cookies: [['c', '2']],
        data: { p: 1 },
        env: { E: 'x' },
      },
    );
    assert.deepEqual(request({ query: 'a=1&a=2' })?.query_string, [['a', '1'], ['a', '2']]); // prettier-ignore
    assert.deepEqual(request({ headers: { H: ['v', 'w'], I: 5 } })?.headers, [['H', 'v'], ['H', 'w'], ['I', '5']]); // prettier-ignore
    assert.deepEqual(request({ query: null, headers: null })?.headers, []);
  });

  it('reports of browsers, and nothing of what is not known', () => {
    const event = eventWith([
      { type: 'csp', data: { blocked_uri: 'x' } },
      { type: 'spans', data: [1] },
      { type: 'debugmeta', data: { images: [] } },
      { type: 'made up', data: null },
    ]);
    assert.deepEqual(event.contexts, { csp: { blocked_uri: 'x' } });
    assert.deepEqual([event.exceptions, event.threads, event.request], [[], [], null]);
  });

  it('tags, release and what the tracker could not process', () => {
    const event = eventWith(null, {
      tags: [{ key: 'level', value: 'fatal' }, { key: 'logger', value: 'my.log' }, ['dist', '5'], { key: 'dist', value: '6' }, { key: '', value: 'x' }, null], // prettier-ignore
      release: { version: 'app@3', lastCommit: { author: { email: 'jane@example.com' } } },
      errors: [{ type: 'js_no_source', message: 'not there', data: {} }, { type: 'bare' }, 'odd'],
      fingerprints: ['60d1'],
      userReport: { email: 'jane@example.com' },
      user: { id: null, email: null, data: null },
    });
    assert.deepEqual([event.level, event.logger, event.dist, event.release], ['fatal', 'my.log', '5', 'app@3']);
    assert.deepEqual(event.tags.map(({ key }) => key), ['level', 'logger', 'dist']); // prettier-ignore
    assert.deepEqual([event.notes, event.fingerprint], [['js_no_source: not there', 'bare'], ['60d1']]);
    assert.equal(event.user, null);
    assert.ok(!JSON.stringify(event).includes('@example.com'));
  });

  it('dates that are missing, and text that no JSON reader likes', () => {
    const event = eventWith([], {
      dateCreated: null,
      dateReceived: '2025-04-08T21:15:04.700878Z',
      title: 'a\u0000b\ud800',
    });
    assert.deepEqual([event.timestamp, event.message], ['2025-04-08T21:15:04.700Z', 'ab\ufffd']);
    assert.equal(eventWith([], { dateCreated: 'soon' }).timestamp, '1970-01-01T00:00:00.000Z');
  });

  it('trees of any depth can be written again', () => {
    const deep = JSON.parse('{"a":'.repeat(5000) + '1' + '}'.repeat(5000)) as object;
    const event = eventWith([{ type: 'request', data: { data: deep } }], { contexts: deep, context: { deep } });
    assert.ok(JSON.stringify(event).length < 5000);
    const odd = JSON.parse('{"__proto__":{"x":1}}') as object;
    assert.equal(JSON.stringify(eventWith([], { context: odd }).extra), '{"__proto__":{"x":1}}');
  });

  const broken: [name: string, body: unknown, webMessage: string][] = [
    ['no id', { entries: [] }, 'Third-party API response is missing keys. key not found: "eventID"'],
    ['an id that is none', { eventID: 'x' }, 'Third-party API response contains invalid value for field "eventID"'],
    ['entries that are none', { eventID: ID, entries: 5 }, 'Third-party API response contains invalid value for field "entries"'], // prettier-ignore
  ];
  for (const [name, body, webMessage] of broken) {
    it(`with ${name} are refused`, () => {
      assert.throws(
        () => read(body),
        (error: unknown) => error instanceof AppError && trackerDetails(error)?.webMessage === webMessage,
      );
    });
  }
});
