import { setErrorStatus, type ErrorDetail, type ErrorStatus } from '../../api/errors-api.ts';

/** The latest change of each error that is on its way, by project and id. */
const under = new Map<string, Promise<ErrorDetail>>();

/**
 * Gives an error a status once every earlier change of it from here has arrived or failed: what was asked for last
 * holds. Throws an `ApiFailure`.
 */
export async function changeStatus(project: string, id: string, status: ErrorStatus): Promise<ErrorDetail> {
  const key = `${project}/${id}`;
  const send = () => setErrorStatus(project, id, status);
  const change = under.get(key)?.then(send, send) ?? send();
  under.set(key, change);
  try {
    return await change;
  } finally {
    if (under.get(key) === change) under.delete(key);
  }
}
