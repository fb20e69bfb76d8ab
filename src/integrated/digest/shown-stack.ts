import type { EventException, Frame, NormalisedEvent } from '../../domain/events/event.ts';
import { mainException } from './group/v1/exceptions.ts';

/**
 * Returns the shown exception: the last one; its causes precede it. For a group whose members are of one kind returns
 * that kind, because "ExceptionGroup: 3 sub-exceptions" has no content.
 */
export function shownException(event: NormalisedEvent): EventException | null {
  const last = event.exceptions.at(-1) ?? null;
  return last?.mechanism?.is_exception_group === true ? mainException(event) : last;
}

/**
 * Returns the frames of the shown exception, else of the nearest cause with frames. Else those of the thread that
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

/** Returns the newest application frame that fits; else the newest frame that fits. */
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
