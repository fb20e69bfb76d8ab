import type { Frame, NormalisedEvent } from './event.ts';

/** Note of an event that was grouped by its frames as they were sent, because it could be mapped in part alone. */
export const GROUPED_AS_SENT = 'frames: grouped as they were sent, because the maps of some are missing';

/** Whether an event has the note. Members are absent in damaged events. */
export function isGroupedAsSent({ notes = [] }: Partial<Pick<NormalisedEvent, 'notes'>>): boolean {
  return notes.includes(GROUPED_AS_SENT);
}

/** Returns an event with the note as it was sent, without the note; others as they are. */
export function asSentIfGroupedSo(event: NormalisedEvent): NormalisedEvent {
  if (!isGroupedAsSent(event)) return event;
  return {
    ...event,
    notes: event.notes.filter((note) => note !== GROUPED_AS_SENT),
    exceptions: event.exceptions.map(({ raw, ...each }) => ({ ...each, ...raw, frames: sentFrames(each.frames) })),
    threads: event.threads.map((each) => ({ ...each, frames: sentFrames(each.frames) })),
  };
}

/** Returns the frames that the SDK sent. One that became several calls is one again; those of recursion stay. */
function sentFrames(frames: Frame[] | null): Frame[] | null {
  if (frames === null) return null;
  const sent: Frame[] = [];
  let before: Frame | undefined;
  for (const frame of frames) {
    const { raw, unmapped: _unmapped, ...same } = frame;
    if (before === undefined || !isCallOfOne(before, frame)) sent.push({ ...same, ...raw });
    before = frame;
  }
  return sent;
}

/** Whether two neighbours are calls that a build moved into one: sent alike, and mapped to different places. */
function isCallOfOne(first: Frame, second: Frame): boolean {
  if (first.raw === undefined || second.raw === undefined) return false;
  const places = [first, second].map(({ module, function: name, lineno }) => JSON.stringify([module, name, lineno]));
  return places[0] !== places[1] && JSON.stringify(first.raw) === JSON.stringify(second.raw);
}
