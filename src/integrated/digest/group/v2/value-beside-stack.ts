import type { EventException } from '../../../../domain/events/event.ts';
import { hasType, NAMED_PLACE, type ValueRule } from '../v1/exceptions.ts';
import { frameComponent } from '../v1/frames/frame.ts';
import { platformFamily } from '../v1/platform-family.ts';
import type { Variant } from '../v1/frames/stacktrace.ts';
import { isNamelessCall } from './nameless-call.ts';

/**
 * Types of Go that only say that there is an error. All errors of a program share them, and their stack is that of the
 * call that reported them: standard library, then the common libraries for errors and services.
 */
const VAGUE_GO_TYPES: ReadonlySet<string> = new Set([
  'error',
  'errors.errorString',
  'errors.joinError',
  'fmt.wrapError',
  'fmt.wrapErrors',
  'xerrors.errorString',
  'xerrors.wrapError',
  'xerrors.noWrapError',
  'errors.fundamental',
  'errors.withMessage',
  'errors.withStack',
  'errors.Error',
  'errors.Err',
  'multierror.Error',
  'multierror.chain',
  'multierr.multiError',
  'errutil.leafError',
  'errutil.withPrefix',
  'withstack.withStack',
  'withMessage.withMessage',
  'errbase.opaqueLeaf',
  'errbase.opaqueWrapper',
  'join.joinError',
  'eris.rootError',
  'eris.wrapError',
  'oops.OopsError',
  'trace.TraceErr',
  // Answers of services: their codes are in the text alone.
  'status.Error',
  'connect.Error',
  'echo.HTTPError',
  'fiber.Error',
]);

/**
 * Decides that the value counts beside the stack: where an exception has no type, where its type says nothing, and where
 * the call of the application that failed is a function without a name.
 */
export const countsBesideStack: ValueRule = (exception, platform, variant) =>
  !hasType(exception) ||
  (platformFamily(platform) === 'go' && isVagueType(exception.type)) ||
  failedInNamelessCall(exception, platform, variant);

/** Ignores the pointer and the type arguments: `*errors.errorString`, `*fail.Wrapped[main.Order]`. */
function isVagueType(type: string): boolean {
  const start = type.startsWith('*') ? 1 : 0;
  const arguments_ = type.indexOf('[');
  return VAGUE_GO_TYPES.has(type.slice(start, arguments_ === -1 ? undefined : arguments_));
}

/** For JavaScript a call says nothing when neither its name nor its source line counts: minified ones, too. */
function failedInNamelessCall({ frames }: EventException, platform: string, variant: Variant): boolean {
  if (variant === 'system') return false;
  const frame = frames?.findLast((each) => each.in_app && frameComponent(each, platform) !== '');
  if (frame === undefined) return false;
  const family = platformFamily(frame.platform ?? platform);
  return family === 'javascript' ? !NAMED_PLACE.test(frameComponent(frame, platform)) : isNamelessCall(frame, family);
}
