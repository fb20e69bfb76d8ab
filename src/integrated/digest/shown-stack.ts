import type { EventException, Frame, NormalisedEvent } from '../../domain/event.ts';
import { mainException } from './group/v1/exceptions.ts';

/**
 * The exception people were shown: the last one, its causes come before it. A group whose members are all of
 * one kind is shown as that kind: "ExceptionGroup: 3 sub-exceptions" would tell nobody anything.
 */
export function shownException(event: NormalisedEvent): EventException | null {
  const last = event.exceptions.at(-1) ?? null;
  return last?.mechanism?.is_exception_group === true ? mainException(event) : last;
}

/**
 * Frames of the shown exception, else of the nearest cause that has some, else of the thread that
 * crashed, is current, or is the only one with a stack.
 */
export function shownFrames(event: NormalisedEvent): readonly Frame[] {
  const shown = shownException(event)?.frames;
  if (shown) {
    return shown;
  }
  for (let i = event.exceptions.length - 1; i >= 0; i -= 1) {
    const frames = event.exceptions[i]?.frames;
    if (frames) {
      return frames;
    }
  }
  const threads = event.threads.filter((thread) => thread.frames !== null);
  const chosen =
    threads.find((thread) => thread.crashed) ??
    threads.find((thread) => thread.current) ??
    (threads.length === 1 ? threads[0] : undefined);
  return chosen?.frames ?? [];
}

/** The newest frame of application code that fits; where none does, the newest that fits at all. */
export function newestFrame(frames: readonly Frame[], fits: (frame: Frame) => boolean): Frame | null {
  let fallback: Frame | null = null;
  for (let i = frames.length - 1; i >= 0; i -= 1) {
    const frame = frames[i];
    if (frame !== undefined && fits(frame)) {
      if (frame.in_app) {
        return frame;
      }
      fallback ??= frame;
    }
  }
  return fallback;
}
