import { setErrorStatus, type ErrorDetail } from '../../api/errors-api.ts';
import type { StatusChange } from './status-change.ts';

/** Latest pending change of each error, by project and id. */
const pending = new Map<string, Promise<ErrorDetail>>();

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
