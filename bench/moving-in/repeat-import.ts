import type { FaultRelay } from './fault-relay.ts';
import type { Comparison } from './own-error.ts';
import { type ImportEnd, type ImportTarget, runImportCommand } from './run-import.ts';

/** One run of the command, and what is still unequal after it. */
export interface DrillRun {
  readonly code: number | null;
  readonly message: string;
  readonly left: number | null;
  readonly requests: number;
  readonly faults: number;
  readonly seconds: number;
  /** Facts of issues that are missing here or other than there. */
  readonly unequal: number;
  /** Of these, equal after the run before. */
  readonly lost: readonly string[];
}

export interface RepeatOptions {
  /** Numbers of the runs, from 1, that are killed in the middle. */
  readonly kills: readonly number[];
  readonly maxRuns: number;
  readonly compare: () => Promise<Comparison>;
}

const faultsOf = ({ made }: FaultRelay): number => Object.values(made).reduce((sum, count) => sum + count, 0);

/** Runs the import until it ends with 0, and prints a line for each run. Throws after `maxRuns`. */
export async function repeatImport(
  target: ImportTarget,
  relay: FaultRelay,
  { kills, maxRuns, compare }: RepeatOptions,
): Promise<DrillRun[]> {
  const runs: DrillRun[] = [];
  let known: ReadonlySet<string> | null = null;
  while (runs.length < maxRuns) {
    const number = runs.length + 1;
    const [asked, faulted] = [relay.requests, faultsOf(relay)];
    // A different place of the import for each kill.
    const killAt = asked + 40 + 150 * kills.indexOf(number);
    const killWhen = kills.includes(number) ? () => relay.requests >= killAt : undefined;
    const end = await runImportCommand(target, killWhen);
    if (end.code === 2) throw new Error(end.stderr);
    const { unequal } = await compare();
    const before = known;
    const run: DrillRun = {
      code: end.code,
      message: messageOf(end),
      left: end.summary?.left ?? null,
      requests: relay.requests - asked,
      faults: faultsOf(relay) - faulted,
      seconds: end.seconds,
      unequal: unequal.length,
      lost: before === null ? [] : unequal.filter((sentence) => !before.has(nameOf(sentence))),
    };
    known = new Set(unequal.map(nameOf));
    runs.push(run);
    const { code, seconds, requests, faults, left, message, lost } = run;
    console.error(
      `run ${number}: exit ${code ?? 'killed'} in ${seconds.toFixed(0)} s, ${requests} requests, ${faults} faults, ` +
        `${left ?? '?'} left, ${unequal.length} facts unequal: ${message}`,
    );
    for (const sentence of lost) console.error(`  LOST: ${sentence}`);
    if (code === 0) {
      for (const sentence of unequal.slice(0, 40)) console.error(`  unequal after "done": ${sentence}`);
      return runs;
    }
  }
  throw new Error(`the import is not done after ${maxRuns} runs`);
}

/** `issue 4711 status`, without the values. */
const nameOf = (sentence: string): string => sentence.split(':')[0] ?? sentence;

function messageOf({ code, summary, stderr }: ImportEnd): string {
  if (code === null) return 'killed';
  return summary === null ? stderr.trim().slice(-300) : `${summary.state}: ${summary.message}`;
}
