import type { TrackedEvent } from '../domain/events/tracked-event.ts';
import type { ErrorBackend } from '../domain/ports/error-backend.ts';
import type { FrameMapper } from '../domain/ports/frame-mapper.ts';
import type { Project } from '../domain/projects/project.ts';
import type { ScrubberFor } from './digest/scrub/scrubbers-for.ts';

type EventReads = Pick<ErrorBackend, 'event' | 'latestEvent' | 'oldestEvent'>;

/**
 * Shows events that came before their maps at the original places, or says why not. Source lines that maps add are
 * scrubbed as those of events are when they come.
 */
export function withOriginalPlaces<B extends EventReads>(
  backend: B,
  { frames, scrubberFor }: { readonly frames: Pick<FrameMapper, 'show'>; readonly scrubberFor: ScrubberFor },
): B {
  async function shown(project: Project, read: Promise<TrackedEvent>): Promise<TrackedEvent> {
    const tracked = await read;
    const event = await frames.show(project.id, tracked.event);
    if (event === tracked.event) return tracked;
    scrubberFor(project.id, project.path).inFrames(event);
    return { ...tracked, event };
  }
  return {
    ...backend,
    event: (project, ...rest) => shown(project, backend.event(project, ...rest)),
    latestEvent: (project, ...rest) => shown(project, backend.latestEvent(project, ...rest)),
    oldestEvent: (project, ...rest) => shown(project, backend.oldestEvent(project, ...rest)),
  };
}
