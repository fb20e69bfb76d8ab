import type { EventException, NormalisedEvent } from '../../../../domain/events/event.ts';
import { inCommonWording } from './browser-wording.ts';
import { part, TAGS } from './component.ts';
import { selectExceptions } from './exception-group.ts';
import { parameterise } from './values/parameterise.ts';
import { platformFamily } from './platform-family.ts';
import { isOverflow, OVERFLOW_TYPE, recursionComponent } from './frames/recursion.ts';
import { columnOf } from './frames/script-position.ts';
import { inNewestWording } from './ruby-wording.ts';
import { stacktraceComponent } from './frames/stacktrace.ts';
import type { Variant } from './frames/stacktrace.ts';

/** Decides that the value of an exception counts beside its stack. Only later versions have such a rule. */
export type ValueRule = (exception: EventException, platform: string, variant: Variant) => boolean;

const NEVER: ValueRule = () => false;

/** Returns the component of an event's exceptions; empty when none of them contributes. */
export function exceptionsComponent(event: NormalisedEvent, valueRule = NEVER): string {
  if (event.exceptions.length === 0) return '';
  const app = inVariant(event, 'app', valueRule);
  return app.hasFrames ? app.component : inVariant(event, 'system', valueRule).component;
}

/**
 * Returns the exception used for titles: the one selected from an exception group, else the last. Null when the event
 * has no exception.
 */
export function mainException(event: NormalisedEvent): EventException | null {
  if (event.exceptions.length < 2) return event.exceptions[0] ?? null;
  const hasFrames = inVariant(event, 'app', NEVER).hasFrames;
  return select(event, hasFrames ? 'app' : 'system', NEVER).main;
}

function select(event: NormalisedEvent, variant: Variant, valueRule: ValueRule) {
  return selectExceptions(
    event.exceptions,
    (exception) => singleComponent(exception, event.platform, variant, valueRule).component,
  );
}

function inVariant(
  event: NormalisedEvent,
  variant: Variant,
  valueRule: ValueRule,
): { component: string; hasFrames: boolean } {
  let component = '';
  let hasFrames = false;
  const selected = select(event, variant, valueRule).exceptions;
  const allWrap = selected.every(isWrapper);
  for (const exception of selected) {
    const single = singleComponent(exception, event.platform, variant, valueRule);
    if (single.hasFrames || allWrap || !isWrapper(exception)) component += single.component;
    hasFrames ||= single.hasFrames;
  }
  return { component, hasFrames };
}

/** Exceptions that runtimes and frameworks put around one raised by another thread or a reflective call. */
const WRAPPERS =
  /(?:^|\.)(?:CompletionException|(?:Unchecked)?ExecutionException|(?:Nested)?ServletException|InvocationTargetException|UndeclaredThrowableException|TargetInvocationException|AggregateException)$/;

/**
 * Returns true for such a wrapper. Without contributing frames it does not count: its presence depends on the version.
 */
function isWrapper(exception: EventException): boolean {
  return exception.type !== null && WRAPPERS.test(exception.type);
}

/** Returns the component of one exception: type, and the stack trace or else the value without its variable parts. */
function singleComponent(
  exception: EventException,
  platform: string,
  variant: Variant,
  valueRule: ValueRule,
): { component: string; hasFrames: boolean } {
  const round = isOverflow(exception) ? recursionComponent(exception.frames, platform, variant) : '';
  const stack = round || stacktraceComponent(exception.frames, platform, variant);
  let component = '';
  if (hasType(exception)) {
    component = part(TAGS.type, round === '' ? typeName(exception.type) : OVERFLOW_TYPE);
  }
  component += stack;
  const vague = stack !== '' && isVague(stack, platform);
  if (vague || isUnnamed(stack, platform)) component += columnOf(exception.frames, variant);
  if (vague || (stack === '' && !hasStack(exception, platform, variant))) {
    const value = exception.value === null ? '' : parameterise(worded(exception.value, platform, vague));
    if (value !== '') component += part(TAGS.value, value);
  } else if (valueRule(exception, platform, variant)) {
    // Also where it is empty: the group of earlier versions holds the other values as well.
    component += part(TAGS.besideStack, parameterise(worded(exception.value ?? '', platform, hasType(exception))));
  }
  return { component: component === '' ? '' : part(TAGS.exception, component), hasFrames: stack !== '' };
}

/** Returns true for an exception with a type. The SDK invents that of a synthetic one, unless the system gave it. */
export function hasType(exception: EventException): exception is EventException & { readonly type: string } {
  const { type, mechanism } = exception;
  return type !== null && type !== '' && (!mechanism?.synthetic || SIGNAL.test(type));
}

/** Names of signals and system exceptions that stop a program. */
const SIGNAL = /^(?:SIG[A-Z]{2,8}|EXC_[A-Z_]{3,40}|EXCEPTION_[A-Z_]{3,60})$/;

/** Function or source line among the frames: their tags begin a frame or follow another value. */
export const NAMED_PLACE = new RegExp(`(?:^|\\0)${TAGS.frame}?[${TAGS.function}${TAGS.contextLine}]`);

/** Returns true when the stack names only files, as of minified scripts; then the value must contribute too. */
function isVague(stack: string, platform: string): boolean {
  return platformFamily(platform) === 'javascript' && !NAMED_PLACE.test(stack);
}

/** Returns the value in wording common to versions and engines. */
function worded(value: string, platform: string, vague: boolean): string {
  const family = platformFamily(platform);
  if (family === 'javascript') {
    const common = inCommonWording(value);
    return vague ? withoutMinifiedNames(common) : common;
  }
  return family === 'ruby' ? inNewestWording(value) : value;
}

/** Returns true when the innermost call has neither a name nor a source line; only for JavaScript. */
function isUnnamed(stack: string, platform: string): boolean {
  if (stack === '' || platformFamily(platform) !== 'javascript') return false;
  const last = stack.lastIndexOf('\0\0', stack.length - 3);
  return !NAMED_PLACE.test(last === -1 ? stack : stack.slice(last + 2));
}

/** Variable in a failing expression that engines quote; minifiers rename it with every build. */
const MINIFIED_NAME = /(?<![\w$])[A-Za-z_$][\w$]?(?=[.([']| is (?:not |null|undefined))/g;

/** Maximum characters of a value that are searched; the lines in the key are far shorter. */
const MAX_VALUE = 8192;

function withoutMinifiedNames(value: string): string {
  return value.slice(0, MAX_VALUE).replace(MINIFIED_NAME, '_');
}

/**
 * Returns true when an exception has contributing frames, but none of the application. Its value does not contribute
 * either: messages of libraries contain hosts, queries and addresses.
 */
function hasStack(exception: EventException, platform: string, variant: Variant): boolean {
  return variant === 'app' && stacktraceComponent(exception.frames, platform, 'system') !== '';
}

/** Returns the type without the path, line and counter that PHP puts into the name of an anonymous class. */
function typeName(type: string): string {
  const anonymous = type.indexOf('@anonymous');
  return anonymous === -1 ? type : type.slice(0, anonymous + '@anonymous'.length);
}
