import assert from 'node:assert/strict';
import Table from 'cli-table3';
import { AppError } from '../../../src/domain/app-error.ts';
import type { ErrorBackend } from '../../../src/domain/ports/error-backend.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import { ERROR_SORTS, type ErrorQuery, type ErrorSort } from '../../../src/domain/search/error-query.ts';
import { ERROR_STATUSES, type ErrorStatus } from '../../../src/domain/errors/error-status.ts';
import { createTrackerSetup } from '../../../src/thirdparty/tracker-setup.ts';
import { createUrlGuard } from '../../../src/thirdparty/guard/url-guard.ts';
import { startLinkedWorld, TRACKER_TOKEN, type LinkedWorld } from '../../support/fake-tracker/linked-world.ts';
import { PERSONALITY_NAMES, type PersonalityName } from '../../support/fake-tracker/personality.ts';
import { linkedBackend } from '../../support/fake-tracker/thirdparty-backend.ts';
import { firstSeen, lastSeen, usersOf, type FakeIssue } from '../../support/fake-tracker/world.ts';

const NOW = Date.UTC(2026, 2, 10, 12, 30);
const MINUTE = 60_000;
const PROJECT: Project = {
  id: 1,
  path: 'group/app',
  name: 'app',
  visibility: 'private',
  monitorEnabled: true,
  createdAt: NOW,
};

/** No two errors agree in what lists are sorted by, so that every list has one right order. */
function fill({ tracker, shop, other }: LinkedWorld): void {
  const last = [7, 3, 11, 1, 9, 5, 2, 12, 4, 10, 8, 6];
  const users = [5, 12, 1, 8, 3, 10, 7, 2, 11, 4, 9, 6];
  for (const [index, minutes] of last.entries()) {
    const count = 12 + ((index * 5) % 12);
    tracker.world.addIssue(shop, {
      title: `ValueError: number ${index} ${index % 2 === 0 ? 'even' : 'odd'}`,
      message: `number ${index} ${index % 2 === 0 ? 'even' : 'odd'}`,
      level: index % 3 === 0 ? 'fatal' : 'error',
      status: ERROR_STATUSES[index % 5 === 4 ? 2 : index % 5 === 3 ? 1 : 0],
      events: Array.from({ length: count }, (_, event) => ({
        at: NOW - (minutes + event * (60 + ((index * 7) % 12))) * MINUTE,
        user: `u${event % users[index]!}`,
        environment: index % 4 < 2 ? 'production' : 'staging',
        release: `app@1.${index % 4}`,
      })),
    });
  }
  tracker.world.addIssue(other, { title: 'ValueError: number 99 even odd', events: [{ at: NOW }] });
}

const SCORES: Readonly<Record<ErrorSort, (issue: FakeIssue) => number>> = {
  last_seen: lastSeen,
  first_seen: firstSeen,
  frequency: (issue) => issue.events.length,
  users: usersOf,
  matters: lastSeen,
};

const FILTERS = {
  none: {},
  environment: { environment: 'staging' },
  release: { release: 'app@1.1' },
  level: { level: 'fatal' },
} as const satisfies Record<string, Partial<ErrorQuery>>;
type FilterName = keyof typeof FILTERS;

const KEPT_BY: Readonly<Record<FilterName, (issue: FakeIssue) => boolean>> = {
  none: () => true,
  environment: (issue) => issue.events[0]!.environment === 'staging',
  release: (issue) => issue.events[0]!.release === 'app@1.1',
  level: (issue) => issue.level === 'fatal',
};

/** Ids in the right order, found without any tracker's help. */
function expected(world: LinkedWorld, query: ErrorQuery, filter: FilterName): string[] {
  return world.tracker.world.issues
    .filter(
      (issue) =>
        issue.project === world.shop &&
        (query.status === 'all' || issue.status === query.status) &&
        KEPT_BY[filter](issue) &&
        (query.search === null || issue.title.includes(query.search)),
    )
    .sort((a, b) => SCORES[query.sort](b) - SCORES[query.sort](a))
    .map(({ id }) => id);
}

/** Pages forth to the end and back to the beginning; both must show the same. */
async function walked(backend: ErrorBackend, query: ErrorQuery): Promise<string[]> {
  const forth: string[][] = [];
  let page = await backend.list(PROJECT, query);
  forth.push(page.items.map(({ id }) => id));
  while (page.next !== null) {
    page = await backend.list(PROJECT, { ...query, cursor: page.next });
    forth.push(page.items.map(({ id }) => id));
    assert.ok(forth.length < 20);
  }
  const back = [forth.at(-1)!];
  while (page.previous !== null) {
    page = await backend.list(PROJECT, { ...query, cursor: page.previous });
    back.unshift(page.items.map(({ id }) => id));
    assert.ok(back.length < 20);
  }
  assert.deepEqual(back, forth, 'the way back shows the same pages');
  return forth.flat();
}

interface Tally {
  right: number;
  refused: number;
}

describe('the matrix of trackers and what people do with them', () => {
  const cells = new Map<string, Map<PersonalityName, string>>();
  const put = (row: string, name: PersonalityName, cell: string): void => {
    cells.set(row, (cells.get(row) ?? new Map<PersonalityName, string>()).set(name, cell));
  };
  after(() => {
    const table = new Table({ head: ['', ...PERSONALITY_NAMES], style: { head: [], border: [] } });
    for (const [row, columns] of cells) table.push([row, ...PERSONALITY_NAMES.map((name) => columns.get(name) ?? '?')]);
    console.log(table.toString());
  });

  const KINDS = { 'Sentry 21.4': 'sentry', 'Sentry 26': 'sentry', 'GlitchTip 5.2': 'glitchtip', Urgentry: 'urgentry' } as const; // prettier-ignore
  for (const [name, kind] of PERSONALITY_NAMES.flatMap(
    (one) =>
      [
        [one, KINDS[one]],
        [one, undefined],
      ] as const,
  )) {
    // prettier-ignore
    describe(`${name}, ${kind === undefined ? 'of a kind that was not found out' : 'by its kind'}`, () => {
      let world: LinkedWorld;
      let backend: ErrorBackend;
      before(async () => {
        world = await startLinkedWorld(name, { now: NOW, lessons: 2, ...(kind === undefined ? {} : { kind }) });
        fill(world);
        backend = linkedBackend(world, ({ id }) => world.settingsFor(id, world.shop));
      });
      afterEach(() => {
        world.tracker.assertClean();
      });
      after(async () => {
        await world.close();
      });

      it('Connect', async () => {
        const setup = createTrackerSetup({
          client: world.client,
          guard: createUrlGuard({ allow: '127.0.0.1' }),
          cipher: { encrypt: (token) => token, decrypt: () => TRACKER_TOKEN, isCurrent: () => true },
          cache: { forgetProject: () => undefined, scopeOf: () => '' },
        });
        const { projects } = await setup.connect(1, null, { apiHost: world.tracker.origin, token: TRACKER_TOKEN });
        assert.ok(projects !== null && projects.some(({ slug, id }) => slug === 'shop' && id === world.shop.id));
        put('Connect', name, `${projects.length} projects`);
      });

      for (const sort of ERROR_SORTS) {
        for (const status of [...ERROR_STATUSES, 'all'] as const) {
          it(`list by ${sort}, ${status}: every filter, search and page`, async () => {
            const { sorts, filters } = await backend.capabilities(PROJECT);
            const tally: Tally = { right: 0, refused: 0 };
            for (const filter of Object.keys(FILTERS) as FilterName[]) {
              for (const search of [null, 'even'] as const) {
                const query: ErrorQuery = {
                  ...{ environment: null, release: null, level: null },
                  ...FILTERS[filter],
                  ...{ status, sort, search, limit: 2, cursor: null },
                };
                const able = sorts.includes(sort) && (filter === 'none' || filters.includes(filter));
                try {
                  assert.deepEqual(
                    await walked(backend, query),
                    expected(world, query, filter),
                    `${filter} ${search ?? ''}`,
                  );
                  assert.ok(able, 'worked although the capabilities do not name it');
                  tally.right += 1;
                } catch (error) {
                  if (!(error instanceof AppError) || error.code !== 'unsupported_by_tracker') throw error;
                  assert.ok(!able, `refused although the capabilities name it: ${error.message}`);
                  tally.refused += 1;
                }
              }
            }
            assert.equal(tally.right + tally.refused, 8);
            put(`list ${sort}, ${status}`, name, tally.right === 0 ? 'says it cannot' : `${tally.right} of 8 right`);
          });
        }
      }

      it('details', async () => {
        for (const issue of world.tracker.world.issues.filter(({ project }) => project === world.shop)) {
          const detail = await backend.get(PROJECT, issue.id);
          assert.deepEqual([detail.id, detail.title, detail.count], [issue.id, issue.title, issue.events.length]);
        }
        put('details', name, 'ok');
      });

      it('events, one by one, with a level that is right', async () => {
        const issue = world.tracker.world.issues[0]!;
        const { items } = await backend.listEvents(PROJECT, issue.id, 3, null);
        assert.equal(items.length, 3);
        for (const { eventId } of items) {
          const { event, errorId } = await backend.event(PROJECT, issue.id, eventId);
          assert.deepEqual([errorId, event.event_id, event.level], [issue.id, eventId, 'fatal']);
        }
        put('events', name, 'ok');
      });

      it('links to pages that the tracker has', async () => {
        const issue = world.tracker.world.issues[0]!;
        const { origin } = world.tracker;
        const pages = {
          sentry: [`${origin}/acme/shop/`, `${origin}/organizations/acme/issues/${issue.id}/`],
          glitchtip: [`${origin}/acme/issues?project=${world.shop.id}`, `${origin}/acme/issues/${issue.id}`],
          urgentry: [`${origin}/issues/`, `${origin}/issues/${issue.id}/`],
        };
        if (kind === undefined) return;
        const { externalUrl } = await backend.get(PROJECT, issue.id);
        assert.deepEqual([await backend.externalUrl(PROJECT), externalUrl], pages[kind]);
      });

      it('a search for a word with an apostrophe', async () => {
        const query = { status: 'all', sort: 'last_seen', search: "it's", environment: null, release: null, level: null, limit: 5, cursor: null } as const; // prettier-ignore
        assert.deepEqual((await backend.list(PROJECT, query)).items, []);
      });

      it('stack trace', async () => {
        const issue = world.tracker.world.issues[0]!;
        const { event, errorId } = await backend.latestEvent(PROJECT, issue.id);
        assert.deepEqual([errorId, event.event_id], [issue.id, issue.events.at(-1)!.id]);
        assert.deepEqual(
          event.exceptions[0]?.frames?.map((frame) => [frame.filename, frame.lineno, frame.in_app]),
          [
            ['framework/run.py', 3, false],
            ['app/views.py', 10, true],
          ],
        );
        put('stack trace', name, 'ok');
      });

      for (const [verb, status] of [
        ['resolve', 'resolved'],
        ['ignore', 'ignored'],
        ['reopen', 'unresolved'],
      ] as const satisfies readonly (readonly [string, ErrorStatus])[]) {
        it(verb, async () => {
          const issue = world.tracker.world.issues[1]!;
          assert.equal(await backend.setStatus(PROJECT, issue.id, status), true);
          assert.equal(issue.status, status);
          assert.equal((await backend.get(PROJECT, issue.id)).status, status);
          put(verb, name, 'ok');
        });
      }
    });
  }
});
