import type { Frame } from '../../domain/events/event.ts';
import type { MappableEvent } from '../../domain/ports/frame-mapper.ts';
import { mappedList } from '../../lib/mapped-list.ts';
import { debugIdOf, isExplained, JVM, SCRIPTS, scriptPath } from './frame-keys.ts';

const NO_UPLOADS = 'the project has no uploads';

/** Returns an event of a project without uploads, with a reason in each frame that has an id of its build. */
export function withoutUploads<E extends MappableEvent>(event: E): E {
  const reasons = new Map<string, string | null>();
  const classes = event.debug_images?.find(({ type }) => type === 'proguard')?.debug_id ?? null;

  function ofScript(path: string): string | null {
    let reason = reasons.get(path);
    if (reason === undefined) {
      const debugId = debugIdOf(path, event);
      reason = debugId === null ? null : `no map for debug id ${debugId}; ${NO_UPLOADS}`;
      reasons.set(path, reason);
    }
    return reason;
  }

  function reasonOf(frame: Frame): string | null {
    if (frame.raw !== undefined) return null;
    const platform = frame.platform ?? event.platform;
    if (SCRIPTS.has(platform)) {
      const path = scriptPath(frame);
      return path === null || frame.lineno === null || !isExplained(path, frame) ? null : ofScript(path);
    }
    const isOfClasses = JVM.has(platform) && frame.module !== null && frame.in_app;
    return isOfClasses && classes !== null ? `no mapping for id ${classes}; ${NO_UPLOADS}` : null;
  }

  const withReason = (frame: Frame): Frame => {
    const unmapped = reasonOf(frame);
    return unmapped === null ? frame : { ...frame, unmapped };
  };
  const inStack = <S extends { readonly frames: Frame[] | null }>(stack: S): S => {
    if (stack.frames === null) return stack;
    const frames = mappedList(stack.frames, withReason);
    return frames === stack.frames ? stack : { ...stack, frames };
  };
  const exceptions = mappedList(event.exceptions, inStack);
  const threads = mappedList(event.threads, inStack);
  const isSame = exceptions === event.exceptions && threads === event.threads;
  return isSame ? event : { ...event, exceptions, threads };
}
