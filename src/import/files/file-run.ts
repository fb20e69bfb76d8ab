import { sleep as realSleep } from '../../lib/back-off.ts';
import { DEFAULT_OPTIONS, type ImportDeps, type ImportFrom } from '../import-run.ts';
import { type FileRunEnd, RunRecord } from '../run-record.ts';
import { withRunLease } from '../state/run-lease.ts';
import type { FileProjects } from './file-projects.ts';
import { type FormerRun, withFormerRun } from './former-run.ts';

export interface FileRun {
  readonly from: ImportFrom<FileProjects>;
  /** Key of the run's state, and of its lease. */
  readonly key: string;
  /** Key that earlier versions had for such a run. */
  readonly formerKey: string;
  readonly signal: AbortSignal;
}

/**
 * Runs an import from files, or goes on with the one before, and keeps how it ended. Throws `conflict` while another
 * process runs it, and when it is cancelled or interrupted.
 */
export function inFileRun<T extends object>(
  deps: ImportDeps,
  { from, key, formerKey, signal }: FileRun,
  work: (record: RunRecord<FileProjects>, former: FormerRun | null) => Promise<T>,
): Promise<T & FileRunEnd> {
  const { store, owner, sleep = realSleep } = deps;
  return withRunLease({ store, key, owner, sleep, signal }, (lease) =>
    withFormerRun({ store, key: formerKey, owner, sleep, signal }, (former) => {
      const options = { ...DEFAULT_OPTIONS, projects: from.reader.chosen };
      const record = new RunRecord({ deps, from, options, key, lease, signal, onProgress: () => undefined });
      return record.keep(() => work(record, former));
    }),
  );
}
