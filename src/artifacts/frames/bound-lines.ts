import type { Frame } from '../../domain/events/event.ts';
import { framesWithoutLines, MAX_FRAMES_WITH_LINES } from '../../domain/events/source-lines.ts';

/** Mapped frames of an event that keep the lines around theirs. */
const MAX_MAPPED_WITH_LINES = 100;

/**
 * Removes lines around those of mapped frames, where more have them than an event may store. The line of each frame
 * stays: grouping compares it. `stacks`: the most important first.
 */
export function boundLines(stacks: readonly (readonly Frame[] | null)[]): void {
  let left = MAX_MAPPED_WITH_LINES;
  for (const stack of stacks) {
    const mapped = (stack ?? []).filter(hasLinesAround);
    const without = framesWithoutLines(mapped, Math.min(left, MAX_FRAMES_WITH_LINES));
    for (const frame of without) {
      frame.pre_context = [];
      frame.post_context = [];
    }
    left -= mapped.length - without.length;
  }
}

function hasLinesAround({ raw, pre_context: before, post_context: after }: Frame): boolean {
  return raw !== undefined && before.length + after.length > 0;
}
