import { inertJson, inertLines } from '../../lib/text/inert-text.ts';
import { type Progress, startProgress } from '../../lib/progress.ts';
import { type Cell, renderTable } from '../../lib/table.ts';
import { surroundings } from './invocation.ts';

/**
 * Results go to stdout; warnings and errors to stderr, so that output can be piped. Both may hold words that came
 * from outside: a terminal shows them and obeys none.
 */
export function printLine(text: string): void {
  surroundings().stdout.write(`${inertLines(text)}\n`);
}

export function printJson(value: unknown): void {
  surroundings().stdout.write(`${inertJson(JSON.stringify(value, null, 2), false)}\n`);
}

/** Prints one line of JSON, for output that is read while the command runs. */
export function printJsonLine(value: unknown): void {
  surroundings().stdout.write(`${inertJson(JSON.stringify(value), false)}\n`);
}

export function printWarning(text: string): void {
  surroundings().stderr.write(`errgate: ${inertLines(text)}\n`);
}

/** One list for people or, with `--json`, for machines: `[{…}]`, members in snake case. */
export function printList<T extends object>(
  items: readonly T[],
  json: boolean | undefined,
  head: readonly string[],
  row: (item: T) => readonly Cell[],
): void {
  if (json === true) printJson(items);
  else if (items.length === 0) printLine('(none)');
  else printLine(renderTable(head, items.map(row)));
}

/** Shows on stderr how far a long piece of work is; `label` and `unit` as `startProgress` has them. */
export function showProgress(label: string, unit: string): Progress {
  return startProgress({ label, unit, stream: surroundings().stderr });
}

/** RFC 3339 to the second; null stays null. */
export function timeText(at: number | null): string | null {
  return at === null ? null : `${new Date(at).toISOString().slice(0, 19)}Z`;
}
