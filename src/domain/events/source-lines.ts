import type { Frame } from './event.ts';

/** Frames of a stack that keep source lines. */
export const MAX_FRAMES_WITH_LINES = 50;

/**
 * Returns those of the frames that are too many to keep source lines. Prefers application frames, from both ends of the
 * stack, where cause and entry are.
 */
export function framesWithoutLines(frames: readonly Frame[], most = MAX_FRAMES_WITH_LINES): Frame[] {
  if (frames.length <= most) return [];
  const own = frames.filter((frame) => frame.in_app);
  const others = frames.filter((frame) => !frame.in_app);
  return [...middle(own, most), ...middle(others, Math.max(0, most - own.length))];
}

/** Returns the frames between the first and last `keep / 2`. */
function middle(frames: readonly Frame[], keep: number): Frame[] {
  return frames.length <= keep ? [] : frames.slice(Math.ceil(keep / 2), frames.length - Math.floor(keep / 2));
}
