import type { NormalisedEvent } from '../events/event.ts';

/** Parts of an event that decide about the original places of its frames, and those that get them. */
export type MappableEvent = Pick<
  NormalisedEvent,
  'platform' | 'release' | 'dist' | 'exceptions' | 'threads' | 'debug_images'
>;

/** Finds the original places of frames by what builds uploaded. */
export interface FrameMapper {
  /** Returns false, at once, where there is nothing to find. */
  mayMap(projectId: number, event: MappableEvent): boolean;
  /**
   * Returns the event with original places where they were found, and with reasons where not; itself when nothing
   * changed. Rejects with `store_unavailable`.
   */
  map<E extends MappableEvent>(projectId: number, event: E): Promise<E>;
  /**
   * As `map`, for an event that is shown: frames with an id of their build also say that the project has no uploads.
   */
  show<E extends MappableEvent>(projectId: number, event: E): Promise<E>;
}
