import { ApiFailure } from '../../api/api-failure.ts';
import { getEvent, listErrors } from '../../api/errors-api.ts';

/** Exception type of the service's test events. */
const TYPE = 'TestEvent';

/** Finds the id of the error with the test event; null while it is not readable. */
export async function findTestError(project: string, eventId: string): Promise<string | null> {
  const { errors } = await listErrors(project, { status: 'all', sort: 'last_seen', search: TYPE });
  for (const { id, type } of errors) {
    if (type !== TYPE) continue;
    try {
      await getEvent(project, id, eventId, new AbortController().signal);
      return id;
    } catch (error) {
      // The event belongs to another error, or is not stored yet.
      if (!(error instanceof ApiFailure) || error.kind !== 'missing') throw error;
    }
  }
  return null;
}
