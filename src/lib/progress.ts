import { Presets, SingleBar } from 'cli-progress';

/** Milliseconds: shorter work shows no progress. */
const SILENT_MS = 1000;
/** Milliseconds between two lines when there is no terminal. */
const LINE_EVERY_MS = 3000;

export interface ProgressStream {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

export interface Progress {
  /** `total` null: unknown. */
  update(done: number, total: number | null): void;
  stop(): void;
}

export interface ProgressOptions {
  /** Name of the work: `backing up`. */
  readonly label: string;
  /** Name of the counted things: `pages`, `records`. */
  readonly unit: string;
  readonly stream: ProgressStream;
  /** Milliseconds; only differences matter. */
  readonly now?: () => number;
}

/** Shows a bar on a terminal (a complete writable stream), otherwise a line every few seconds. */
export function startProgress(options: ProgressOptions): Progress {
  const { label, unit, stream, now = () => performance.now() } = options;
  const started = now();
  let lastLine = started + SILENT_MS - LINE_EVERY_MS;
  let bar: SingleBar | null = null;

  function showBar(done: number, total: number): void {
    if (bar === null) {
      const format = `${label} {bar} {percentage}% {value}/{total} ${unit}`;
      bar = new SingleBar(
        { format, stream: stream as NodeJS.WritableStream, hideCursor: true },
        Presets.shades_classic,
      );
      bar.start(total, done);
    }
    bar.setTotal(total);
    bar.update(done);
  }

  return {
    update(done, total) {
      const at = now();
      if (at - started < SILENT_MS) return;
      if (stream.isTTY === true && total !== null) {
        showBar(done, total);
      } else if (at - lastLine >= LINE_EVERY_MS) {
        lastLine = at;
        stream.write(`${label}: ${done}${total === null ? '' : ` of ${total}`} ${unit}\n`);
      }
    },
    stop() {
      bar?.stop();
    },
  };
}
