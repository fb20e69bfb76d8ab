import { counted } from '../../src/lib/counted.ts';
import { OTHER } from './cpu-profile.ts';
import type { ProfileFigures, ThreadProfile } from './profile.ts';
import { DIGEST_STEPS, MAIN_STEPS, type StepRule } from './profile-steps.ts';
import { table, whole, type Row } from './report.ts';
import { median } from './statistics.ts';
import type { StoreName } from './stores.ts';

export interface ProfileRun {
  readonly machine: string;
  readonly date: string;
  readonly seconds: number;
  readonly stores: Readonly<Partial<Record<StoreName, readonly ProfileFigures[]>>>;
  /** Remarks about this run; may be empty. */
  readonly note: string;
}

/** Renders microseconds per event by step, with medians of the rounds. Steps that took nothing are left out. */
export function profileReport({ machine, date, seconds, stores, note }: ProfileRun): string {
  const all = Object.values(stores);
  const rounds = all[0]?.length ?? 0;
  const heading =
    `${date}; ${machine}; median of ${counted(rounds, 'round')} of ${seconds} s; µs of processor time per event.` +
    (note === '' ? '' : ` ${note}`);
  const row = (name: string, pick: (figures: ProfileFigures) => number, show = tenths): Row => [
    name,
    ...all.map((figures) => show(median(figures.map(pick)))),
  ];
  const steps = (rules: readonly StepRule[], thread: 'main' | 'digest'): Row[] =>
    [...rules.map(({ step }) => step), OTHER]
      .map((step) => row(step, (figures) => stepMicroseconds(figures[thread], step)))
      .filter(([, ...values]) => values.some((value) => value !== NOTHING));
  const total = (name: string, pick: (figures: ProfileFigures) => number): Row => row(`**${name}**`, pick);
  const waiting = (thread: 'main' | 'digest'): Row =>
    row(`the ${thread} thread waits, % of its samples`, (figures) => figures[thread].waiting * 100, whole);
  return [
    heading,
    table(
      ['step', ...Object.keys(stores)],
      [
        total('main thread', ({ main }) => main.microseconds),
        ...steps(MAIN_STEPS, 'main'),
        total('digest thread', ({ digest }) => digest.microseconds),
        ...steps(DIGEST_STEPS, 'digest'),
        total('helper threads of V8 and libuv, and the profiler', ({ helpers }) => helpers),
        waiting('main'),
        waiting('digest'),
        row('stored/s meanwhile', ({ storedPerSecond }) => storedPerSecond, whole),
      ],
    ),
  ].join('\n\n');
}

const NOTHING = '–';

function tenths(value: number): string {
  return value < 0.05 ? NOTHING : value.toFixed(1);
}

function stepMicroseconds({ microseconds, steps }: ThreadProfile, step: string): number {
  return microseconds * (steps[step] ?? 0);
}
