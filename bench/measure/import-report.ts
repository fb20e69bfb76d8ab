import { ANSWER_MS, AT_ONCE, type ImportFigures } from './import.ts';
import { table, whole } from './report.ts';

export interface ImportBenchRun {
  readonly machine: string;
  readonly date: string;
  readonly figures: ImportFigures;
  /** Remarks about this run; may be empty. */
  readonly note: string;
}

/** Renders the figures as Markdown. */
export function importReport({ machine, date, figures, note }: ImportBenchRun): string {
  const { errors, requests, seconds, networkSeconds, bareSeconds, idleMb, addedMb, cpuSeconds } = figures;
  const heading =
    `${date}; ${machine}; ${whole(errors)} errors over REST into the embedded store, from a tracker that takes ` +
    `${ANSWER_MS} ms for every answer, ${AT_ONCE} requests at a time.${note === '' ? '' : ` ${note}`}`;
  return [
    heading,
    table(
      ['an import', 'figure'],
      [
        ['requests', whole(requests)],
        ['time, s', whole(seconds)],
        [`of requests × ${ANSWER_MS} ms / ${AT_ONCE}`, (seconds / networkSeconds).toFixed(2)],
        ['of as many requests by a bare client, in the same run', (seconds / bareSeconds).toFixed(2)],
        ['processor time of the service, s', whole(cpuSeconds)],
        ['memory of the idle service / most more during the import, MB', `${whole(idleMb)} / ${whole(addedMb)}`],
      ],
    ),
  ].join('\n\n');
}
