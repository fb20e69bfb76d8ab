import type { EventException, Frame } from '../../domain/events/event.ts';
import type { ProguardIndex } from '../maps/proguard-index.ts';
import { rawOf, shown, type IsOwn } from './script-frame.ts';

/**
 * Returns the original frames of a frame of a JVM, the innermost last, as in stacks: the build may have moved calls into
 * one another. Null: the mapping does not have its class.
 */
export function mapClassFrame(frame: Frame, index: ProguardIndex, isOwn: IsOwn): Frame[] | null {
  const { module, function: method, lineno } = frame;
  if (module === null || method === null) return null;
  const calls = index.callsOf(module, method, lineno);
  if (calls === null) return null;
  return calls.reverse().map((call) => {
    const mapped: Frame = {
      ...frame,
      module: shown(call.className),
      function: shown(call.method),
      filename: shown(call.file ?? fileOf(call.className, frame.filename)),
      lineno: call.line,
      raw: rawOf(frame),
    };
    delete mapped.unmapped;
    mapped.abs_path = mapped.filename;
    mapped.in_app = isOwn(mapped);
    return mapped;
  });
}

/** Renames an exception to its original class; null: the mapping does not have it. */
export function mapExceptionType(exception: EventException, index: ProguardIndex): EventException | null {
  const { type, module } = exception;
  if (type === null || exception.raw !== undefined) return null;
  const original = index.classOf(module === null ? type : `${module}.${type}`);
  if (original === null) return null;
  const dot = original.lastIndexOf('.');
  return {
    ...exception,
    type: shown(original.slice(dot + 1)),
    module: dot === -1 ? null : shown(original.slice(0, dot)),
    raw: { type, module },
  };
}

/** The compiler names the file of a class after its outermost class. */
function fileOf(className: string, sent: string | null): string {
  const name = className.slice(className.lastIndexOf('.') + 1).replace(/\$.*$/, '');
  return `${name}.${sent?.endsWith('.kt') === true || name.endsWith('Kt') ? 'kt' : 'java'}`;
}
