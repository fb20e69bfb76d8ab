import type { Frame, NormalisedEvent } from '../../domain/events/event.ts';
import { GROUPED_AS_SENT } from '../../domain/events/grouped-as-sent.ts';
import type { Mapped } from '../../domain/ports/frame-mapper.ts';
import type { Grouper, GroupingKey } from './digest-deps.ts';

/** Keys of an event; `sent`: those that a mapped event has as it was sent. */
export type Keys = ReturnType<Grouper> & { readonly sent?: readonly GroupingKey[] };

export interface GroupedEvent {
  readonly event: NormalisedEvent;
  readonly keys: Keys;
}

/**
 * Groups an event by its original places, and names its keys as it was sent. By these the error of events before the
 * map goes on. While frames that decide about the group wait for their map, the event is grouped as it was sent, and a
 * note says so. A key of both kinds of frames would be that of no other event.
 */
export function groupMapped(group: Grouper, sent: NormalisedEvent, mapped: Mapped<NormalisedEvent>): GroupedEvent {
  const { event } = mapped;
  if (event === sent) return { event, keys: group(sent) };
  const { former = [], ...current } = group(event);
  const asSent = group(sent);
  if (current.key !== asSent.key && mayChange(group, current.key, mapped)) {
    return { event: { ...event, notes: [...event.notes, GROUPED_AS_SENT] }, keys: asSent };
  }
  const { former: formerSent = [], ...own } = asSent;
  const known = new Set([current, ...former].map(({ key }) => key));
  const others = [own, ...formerSent].filter(({ key }) => !known.has(key));
  const keys = {
    ...current,
    ...(former.length === 0 ? {} : { former }),
    ...(others.length === 0 ? {} : { sent: others }),
  };
  return { event, keys };
}

/** Whether the key of an event would change if the waiting frames were at other places. */
function mayChange(group: Grouper, key: string, { event, waiting }: Mapped<NormalisedEvent>): boolean {
  if (waiting.size === 0) return false;
  const elsewhere = <S extends { readonly frames: Frame[] | null }>(stack: S): S => ({
    ...stack,
    frames: stack.frames?.map((frame) => (waiting.has(frame) ? { ...frame, ...ELSEWHERE } : frame)) ?? null,
  });
  const moved = { ...event, exceptions: event.exceptions.map(elsewhere), threads: event.threads.map(elsewhere) };
  return group(moved).key !== key;
}

/** A place that counts on each platform whose frames are mapped, and is in no program. */
const ELSEWHERE = {
  ...{ filename: 'waiting-for-map.js', abs_path: '/waiting-for-map.js', module: 'waiting.ForMap', package: null },
  ...{ function: 'waitForMap', context_line: null, pre_context: [], post_context: [], in_app: true },
} as const;
