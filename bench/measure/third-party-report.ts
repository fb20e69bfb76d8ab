import { table, whole } from './report.ts';
import { median } from './statistics.ts';
import { LATENCY_MS, PROJECTS, type ThirdPartyFigures } from './third-party.ts';

export interface ThirdPartyRun {
  readonly machine: string;
  readonly date: string;
  readonly samples: number;
  readonly rounds: readonly ThirdPartyFigures[];
  /** Remarks about this run; may be empty. */
  readonly note: string;
}

/** Renders the figures as Markdown, with medians of the rounds. */
export function thirdPartyReport({ machine, date, samples, rounds, note }: ThirdPartyRun): string {
  const of = (pick: (figures: ThirdPartyFigures) => number): number => median(rounds.map(pick));
  const pair = (name: 'direct' | 'warm' | 'cold'): string =>
    `${of((f) => f[name].p50).toFixed(1)} / ${of((f) => f[name].p95).toFixed(1)}`;
  const heading =
    `${date}; ${machine}; median of ${rounds.length} rounds of ${samples} lists of 20 errors each, from a tracker ` +
    `that takes ${LATENCY_MS} ms for every answer.${note === '' ? '' : ` ${note}`}`;
  return [
    heading,
    table(
      ['list of errors in an external tracker', 'figure'],
      [
        ['asked of the tracker itself, p50 / p95, ms', pair('direct')],
        ['through errgate with a copy, p50 / p95, ms', pair('warm')],
        ['through errgate without one, p50 / p95, ms', pair('cold')],
        ['without one, more than the tracker itself, median, ms', of((f) => f.added).toFixed(1)],
        [
          `${whole(PROJECTS)} projects with settings, each read once, MB / copies of their lists, MB`,
          `${of((f) => f.settingsMb).toFixed(0)} / ${of((f) => f.copiesMb).toFixed(0)}`,
        ],
      ],
    ),
  ].join('\n\n');
}
