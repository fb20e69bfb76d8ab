/** Frame that is shown. */
interface Single<T> {
  readonly kind: 'frame';
  readonly frame: T;
}

/** Frames behind one button: a run of system frames, or further turns of a recursion. */
interface Folded<T> {
  readonly kind: 'system' | 'repeat';
  readonly frames: readonly T[];
  /** `repeat`: frames of one turn, and the number of all turns, with the one before this row. */
  readonly turn: readonly T[];
  readonly times: number;
}

export type FrameRow<T> = Single<T> | Folded<T>;

/** What makes two frames the same call. */
interface Call {
  readonly in_app: boolean;
  readonly function: string | null;
  readonly module: string | null;
  readonly filename: string | null;
  readonly lineno: number | null;
}

/** Minimum length of a run of system frames; folding a single frame would save no space. */
const MIN_SYSTEM = 2;
/** Minimum of turns of a recursion that are folded. */
const MIN_TURNS = 3;
/** Maximum of frames in one turn of a recursion. */
const MAX_TURN = 6;

function isSame(a: Call | undefined, b: Call | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a.function === b.function && a.filename === b.filename && a.lineno === b.lineno && a.module === b.module;
}

/** Finds the shortest turn that repeats from `at` on; null without one. */
function recursionAt(frames: readonly Call[], at: number): { readonly length: number; readonly times: number } | null {
  for (let length = 1; length <= MAX_TURN; length += 1) {
    let end = at + length;
    while (isSame(frames[end - length], frames[end])) end += 1;
    const times = Math.floor((end - at) / length);
    if (times >= MIN_TURNS) return { length, times };
  }
  return null;
}

/**
 * Folds system frames, unless all are to be shown, and repeated turns of a recursion. A stack without application frames
 * keeps its system frames. Frames: innermost first.
 */
export function foldFrames<T extends Call>(frames: readonly T[], all = false): FrameRow<T>[] {
  const hasOwn = !all && frames.some((frame) => frame.in_app);
  const isShown = (frame: T | undefined) => frame !== undefined && (frame.in_app || !hasOwn);
  const rows: FrameRow<T>[] = [];
  let at = 0;
  const showUpTo = (end: number) => {
    rows.push(...frames.slice(at, end).map((frame) => ({ kind: 'frame', frame }) as const));
    at = end;
  };
  while (at < frames.length) {
    const recursion = recursionAt(frames, at);
    if (recursion !== null && frames.slice(at, at + recursion.length).some(isShown)) {
      const { length, times } = recursion;
      const turn = frames.slice(at, at + length);
      const end = at + length * times;
      showUpTo(at + length);
      rows.push({ kind: 'repeat', frames: frames.slice(at, end), turn, times });
      at = end;
      continue;
    }
    if (isShown(frames[at])) {
      showUpTo(at + 1);
      continue;
    }
    let end = at;
    while (end < frames.length && !isShown(frames[end])) end += 1;
    if (end - at < MIN_SYSTEM) {
      showUpTo(end);
      continue;
    }
    rows.push({ kind: 'system', frames: frames.slice(at, end), turn: [], times: 1 });
    at = end;
  }
  return rows;
}

/** Number of frames behind rows. */
export function framesBehind(rows: readonly FrameRow<unknown>[]): number {
  return rows.reduce((sum, row) => sum + (row.kind === 'frame' ? 1 : row.frames.length), 0);
}

/**
 * Frames that are open at first: where it crashed, and the next other call of the application. Without application
 * frames the innermost one.
 */
export function openedFrames<T extends Call>(frames: readonly T[], most: number): ReadonlySet<T> {
  const own = frames.filter((frame) => frame.in_app);
  const [first] = own;
  if (first === undefined) return new Set(frames.slice(0, 1));
  const next = own.find((frame) => !isSame(frame, first));
  return new Set([first, ...(next === undefined ? [] : [next])].slice(0, most));
}
