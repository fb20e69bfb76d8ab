import { renderTable } from '../../src/lib/table.ts';
import type { Joined } from './judge.ts';

export interface JoinResults {
  readonly date: string;
  readonly tracker: string;
  /** Errors whose count a run changed, after the run that joined by likeness. */
  readonly rerunChanged: number;
  readonly rows: readonly Joined[];
}

const HEAD = [
  'SDK',
  'issues there',
  'counts equal',
  'live events',
  'joined',
  'exceptions with a stack joined',
  'after a further run',
  'apart',
  'not kept there',
];

const sum = (rows: readonly Joined[], pick: (row: Joined) => number): number =>
  rows.reduce((total, row) => total + pick(row), 0);

function cellsOf(rows: readonly Joined[]): (string | number)[][] {
  const apartOf = (row: Joined): string =>
    Object.entries(row.apart)
      .map(([kind, words]) => `${words.length} ${kind}`)
      .join(', ');
  const all = rows.map((row) => [
    row.sdk,
    row.issues,
    row.equal,
    row.live,
    row.joined,
    `${row.withStackJoined} of ${row.withStack}`,
    row.joinedLater,
    apartOf(row),
    row.notThere.length,
  ]);
  const stacks = `${sum(rows, (row) => row.withStackJoined)} of ${sum(rows, (row) => row.withStack)}`;
  const [issues, equal, live, joined, later, notThere] = [
    sum(rows, (row) => row.issues),
    sum(rows, (row) => row.equal),
    sum(rows, (row) => row.live),
    sum(rows, (row) => row.joined),
    sum(rows, (row) => row.joinedLater),
    sum(rows, (row) => row.notThere.length),
  ];
  return [...all, ['all', issues, equal, live, joined, stacks, later, '', notThere]];
}

/** Table for a terminal. */
export const joinTable = ({ rows }: JoinResults): string => renderTable(HEAD, cellsOf(rows));

/** Page of one tracker's results. */
export function joinPage(results: readonly JoinResults[]): string {
  const parts = results.map(({ date, tracker, rerunChanged, rows }) =>
    [
      `## ${tracker}`,
      `${date}. A run after that changed ${rerunChanged} errors.`,
      [HEAD, HEAD.map(() => '---'), ...cellsOf(rows)].map((cells) => `| ${cells.join(' | ')} |`).join('\n'),
    ].join('\n\n'),
  );
  return ['# Moving in from live trackers', '`npm run drill:moving-in`; see ../README.md.', ...parts].join('\n\n');
}
