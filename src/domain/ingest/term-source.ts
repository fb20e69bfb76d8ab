import type { TermSource } from './digest.ts';
import type { EventException, Frame, NormalisedEvent } from '../events/event.ts';

/** Maximum frames whose paths and functions are kept: those next to where it happened. */
const MAX_FRAMES = 250;

/** Returns what searches find an error by whose first event this is: paths of the application's frames, or of all. */
export function termSourceOf(event: NormalisedEvent): TermSource {
  const own: string[] = [];
  const files: string[] = [];
  const functions: string[] = [];
  let left = MAX_FRAMES;
  for (const frames of stacksOf(event)) {
    for (let at = frames.length - 1; at >= 0 && left > 0; at -= 1, left -= 1) {
      const frame = frames[at];
      if (frame === undefined) continue;
      const path = frame.filename ?? frame.abs_path;
      if (path !== null) (frame.in_app ? own : files).push(path);
      if (frame.function !== null) functions.push(frame.function);
    }
  }
  return { files: own.length > 0 ? own : files, functions, unhandled: unhandledIn(event.exceptions) };
}

/** Returns the stacks of the event, the one of the raised exception first. */
function stacksOf({ exceptions, threads }: NormalisedEvent): (readonly Frame[])[] {
  const raised = exceptions.flatMap(({ frames }) => (frames === null ? [] : [frames])).reverse();
  if (raised.length > 0) return raised;
  return threads.flatMap(({ crashed, current, frames }) => ((crashed || current) && frames !== null ? [frames] : []));
}

function unhandledIn(exceptions: readonly EventException[]): boolean | null {
  let known: boolean | null = null;
  for (const { mechanism } of exceptions) {
    if (mechanism?.handled === false) return true;
    if (mechanism?.handled === true) known = false;
  }
  return known;
}
