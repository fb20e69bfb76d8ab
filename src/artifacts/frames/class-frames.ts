import type { EventException, Frame } from '../../domain/events/event.ts';
import { ANYWHERE, type ProguardIndex, type StackPlace } from '../maps/proguard-index.ts';
import { rawOf, shown, type IsOwn } from './script-frame.ts';

/** Place of the innermost frame of a stack. `exception`: at its original class; null: the stack of a thread. */
export function innermostPlace(exception: EventException | null): StackPlace {
  if (exception === null || exception.type === null) return ANYWHERE;
  const { module, type } = exception;
  return { thrown: module === null ? type : `${module}.${type}`, outlineLine: null };
}

/** What the event says about a frame. */
interface FrameSurroundings {
  readonly place: StackPlace;
  /** Packages of the application; null: not known. */
  readonly packages: readonly string[] | null;
}

/** Original frames of a frame, the innermost last, as in stacks, and the place of the next frame outwards. */
export interface MappedClassFrame {
  readonly frames: Frame[];
  readonly next: StackPlace;
}

/**
 * Returns the original frames of a frame of a JVM: the build may have moved calls into one another. Those in methods
 * that the build made are not of the application. Null: the mapping does not have the class of the frame.
 */
export function mapClassFrame(
  frame: Frame,
  { place, packages }: FrameSurroundings,
  index: ProguardIndex,
  isOwn: IsOwn,
): MappedClassFrame | null {
  const { module, function: method, lineno } = frame;
  if (module === null || method === null) return null;
  const calls = index.callsOf(module, method, lineno, place);
  if (calls === null) return null;
  const frames = calls.reverse().map((call) => {
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
    // The SDK judged by the name of the build. Where that is the original one, its mark stands.
    const mark = packages === null ? null : packages.some((each) => call.className.startsWith(`${each}.`));
    mapped.in_app = !call.isSynthesized && (call.className === module ? frame.in_app : isOwn(mapped, mark));
    return mapped;
  });
  const outlineLine = index.isOutline(module, method, lineno) ? lineno : null;
  return { frames, next: outlineLine === null ? ANYWHERE : { thrown: null, outlineLine } };
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

/**
 * Returns the packages of the application, where its SDK marks frames by them: those of marked classes that keep their
 * name. Null: the SDK marks none, or all.
 */
export function markedPackages(frames: readonly Frame[], index: ProguardIndex): readonly string[] | null {
  const packages = new Set<string>();
  let omits = false;
  for (const frame of frames) {
    const { module, in_app: isMarked } = frame.raw ?? frame;
    if (module === null) continue;
    const original = index.classOf(module);
    if (original === module && isMarked) packages.add(packageOf(module));
    if (original !== null && original !== module && !isMarked) omits = true;
  }
  return omits && packages.size > 0 ? [...packages] : null;
}

/** The first two names, as applications are named: `com.example` of `com.example.shop.Cart`. */
function packageOf(className: string): string {
  const names = className.split('.').slice(0, -1);
  return names.slice(0, 2).join('.');
}

/** The compiler names the file of a class after its outermost class. */
function fileOf(className: string, sent: string | null): string {
  const name = className.slice(className.lastIndexOf('.') + 1).replace(/\$.*$/, '');
  return `${name}.${sent?.endsWith('.kt') === true || name.endsWith('Kt') ? 'kt' : 'java'}`;
}
