import assert from 'node:assert/strict';
import { ERROR_STATUSES } from '../../src/domain/errors/error-status.ts';
import {
  ANY,
  errorNamed,
  is,
  listed,
  MINUTE,
  namesOf,
  NOW,
  type BackendHarness,
  type SeedError,
} from './backend-harness.ts';

const EVENTS = [40, 30, 20, 10, 5].map((minutes, index) => ({
  at: NOW - minutes * MINUTE,
  user: `u${index}`,
  environment: index === 0 ? 'staging' : 'production',
  release: index === 4 ? 'app@1.1' : 'app@1.0',
}));
const ALPHA: SeedError = { name: 'alpha', type: 'TypeError', events: EVENTS };
const BRAVO: SeedError = { name: 'bravo', events: [{ at: NOW - MINUTE }] };

const STRANGE_IDS = [
  '99999999',
  '0',
  '-1',
  '007',
  '1e3',
  '1.0',
  '0x10',
  '9'.repeat(40),
  'x',
  'abc',
  'latest',
  '',
  ' ',
  '.',
  '..',
  '../1',
  '1/..',
  '1/events',
  '%2e%2e',
  '1?x=1',
  '1#x',
  '1%00',
  '1\r\nX: y',
  "1' OR '1'='1",
  'ü',
  'f'.repeat(32),
  'f'.repeat(5000),
];

export function backendErrorContract(harness: () => BackendHarness): void {
  describe('single errors', () => {
    it('shows the error of the list, with more details', async () => {
      const { backend, project, seed, namesEnvironments = true } = harness();
      await seed(project, [ALPHA, BRAVO]);
      const {
        frequency: _hours,
        firstRelease: _first,
        lastRelease: _last,
        tracker: facts,
        ...known
      } = await errorNamed(harness(), 'alpha');
      const detail = await backend.get(project, known.id);
      for (const [key, value] of Object.entries(known)) {
        assert.deepEqual(detail[key as keyof typeof detail], value, key);
      }
      // Lists of trackers leave the releases out.
      const { firstRelease: _firstFacts, lastRelease: _lastFacts, ...shown } = detail.tracker ?? {};
      const { firstRelease: _firstListed, lastRelease: _lastListed, ...listedFacts } = facts ?? {};
      assert.deepEqual(shown, listedFacts);
      assert.equal(detail.tracker === null, (await backend.externalUrl(project)) === null);
      assert.ok(detail.firstRelease === null || detail.firstRelease === 'app@1.0');
      assert.ok(detail.lastRelease === null || detail.lastRelease === 'app@1.1');
      for (const [list, values] of [
        [detail.environments, ['production', 'staging']],
        [detail.releases, ['app@1.0', 'app@1.1']],
      ] as const) {
        if (list !== null) assert.deepEqual([...list].sort(), values);
      }
      if (detail.frequency30d !== null) {
        assert.equal(detail.frequency30d.length, 30);
        assert.equal(
          detail.frequency30d.reduce((sum, [, count]) => sum + count, 0),
          5,
        );
      }
      const environment = detail.tags?.find(({ key }) => key === 'environment');
      if (detail.tags !== null && namesEnvironments) {
        assert.deepEqual(environment, {
          key: 'environment',
          total: 5,
          values: [
            { value: 'production', count: 4 },
            { value: 'staging', count: 1 },
          ],
          other: 0,
        });
      }
    });

    it('answers not_found for ids of no error', async () => {
      const { backend, project, seed } = harness();
      await seed(project, [ALPHA]);
      for (const id of STRANGE_IDS) {
        await assert.rejects(backend.get(project, id), is('not_found'), id);
        await assert.rejects(backend.latestEvent(project, id), is('not_found'), id);
        await assert.rejects(backend.listEvents(project, id, 10, null), is('not_found'), id);
        await assert.rejects(backend.event(project, id, 'a'.repeat(32)), is('not_found'), id);
        await assert.rejects(backend.setStatus(project, id, 'resolved'), is('not_found'), id);
      }
      assert.equal(namesOf(await listed(harness(), { status: 'unresolved' })), 'alpha');
    });

    it('keeps errors of other projects out of every read and write', async () => {
      const { backend, project, foreign, seed } = harness();
      await seed(project, [ALPHA]);
      await seed(foreign, [BRAVO]);
      const { id } = (await backend.list(foreign, ANY)).items[0]!;
      const { event } = await backend.latestEvent(foreign, id);
      await assert.rejects(backend.get(project, id), is('not_found'));
      await assert.rejects(backend.latestEvent(project, id), is('not_found'));
      await assert.rejects(backend.listEvents(project, id, 10, null), is('not_found'));
      await assert.rejects(backend.event(project, id, event.event_id), is('not_found'));
      await assert.rejects(backend.setStatus(project, id, 'resolved'), is('not_found'));
      assert.equal((await backend.get(foreign, id)).status, 'unresolved');
      const own = await errorNamed(harness(), 'alpha');
      await assert.rejects(backend.event(project, own.id, event.event_id), is('not_found'));
    });

    it('resolves, ignores and reopens', async () => {
      const { backend, project, seed } = harness();
      await seed(project, [ALPHA, BRAVO]);
      const { id } = await errorNamed(harness(), 'alpha');
      for (const status of ['resolved', 'ignored', 'unresolved', 'unresolved', 'resolved'] as const) {
        assert.equal(await backend.setStatus(project, id, status), true);
        assert.equal((await backend.get(project, id)).status, status);
        for (const each of ERROR_STATUSES) {
          const names = namesOf(await listed(harness(), { status: each })).split(' ');
          assert.equal(names.includes('alpha'), each === status, `${each} after ${status}`);
        }
      }
      assert.equal((await errorNamed(harness(), 'bravo')).status, 'unresolved');
    });
  });

  describe('events', () => {
    it('lists them newest first and pages both ways', async () => {
      const { backend, project, seed } = harness();
      await seed(project, [ALPHA, BRAVO]);
      const { id } = await errorNamed(harness(), 'alpha');
      const times = EVENTS.map((event) => event.at).reverse();
      const whole = await backend.listEvents(project, id, 100, null);
      assert.deepEqual(
        whole.items.map((event) => event.at),
        times,
      );
      assert.deepEqual([whole.previous, whole.next], [null, null]);
      assert.ok(whole.items.every((event) => event.errorId === id && /^[0-9a-f]{32}$/.test(event.eventId)));
      const first = await backend.listEvents(project, id, 2, null);
      const second = await backend.listEvents(project, id, 2, first.next);
      const third = await backend.listEvents(project, id, 2, second.next);
      const pages = [first, second, third].map((page) => page.items.map((event) => event.at));
      assert.deepEqual(pages, [times.slice(0, 2), times.slice(2, 4), times.slice(4)]);
      assert.equal(first.previous, null);
      assert.equal(third.next, null);
      const back = await backend.listEvents(project, id, 2, third.previous);
      assert.deepEqual(back.items, second.items);
      assert.deepEqual((await backend.listEvents(project, id, 2, back.previous)).items, first.items);
    });

    it('shows the latest one and any other with its stack trace', async () => {
      const { backend, project, frames, seed, namesEnvironments = true, namesNeighbours = true } = harness();
      await seed(project, [ALPHA, BRAVO]);
      const { id } = await errorNamed(harness(), 'alpha');
      const latest = await backend.latestEvent(project, id);
      assert.equal(latest.errorId, id);
      const { event } = latest;
      assert.equal(Date.parse(event.timestamp), EVENTS.at(-1)!.at);
      assert.deepEqual(
        [event.level, event.platform, event.environment, event.release],
        ['error', 'python', namesEnvironments ? 'production' : null, 'app@1.1'],
      );
      const exception = event.exceptions[0]!;
      assert.deepEqual([exception.type, exception.value], ['TypeError', 'alpha went wrong']);
      assert.deepEqual(
        exception.frames?.map(({ function: name, lineno }) => `${name ?? ''}:${lineno ?? ''}`),
        frames,
      );
      const crashing = exception.frames.at(-1)!;
      assert.deepEqual(
        [crashing.filename, crashing.abs_path, crashing.in_app, crashing.context_line],
        ['app/views.py', '/srv/app/views.py', true, '    raise ValueError("<b>")'],
      );
      assert.deepEqual(crashing.pre_context, ['def show(request):', '    # why']);
      assert.deepEqual(crashing.post_context, ['', 'def hide():']);
      assert.ok(latest.receivedAt >= EVENTS.at(-1)!.at);

      const { items } = await backend.listEvents(project, id, 100, null);
      for (const [index, row] of items.entries()) {
        const single = await backend.event(project, id, row.eventId);
        assert.equal(single.event.event_id, row.eventId);
        assert.equal(Date.parse(single.event.timestamp), row.at);
        if (!namesNeighbours) continue;
        const [older, newer] = [items[index + 1]?.eventId ?? null, items[index - 1]?.eventId ?? null];
        assert.ok([older, null].includes(single.previousEventId), 'older neighbour');
        assert.ok([newer, null].includes(single.nextEventId), 'newer neighbour');
      }
    });

    it('shows a message without an exception', async () => {
      const { backend, project, seed } = harness();
      await seed(project, [
        { name: 'hello', type: null, message: 'hello world', level: 'info', events: [{ at: NOW }] },
      ]);
      const error = await errorNamed(harness(), 'hello');
      assert.deepEqual([error.title, error.level], ['hello world', 'info']);
      const { event } = await backend.latestEvent(project, error.id);
      assert.deepEqual([event.message, event.exceptions], ['hello world', []]);
    });

    it('answers not_found for unknown events and for events of another error', async () => {
      const { backend, project, seed } = harness();
      await seed(project, [ALPHA, BRAVO]);
      const [alpha, bravo] = [await errorNamed(harness(), 'alpha'), await errorNamed(harness(), 'bravo')];
      const { event } = await backend.latestEvent(project, bravo.id);
      for (const id of [event.event_id, 'a'.repeat(32), 'x', '', '..', 'latest/', '../latest', 'G'.repeat(32)]) {
        await assert.rejects(backend.event(project, alpha.id, id), is('not_found'), id);
      }
    });
  });
}
