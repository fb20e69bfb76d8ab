import { ref, watch, type Ref } from 'vue';
import { readStored, writeStored } from '../../lib/stored.ts';

/** `app`: system frames are folded; `all`: each frame is shown. */
export type ShownFrames = 'app' | 'all';

const FRAMES_KEY = 'errgate.stack.frames';
const ORDER_KEY = 'errgate.stack.order';

/** How stacks are shown; kept for the next ones. */
export function useStackView(): { readonly frames: Ref<ShownFrames>; readonly newestFirst: Ref<boolean> } {
  const frames = ref<ShownFrames>(readStored(FRAMES_KEY) === 'all' ? 'all' : 'app');
  const newestFirst = ref(readStored(ORDER_KEY) !== 'oldest');
  watch(frames, (chosen) => writeStored(FRAMES_KEY, chosen));
  watch(newestFirst, (first) => writeStored(ORDER_KEY, first ? 'newest' : 'oldest'));
  return { frames, newestFirst };
}
