import { hash } from 'node:crypto';
import type { RunningStore } from '../import-run.ts';
import { type LeaseOptions, withRunLease } from '../state/run-lease.ts';

/** Import of an export that an earlier version began and did not finish. Its state had a form of its own. */
export interface FormerRun {
  /** SHA-256 of the manifest. */
  readonly file: string;
  /** Rows of events that were read and written. */
  readonly events: number;
  /** Inactive key that was being created; null: none. */
  readonly inactiveKey: string | null;
}

/** Returns the key of the state, and of the lease, that earlier versions had for an import of these projects. */
export function formerRunKey(store: string, projects: readonly string[]): string {
  return `file-import:${hash('sha256', [store, ...projects].join('|'), 'hex').slice(0, 24)}`;
}

/**
 * Calls `work` with the unfinished run of an earlier version, null: there is none. Such a run has no further process
 * meanwhile, and counts as finished afterwards. Throws `conflict` while a process of an earlier version runs it.
 */
export async function withFormerRun<T>(
  lease: LeaseOptions,
  work: (former: FormerRun | null) => Promise<T>,
): Promise<T> {
  const { store, key } = lease;
  if ((await readFormerRun(store, key)) === null) return work(null);
  return withRunLease(lease, async () => {
    const former = await readFormerRun(store, key);
    const result = await work(former);
    if (former !== null) await store.saveImportState(key, JSON.stringify({ version: 1, ...former, finished: true }));
    return result;
  });
}

async function readFormerRun(store: Pick<RunningStore, 'importState'>, key: string): Promise<FormerRun | null> {
  const text = await store.importState(key);
  if (text === null) return null;
  const { version, finished, file, events, inactiveKey } = JSON.parse(text) as FormerRun & {
    readonly version?: unknown;
    readonly finished?: unknown;
  };
  return version === 1 && finished === false ? { file, events, inactiveKey } : null;
}
