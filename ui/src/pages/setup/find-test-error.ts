import { ApiFailure } from '../../api/api-failure.ts';
import { getEvent, listErrors } from '../../api/errors-api.ts';

/** The kind of error that the service gives its test events. */
const TYPE = 'TestEvent';

/** The error under which a test event is stored; null while it cannot be read yet. */
export async function findTestError(project: string, eventId: string): Promise<string | null> {
  const { errors } = await listErrors(project, { status: 'all', sort: 'last_seen', search: TYPE });
  for (const { id, type } of errors) {
    if (type !== TYPE) continue;
    try {
      await getEvent(project, id, eventId, new AbortController().signal);
      return id;
    } catch (error) {
      // Stored under another error, or not yet.
      if (!(error instanceof ApiFailure) || error.kind !== 'missing') throw error;
    }
  }
  return null;
}
