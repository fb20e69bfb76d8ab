import type { Frame, NormalisedEvent } from '../events/event.ts';

/** Parts of an event that decide about the original places of its frames, and those that get them. */
export type MappableEvent = Pick<
  NormalisedEvent,
  'platform' | 'release' | 'dist' | 'exceptions' | 'threads' | 'debug_images'
>;

export interface Mapped<E extends MappableEvent> {
  /** The event with original places where they were found, and with reasons where not; itself when nothing changed. */
  readonly event: E;
  /**
   * Frames of it that are as they were sent, although others are not, and may be mapped in a later event. Their map was
   * not uploaded yet or is damaged, or a bound was reached. Only frames of the application; in a stack without any, all.
   * Empty: the event is mapped as far as it ever will be, or not at all.
   */
  readonly waiting: ReadonlySet<Frame>;
}

/** Finds the original places of frames by what builds uploaded. */
export interface FrameMapper {
  /** Returns false, at once, where there is nothing to find. */
  mayMap(projectId: number, event: MappableEvent): boolean;
  /** Finds original places. Rejects with `store_unavailable`. */
  map<E extends MappableEvent>(projectId: number, event: E): Promise<Mapped<E>>;
  /** As `map`, for an event that is shown: frames with an id of their build also say that the project has no uploads. */
  show<E extends MappableEvent>(projectId: number, event: E): Promise<E>;
}
