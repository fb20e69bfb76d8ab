import type { Command } from 'commander';
import { systemClock } from '../domain/ports/clock.ts';
import type { ComparedDay, ComparedProject } from '../import/compare.ts';
import { renderTable } from '../lib/table.ts';
import { type SourceOptions, sourceOf, withSourceOptions } from './import/import-options.ts';
import { withSource } from './import/open-source.ts';
import { printJson, printLine, printWarning } from './call/output.ts';
import { readConfig, withStore } from './people/session.ts';

async function compare(command: Command): Promise<void> {
  const options = command.opts<SourceOptions>();
  const source = sourceOf(command, options);
  const config = await readConfig();
  const compared = await withSource(config, source, (from, signal) =>
    withStore(async ({ store }) => {
      const { compareCounts } = await import('../import/compare.ts');
      return compareCounts(store, from, { projects: options.project ?? null }, systemClock.now(), signal);
    }),
  );
  if (options.json === true) printJson(compared);
  else printCompared(compared);
}

function printCompared(compared: readonly ComparedProject[]): void {
  if (compared.length === 0) printLine('(no project)');
  for (const { project, path, days, errors, problems } of compared) {
    printLine(`${project}: ${path ?? 'not imported yet'}`);
    const rows = days
      .filter(({ theirs, ours }) => (theirs ?? 0) + ours > 0)
      .map((each) => [each.day, each.theirs, each.ours, differenceOf(each, path !== null)]);
    printLine(rows.length === 0 ? '(no events)' : renderTable(['day', 'theirs', 'ours', 'difference'], rows));
    const { imported, event_id: byId, group_key: byKey, likeness, none } = errors;
    printLine(
      `errors: ${imported} imported; joined by event id ${byId}, by key ${byKey}, by likeness ${likeness}, not at all ${none}\n`,
    );
    for (const problem of problems) printWarning(`${project}: ${problem}`);
  }
}

/** Returns the difference of a day that can be compared; else the reason why not. */
function differenceOf({ theirs, ours, here }: ComparedDay, isHere: boolean): number | string | null {
  if (theirs === null || !isHere) return null;
  if (here === 'all') return ours - theirs;
  return here === 'none' ? 'imported' : 'imported in part';
}

export function addCompareCommand(program: Command): void {
  withSourceOptions(
    program.command('compare').description('compare what another tracker counted with what is counted here'),
  ).action((_options: object, self: Command) => compare(self));
}
