import type { Frame } from '../../domain/events/event.ts';
import type { MappableEvent } from '../../domain/ports/frame-mapper.ts';
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

  const inStack = <S extends { readonly frames: Frame[] | null }>(stack: S): S => {
    const reasonsOf = (stack.frames ?? []).map(reasonOf);
    if (stack.frames === null || reasonsOf.every((reason) => reason === null)) return stack;
    const frames = stack.frames.map((frame, at) => {
      const unmapped = reasonsOf[at] ?? null;
      return unmapped === null ? frame : { ...frame, unmapped };
    });
    return { ...stack, frames };
  };
  const exceptions = event.exceptions.map(inStack);
  const threads = event.threads.map(inStack);
  const isSame =
    exceptions.every((each, at) => each === event.exceptions[at]) &&
    threads.every((each, at) => each === event.threads[at]);
  return isSame ? event : { ...event, exceptions, threads };
}
