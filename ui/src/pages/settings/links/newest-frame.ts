import { getEvent, listErrors } from '../../../api/errors-api.ts';
import { ApiFailure } from '../../../api/api-failure.ts';
import { exceptionsOf, threadsOf, type Frame } from '../../../lib/event-view.ts';

export interface NewestFrame {
  readonly frame: Frame;
  readonly release: string | null;
}

/**
 * Returns a frame of the application of the newest event, for a preview; null: no event has one, or errors cannot be
 * read.
 */
export async function newestFrame(project: string, signal: AbortSignal): Promise<NewestFrame | null> {
  try {
    const query = { status: 'all', sort: 'last_seen', per_page: 5 } as const;
    for (const { id } of (await listErrors(project, query, signal)).errors) {
      const event = await getEvent(project, id, null, signal);
      const frames = [...exceptionsOf(event), ...threadsOf(event)].flatMap((stack) => stack.frames);
      const frame = frames.find(({ in_app: isOwn }) => isOwn);
      if (frame !== undefined) return { frame, release: event.release };
    }
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
  }
  return null;
}
