import assert from 'node:assert/strict';
import { AppError } from '../../../src/domain/app-error.ts';
import { AUTH, ENVELOPE, limitsWith, STORE, startIngestApp, type IngestApp } from '../../support/ingest-app.ts';
import { assertRefusal } from '../../support/ingest-assert.ts';

const ID = '7f9bdf379dd94837b0dd965053664889';
const EVENT = JSON.stringify({ event_id: ID });
const ITEM = `{"type":"event"}\n${EVENT}`;
const REPORT =
  '{"type":"client_report"}\n{"discarded_events":[{"reason":"before_send","category":"error","quantity":2}]}';

/** How SDKs read `X-Sentry-Rate-Limits`: seconds by category; an empty name is every category. */
type Reader = (header: string) => Record<string, number>;

const byCategory = (seconds: number, categories: string): [string, number][] =>
  (categories === '' ? [''] : categories.split(';')).map((category) => [category, seconds]);

const READERS: Readonly<Record<string, Reader>> = {
  JavaScript: (header) =>
    Object.fromEntries(
      header
        .trim()
        .split(',')
        .flatMap((limit) => {
          const [seconds = '', categories = ''] = limit.split(':', 5);
          return byCategory(Number.parseInt(seconds, 10), categories);
        }),
    ),
  'Python, which needs whole seconds': (header) =>
    Object.fromEntries(
      header.split(',').flatMap((limit) => {
        const [seconds = '', categories = '', ...rest] = limit.trim().split(':');
        return /^\d+$/.test(seconds) && rest.length > 0 ? byCategory(Number(seconds), categories) : [];
      }),
    ),
  'PHP, which trims nothing': (header) =>
    Object.fromEntries(
      header.split(',').flatMap((limit) => {
        const [seconds = '', categories = ''] = limit.split(':');
        return byCategory(/^\d+$/.test(seconds) ? Number(seconds) : 60, categories);
      }),
    ),
  'Rust, which needs three parts': (header) =>
    Object.fromEntries(
      header.split(',').flatMap((limit) => {
        const parts = limit.trim().split(':');
        return parts.length >= 3 ? byCategory(Number(parts[0]), parts[1] ?? '') : [];
      }),
    ),
  'Go and Java, which leave out categories that they do not know': (header) =>
    Object.fromEntries(
      header.split(',').flatMap((limit) => {
        const [seconds = '', categories = ''] = limit.trim().split(':');
        return byCategory(Number(seconds), categories).filter(([category]) =>
          ['', 'default', 'error', 'session', 'transaction', 'monitor'].includes(category),
        );
      }),
    ),
};

describe('protocol: answers', () => {
  let app: IngestApp;
  beforeEach(async () => {
    app = await startIngestApp({
      rates: limitsWith({ project: { eventsPerMinute: 60, eventsBurst: 3 } }),
      announceNeverKept: true,
      limits: { maxRequestBytes: 10_000 },
    });
  });
  afterEach(() => app.close());
  const store = (body = EVENT, headers: Record<string, string> = AUTH) => app.send(STORE, { headers, body });
  const envelope = (body: string) => app.send(ENVELOPE, { headers: AUTH, body });

  describe('5.1 Statuses', () => {
    it('a kept event is answered 200 {"id"} with the id under which it can be read', async () => {
      assert.equal((await store()).text, `{"id":"${ID}"}`);
      assert.equal((await envelope(`{}\n${ITEM}`)).text, `{"id":"${ID}"}`);
    });

    it('an envelope without event is answered 200 {}', async () => {
      assert.equal((await envelope('{}\n{"type":"session"}\n{}')).text, '{}');
      assert.equal((await envelope(`{}\n${REPORT}`)).text, '{}');
    });

    it('an invalid request is answered 400, 401, 403, 404, 405, 413 or 415, with {"detail"} and X-Sentry-Error', async () => {
      const answers = [
        await store('x'),
        await store(EVENT, {}),
        await store(EVENT, { 'X-Sentry-Auth': 'Sentry sentry_key=nobody' }),
        await app.send('/api/x.y/store/', { headers: AUTH, body: EVENT }),
        await app.send(STORE, { method: 'PUT', headers: AUTH, body: EVENT }),
        await store('x'.repeat(10_001)),
        await store(EVENT, { ...AUTH, 'Content-Encoding': 'lzma' }),
      ];
      assert.deepEqual(
        answers.map(({ status }) => status),
        [400, 401, 403, 404, 405, 413, 415],
      );
      for (const answer of answers) assertRefusal(answer, answer.status);
    });

    it('while events cannot be kept: 503 with Retry-After', async () => {
      app.sink.error = new AppError('ingest_unavailable', 'The disk is full.', { retryAfterSeconds: 10 });
      const answer = await store();
      assertRefusal(answer, 503);
      assert.equal(answer.headers['retry-after'], '10');
      assert.equal(answer.headers['x-sentry-rate-limits'], undefined);
    });
  });

  describe('5.2 Answers as clients read them', () => {
    it('success is exactly 200, never 201, 202, 204 or a redirect', async () => {
      for (const path of [STORE, ENVELOPE, '/api/42/envelope', '//api//42//envelope//']) {
        const body = path === STORE ? EVENT : '{}\n{"type":"session"}\n{}';
        assert.equal((await app.send(path, { headers: AUTH, body })).status, 200, path);
      }
    });

    it('only 429 and 503 have Retry-After', async () => {
      for (const answer of [await store(), await store('x'), await store(EVENT, {}), await envelope('{}')]) {
        assert.equal(answer.headers['retry-after'], undefined);
      }
    });
  });

  describe('5.3 Rate limits', () => {
    const limited = async () => {
      for (let event = 0; event < 3; event += 1) await store();
      return store();
    };

    it('429 carries both headers: whole seconds, three parts, no blanks', async () => {
      const answer = await limited();
      assert.equal(answer.status, 429);
      assert.match(answer.headers['retry-after'] ?? '', /^\d+$/);
      assert.match(String(answer.headers['x-sentry-rate-limits']), /^\d+:error;default:project,3600:[a-z_;]+:project$/);
    });

    for (const [sdk, read] of Object.entries(READERS)) {
      it(`X-Sentry-Rate-Limits is read as intended by ${sdk}`, async () => {
        const limits = read(String((await limited()).headers['x-sentry-rate-limits']));
        assert.equal(limits['error'], 3);
        assert.equal(limits['default'], 3);
        assert.equal(limits['transaction'], 3600);
        for (const category of ['', 'session', 'internal', 'attachment', 'feedback']) {
          assert.equal(limits[category], undefined, category);
        }
      });
    }

    it('an envelope with a kept event is answered 200 with X-Sentry-Rate-Limits alone', async () => {
      const answer = await envelope(`{}\n${ITEM}\n${ITEM}\n${ITEM}\n${ITEM}`);
      assert.equal(answer.status, 200);
      assert.match(String(answer.headers['x-sentry-rate-limits']), /^3:error;default:project,/);
      assert.equal(answer.headers['retry-after'], undefined);
    });

    it('other categories are accepted while events are limited', async () => {
      await limited();
      assert.equal((await envelope('{}\n{"type":"session"}\n{}')).status, 200);
    });

    it('client reports are never limited', async () => {
      await limited();
      assert.equal((await envelope(`{}\n${REPORT}`)).status, 200);
      assert.deepEqual(app.sink.outcomes.at(-1), 'error client_discard/before_send 2');
    });

    it('no wait is longer than 300 seconds, except for categories that are never kept', async () => {
      const slow = await startIngestApp({ rates: limitsWith({ key: { eventsPerMinute: 1, eventsBurst: 1 } }) });
      await slow.send(STORE, { headers: AUTH, body: EVENT });
      const answer = await slow.send(STORE, { headers: AUTH, body: EVENT });
      assert.equal(answer.headers['x-sentry-rate-limits'], '60:error;default:key');
      await slow.close();
    });
  });

  describe('8 Items that are not kept', () => {
    const TYPES = {
      transaction: 'transaction',
      span: 'span',
      otel_span: 'span',
      otel_traces_data: 'span',
      profile: 'profile',
      profile_chunk: 'profile_chunk',
      replay_event: 'replay',
      replay_recording: 'replay',
      replay_video: 'replay',
      log: 'log_item',
      trace_metric: 'trace_metric',
      metric_buckets: 'metric_bucket',
      statsd: 'statsd',
      check_in: 'monitor',
      attachment: 'attachment',
      form_data: 'attachment',
      unreal_report: 'attachment',
      security: 'security',
      raw_security: 'security',
      nel: 'security',
      integration: 'default',
      something_new: 'default',
    };
    for (const [type, category] of Object.entries(TYPES)) {
      it(`${type} is answered 200, dropped and counted as ${category}`, async () => {
        assert.equal((await envelope(`{}\n{"type":"${type}","length":4}\n{\n\n}`)).text, '{}');
        assert.deepEqual(app.sink.outcomes, [`${category} filtered/unsupported_item 1`]);
      });
    }

    it('items with several entries are counted by their entries', async () => {
      await envelope('{}\n{"type":"log","item_count":25}\n{"items":[]}');
      assert.deepEqual(app.sink.outcomes, ['log_item filtered/unsupported_item 25']);
    });

    it('an event beside them is kept', async () => {
      const others = Object.keys(TYPES).map((type) => `{"type":"${type}","length":2}\n{}`);
      assert.deepEqual((await envelope(['{}', ...others, ITEM].join('\n'))).json, { id: ID });
    });

    it('a transaction at store is answered 200, dropped and counted', async () => {
      assert.equal((await store('{"type":"transaction"}')).text, '{}');
      assert.deepEqual(app.sink.outcomes, ['transaction filtered/unsupported_item 1']);
    });

    it('an event with a security report of a browser is kept, at store and in an envelope', async () => {
      const event = JSON.stringify({ event_id: ID, type: 'csp', csp: { effective_directive: 'img-src' } });
      assert.deepEqual((await store(event)).json, { id: ID });
      assert.deepEqual((await envelope(`{}\n{"type":"event"}\n${event}`)).json, { id: ID });
    });

    it('a client report is summed by category and reason', async () => {
      await envelope(`{}\n${REPORT}\n${REPORT}`);
      assert.deepEqual(app.sink.outcomes, ['error client_discard/before_send 4']);
    });

    it('a minidump is answered 200', async () => {
      const item = '{"type":"attachment","attachment_type":"event.minidump","length":4}\nMDMP';
      assert.equal((await envelope(`{"event_id":"${ID}"}\n${item}`)).text, '{}');
    });

    it('categories that are never kept can be announced early, except errors, sessions or all categories', async () => {
      const header = String((await store()).headers['x-sentry-rate-limits']);
      assert.equal(header, '3600:transaction;span;profile;profile_chunk;replay;log_item;trace_metric;monitor:project');
    });

    it('security reports and minidumps are answered 404 at their own addresses', async () => {
      for (const path of [
        '/api/42/security/',
        '/api/42/minidump/',
        '/api/42/unreal/k/',
        '/api/store/',
        '/api/embed/error-page/',
      ]) {
        assert.equal((await app.send(path, { headers: AUTH, body: '{}' })).status, 404, path);
      }
    });
  });
});
