/** Run of folded system frames, or of frames that are shown one by one. */
export interface FrameGroup<T> {
  readonly folded: boolean;
  readonly frames: readonly T[];
}

/** Minimum length of a folded run; folding a single frame would save no space. */
const MIN_FOLDED = 2;

/** Collapses frames outside the application. A stack without application frames is shown unchanged. */
export function foldFrames<T extends { readonly in_app: boolean }>(frames: readonly T[]): FrameGroup<T>[] {
  if (!frames.some((frame) => frame.in_app)) return frames.length === 0 ? [] : [{ folded: false, frames }];
  const runs: T[][] = [];
  for (const frame of frames) {
    const run = runs.at(-1);
    if (run?.[0]?.in_app === frame.in_app) run.push(frame);
    else runs.push([frame]);
  }
  return runs.map((run) => ({ folded: run[0]?.in_app === false && run.length >= MIN_FOLDED, frames: run }));
}
