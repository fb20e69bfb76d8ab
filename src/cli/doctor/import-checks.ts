import { isRunning } from '../../import/state/run-lease.ts';
import { markedAsRunning } from '../../import/linked/saved-progress.ts';
import { listRuns, sourceName } from '../../import/state/run-state.ts';
import type { Store } from '../../domain/ports/stores/store.ts';
import { timeText } from '../call/output.ts';
import { type Finding, ok, warn } from './finding.ts';

type ImportStates = Pick<
  Store,
  'acquireLease' | 'releaseLease' | 'importState' | 'saveImportState' | 'listImportStates'
>;

/** Reports imports that were interrupted; null when there are no imports. `probe`: name for a short look at leases. */
export async function checkImports(store: ImportStates, probe: string): Promise<Finding | null> {
  const runs = await listRuns(store);
  if (runs.length === 0) return null;
  // Gateways continue those of linked projects by themselves.
  const continued = new Set(await markedAsRunning(store));
  const lines: string[] = [];
  for (const [key, run] of runs) {
    const { state, projects, updatedAt } = run;
    if (state !== 'running' || Object.values(projects).some((id) => continued.has(id))) continue;
    if (await isRunning(store, key, probe)) continue;
    lines.push(`${sourceName(run)}, ${timeText(updatedAt) ?? ''}`);
  }
  if (lines.length === 0) return ok('imports', 'none was interrupted');
  return warn(
    'imports',
    [`${lines.length === 1 ? 'an import was' : `${lines.length} imports were`} interrupted`, ...lines].join('\n'),
    'run the same command again, it goes on; or end it with `errgate import cancel`',
  );
}
