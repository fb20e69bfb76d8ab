import assert from 'node:assert/strict';
import type { TrackedError } from '../../src/domain/errors/tracked-error.ts';
import {
  ERROR_SORTS,
  type ErrorFilter,
  type ErrorQuery,
  type ErrorSort,
  type SeenBounds,
} from '../../src/domain/search/error-query.ts';
import {
  ANY,
  is,
  listed,
  messageOf,
  MINUTE,
  namesOf,
  NOW,
  titleOf,
  type BackendHarness,
  type SeedError,
} from './backend-harness.ts';

/** Four errors in four different orders. */
export const ORDERED: readonly SeedError[] = [
  // Last seen third, first seen first, three events, one user.
  { name: 'alpha', events: [at(30, 'u1'), at(5, 'u1'), at(4, 'u1')] },
  { name: 'bravo', events: [at(20, 'u1'), at(1, 'u2')] },
  { name: 'charlie', events: [at(10, 'u1'), at(9, 'u2'), at(8, 'u3'), at(2, 'u3')] },
  { name: 'delta', events: [at(6, 'u1')] },
];

const EXPECTED: Readonly<Record<ErrorSort, string>> = {
  last_seen: 'bravo charlie alpha delta',
  first_seen: 'delta charlie bravo alpha',
  frequency: 'charlie alpha bravo delta',
  // Alpha and delta have one user each: the later born first.
  users: 'charlie bravo delta alpha',
  // All are new: more users, then more events.
  matters: 'charlie bravo alpha delta',
};

function at(minutes: number, user: string) {
  return { at: NOW - minutes * MINUTE, user };
}

const STATUSES: readonly SeedError[] = [
  { name: 'open', events: [at(1, 'a')] },
  { name: 'done', status: 'resolved', events: [at(2, 'a')] },
  { name: 'hushed', status: 'ignored', events: [at(3, 'a')] },
];

const TAGGED: readonly SeedError[] = [
  {
    name: 'alpha',
    events: [
      { ...at(3, 'a'), environment: 'production', release: 'app@1.0' },
      { ...at(2, 'a'), environment: 'staging', release: 'app@1.1' },
    ],
  },
  { name: 'bravo', level: 'fatal', events: [{ ...at(4, 'a'), environment: 'staging', release: 'app@1.0' }] },
];

export function backendListContract(harness: () => BackendHarness): void {
  describe('lists', () => {
    for (const sort of ERROR_SORTS) {
      it(`sorts by ${sort}, or says that it cannot`, async () => {
        const { backend, project, seed } = harness();
        await seed(project, ORDERED);
        if ((await backend.capabilities(project)).sorts.includes(sort)) {
          assert.equal(namesOf(await listed(harness(), { sort })), EXPECTED[sort]);
        } else {
          await assert.rejects(backend.list(project, { ...ANY, sort }), is('unsupported_by_tracker'));
        }
      });
    }

    it('lists errors of each status, and all', async () => {
      const { project, seed } = harness();
      await seed(project, STATUSES);
      for (const [status, expected] of [
        ['unresolved', 'open'],
        ['resolved', 'done'],
        ['ignored', 'hushed'],
        ['all', 'open done hushed'],
      ] as const) {
        const found = await listed(harness(), { status });
        assert.equal(namesOf(found), expected);
        for (const error of found) if (status !== 'all') assert.equal(error.status, status);
      }
    });

    it('filters by what its capabilities name, and refuses other filters', async () => {
      const { backend, project, seed } = harness();
      await seed(project, TAGGED);
      const { filters } = await backend.capabilities(project);
      const cases: readonly [filter: 'environment' | 'release' | 'level', Partial<ErrorQuery>, string][] = [
        ['environment', { environment: 'staging' }, 'alpha bravo'],
        ['environment', { environment: 'production' }, 'alpha'],
        ['environment', { environment: 'nowhere' }, ''],
        ['release', { release: 'app@1.0' }, 'alpha bravo'],
        ['release', { release: 'app@1.1' }, 'alpha'],
        ['release', { release: '1.0' }, ''],
        ['release', { release: 'app@1*' }, ''],
        ['level', { level: 'fatal' }, 'bravo'],
        ['level', { level: 'debug' }, ''],
      ];
      for (const [filter, query, expected] of cases) {
        if (filters.includes(filter)) {
          assert.equal(namesOf(await listed(harness(), query)), expected, JSON.stringify(query));
        } else {
          await assert.rejects(backend.list(project, { ...ANY, ...query }), is('unsupported_by_tracker'));
        }
      }
      if (filters.includes('environment') && filters.includes('level')) {
        assert.equal(namesOf(await listed(harness(), { environment: 'staging', level: 'fatal' })), 'bravo');
        assert.equal(namesOf(await listed(harness(), { environment: 'production', level: 'fatal' })), '');
      }
    });

    it('filters by time if its capabilities name it, and otherwise refuses to', async () => {
      const { backend, project, seed } = harness();
      await seed(project, TAGGED);
      const { filters } = await backend.capabilities(project);
      const all = await listed(harness(), {});
      for (const [filter, member, of] of [
        ['first_seen_after', 'firstSeenAfter', ({ firstSeen }) => firstSeen],
        ['first_seen_before', 'firstSeenBefore', ({ firstSeen }) => firstSeen],
        ['last_seen_after', 'lastSeenAfter', ({ lastSeen }) => lastSeen],
        ['last_seen_before', 'lastSeenBefore', ({ lastSeen }) => lastSeen],
      ] as const satisfies [ErrorFilter, keyof SeenBounds, (error: TrackedError) => number][]) {
        const bound = of(all[0]!);
        if (!filters.includes(filter)) {
          await assert.rejects(backend.list(project, { ...ANY, [member]: bound }), is('unsupported_by_tracker'));
          continue;
        }
        const expected = all.filter((error) => (filter.endsWith('after') ? of(error) >= bound : of(error) <= bound));
        assert.ok(expected.length > 0);
        assert.equal(namesOf(await listed(harness(), { [member]: bound })), namesOf(expected), filter);
      }
    });

    it('takes filter texts literally', async () => {
      const { backend, project, seed } = harness();
      await seed(project, [...TAGGED, ...STATUSES]);
      const { filters } = await backend.capabilities(project);
      for (const text of [
        'a b',
        'x" is:resolved "',
        'x is:resolved',
        "it's",
        '*',
        '[staging]',
        '\\',
        'a:b',
        '!x',
        '(a OR b)',
      ]) {
        for (const filter of ['environment', 'release'] as const) {
          if (!filters.includes(filter)) continue;
          assert.equal(namesOf(await listed(harness(), { [filter]: text })), '', `${filter} ${text}`);
        }
      }
    });

    it('searches words without regard to case', async () => {
      const { project, seed } = harness();
      await seed(project, [
        {
          name: 'alpha',
          type: 'MathError',
          message: 'alpha Division by ZERO',
          culprit: 'calc.div',
          events: [at(1, 'a')],
        },
        { name: 'bravo', type: null, message: 'bravo says "quoted" (x), don\'t', events: [at(2, 'a')] },
        { name: 'charlie', message: 'charlie Überlauf', events: [at(3, 'a')] },
        { name: 'delta', message: 'delta is broken', status: 'resolved', events: [at(4, 'a')] },
      ]);
      for (const [search, expected] of [
        ['zero', 'alpha'],
        ['Division by zero', 'alpha'],
        ['zero division', 'alpha'],
        ['matherror zero', 'alpha'],
        ['zero überlauf', ''],
        ['überlauf', 'charlie'],
        ['"quoted"', 'bravo'],
        ['quoted', 'bravo'],
        ["don't", 'bravo'],
        ['nowhere', ''],
        ['   ', 'alpha bravo charlie delta'],
      ] as const) {
        assert.equal(namesOf(await listed(harness(), { search })), expected, search);
      }
      assert.equal(namesOf(await listed(harness(), { search: 'zero', status: 'resolved' })), '');
      assert.equal(namesOf(await listed(harness(), { search: 'broken', status: 'resolved' })), 'delta');
    });

    it('lets no search text change the query', async () => {
      const { project, seed } = harness();
      await seed(project, [...STATUSES, ...TAGGED]);
      for (const search of [
        'is:resolved',
        '"is:resolved"',
        '" is:resolved "',
        "' is:resolved '",
        '\\" is:resolved \\"',
        'level:fatal',
        'has:release',
        'release:app@1.0',
        'environment:staging',
        '!is:resolved',
        'don*',
        'hushe*',
        'x OR open',
        '[open,done]',
        '0123456789abcdef0123456789abcdef',
      ]) {
        for (const status of ['all', 'unresolved'] as const) {
          assert.equal(namesOf(await listed(harness(), { search, status })), '', search);
        }
      }
      for (const search of [
        '"',
        "'",
        '\\',
        '(',
        ')',
        '()',
        '"" ""',
        'a"b',
        ':',
        'is:',
        '*',
        '!',
        '[',
        ']',
        '\u0000',
        '\n',
        'OR',
      ]) {
        for (const error of await listed(harness(), { search, status: 'unresolved' })) {
          assert.equal(error.status, 'unresolved', search);
        }
      }
    });

    it('shows the values that the tracker has for an error', async () => {
      const { project, seed } = harness();
      const spec: SeedError = {
        name: 'alpha',
        type: 'TypeError',
        culprit: 'shop.pay',
        level: 'fatal',
        events: ORDERED[2]!.events,
      };
      await seed(project, [spec]);
      const [error] = await listed(harness());
      assert.ok(error !== undefined);
      assert.equal(error.title, titleOf(spec));
      assert.equal(error.message, messageOf(spec));
      assert.deepEqual(
        [error.projectId, error.culprit, error.level, error.status, error.count, error.firstSeen, error.lastSeen],
        [project.id, 'shop.pay', 'fatal', 'unresolved', 4, NOW - 10 * MINUTE, NOW - 2 * MINUTE],
      );
      assert.ok(error.userCount === null || error.userCount === 3);
      assert.match(error.id, /^[0-9a-zA-Z-]{1,64}$/);
      if (error.frequency !== null) {
        assert.equal(error.frequency.length, 24);
        assert.equal(
          error.frequency.reduce((sum, [, count]) => sum + count, 0),
          4,
        );
        assert.ok(error.frequency.every(([start], index, all) => index === 0 || start - all[index - 1]![0] === 3600));
      }
    });

    it('lists nothing in an empty project', async () => {
      const { backend, project, foreign, seed } = harness();
      await seed(foreign, ORDERED);
      assert.deepEqual(await backend.list(project, ANY), { items: [], previous: null, next: null });
    });

    it('lists errors of the asked project only', async () => {
      const { backend, project, foreign, seed } = harness();
      await seed(foreign, ORDERED);
      await seed(project, [{ name: 'mine', events: [at(1, 'a')] }]);
      assert.equal(namesOf((await backend.list(project, ANY)).items), 'mine');
      assert.equal((await backend.list(foreign, ANY)).items.length, 4);
    });
  });
}
