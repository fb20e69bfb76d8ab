import { changeErrors, type BulkAction, type BulkResult } from '../../api/error-list-api.ts';
import { setErrorStatus, type ErrorDetail } from '../../api/errors-api.ts';
import type { StatusChange } from './status-change.ts';

/** Latest pending change of each error, by project and id. */
const pending = new Map<string, Promise<unknown>>();

/**
 * Changes the status of an error after its pending changes have finished, so that the last request wins.
 * Throws an `ApiFailure`.
 */
export async function changeStatus(project: string, id: string, to: StatusChange): Promise<ErrorDetail> {
  const key = `${project}/${id}`;
  const send = () => setErrorStatus(project, id, to.status, to.details);
  const change = pending.get(key)?.then(send, send) ?? send();
  pending.set(key, change);
  try {
    return await change;
  } finally {
    if (pending.get(key) === change) pending.delete(key);
  }
}

/**
 * Takes changes of errors back after their pending changes have finished. Errors that were changed by others meanwhile
 * stay as they are, and are in `skipped`. Throws an `ApiFailure`.
 */
export async function restoreErrors(project: string, restore: BulkAction['restore'] & object): Promise<BulkResult> {
  const keys = restore.flatMap(({ ids }) => ids.map((id) => `${project}/${id}`));
  const send = () => changeErrors(project, { action: 'restore', restore });
  const change = Promise.allSettled(keys.map((key) => pending.get(key) ?? Promise.resolve())).then(send);
  for (const key of keys) pending.set(key, change);
  try {
    return await change;
  } finally {
    for (const key of keys) if (pending.get(key) === change) pending.delete(key);
  }
}

/** Message about errors that an undo left as they are; empty: none. */
export function skippedText(count: number): string {
  if (count === 0) return '';
  return count === 1
    ? '1 was changed meanwhile and stays as it is'
    : `${count} were changed meanwhile and stay as they are`;
}
