import type { EventException, NormalisedEvent } from '../../../../domain/event.ts';
import { inCommonWording } from './browser-wording.ts';
import { part, TAGS } from './component.ts';
import { selectExceptions } from './exception-group.ts';
import { parameterise } from './parameterise.ts';
import { platformFamily } from './platform-family.ts';
import { isOverflow, OVERFLOW_TYPE, recursionComponent } from './recursion.ts';
import { columnOf } from './script-position.ts';
import { inNewestWording } from './ruby-wording.ts';
import { stacktraceComponent } from './stacktrace.ts';
import type { Variant } from './stacktrace.ts';

/** The component of an event's exceptions; empty when there is none that says anything. */
export function exceptionsComponent(event: NormalisedEvent): string {
  if (event.exceptions.length === 0) return '';
  const app = inVariant(event, 'app');
  return app.hasFrames ? app.component : inVariant(event, 'system').component;
}

/**
 * The exception that titles are made from: the one an exception group boils down to, else the last.
 * Null when the event has no exception.
 */
export function mainException(event: NormalisedEvent): EventException | null {
  if (event.exceptions.length < 2) return event.exceptions[0] ?? null;
  const hasFrames = inVariant(event, 'app').hasFrames;
  return select(event, hasFrames ? 'app' : 'system').main;
}

function select(event: NormalisedEvent, variant: Variant) {
  return selectExceptions(
    event.exceptions,
    (exception) => singleComponent(exception, event.platform, variant).component,
  );
}

function inVariant(event: NormalisedEvent, variant: Variant): { component: string; hasFrames: boolean } {
  let component = '';
  let hasFrames = false;
  const selected = select(event, variant).exceptions;
  const allWrap = selected.every(isWrapper);
  for (const exception of selected) {
    const single = singleComponent(exception, event.platform, variant);
    if (single.hasFrames || allWrap || !isWrapper(exception)) component += single.component;
    hasFrames ||= single.hasFrames;
  }
  return { component, hasFrames };
}

/** What runtimes and frameworks put around an exception that another thread or a reflective call raised. */
const WRAPPERS =
  /(?:^|\.)(?:CompletionException|(?:Unchecked)?ExecutionException|(?:Nested)?ServletException|InvocationTargetException|UndeclaredThrowableException|TargetInvocationException|AggregateException)$/;

/** Without calls of the application such a wrapper says nothing; whether there is one depends on the version. */
function isWrapper(exception: EventException): boolean {
  return exception.type !== null && WRAPPERS.test(exception.type);
}

/** Type, and the stack trace or, where there is none, the value without its variable parts. */
function singleComponent(
  exception: EventException,
  platform: string,
  variant: Variant,
): { component: string; hasFrames: boolean } {
  const round = isOverflow(exception) ? recursionComponent(exception.frames, platform, variant) : '';
  const stack = round || stacktraceComponent(exception.frames, platform, variant);
  let component = '';
  // A synthetic exception's type is made up by the SDK, unless the system gave it.
  if (
    exception.type !== null &&
    exception.type !== '' &&
    (!exception.mechanism?.synthetic || SIGNAL.test(exception.type))
  ) {
    component = part(TAGS.type, round === '' ? typeName(exception.type) : OVERFLOW_TYPE);
  }
  component += stack;
  const vague = stack !== '' && isVague(stack, platform);
  if (vague || isUnnamed(stack, platform)) component += columnOf(exception.frames, variant);
  if (exception.value !== null) {
    if (vague || (stack === '' && !hasStack(exception, platform, variant))) {
      const value = parameterise(worded(exception.value, platform, vague));
      if (value !== '') component += part(TAGS.value, value);
    }
  }
  return { component: component === '' ? '' : part(TAGS.exception, component), hasFrames: stack !== '' };
}

/** How systems say that a program was stopped. */
const SIGNAL = /^(?:SIG[A-Z]{2,8}|EXC_[A-Z_]{3,40}|EXCEPTION_[A-Z_]{3,60})$/;

/** A function or source line among the frames: their tags begin a frame or follow another value. */
const NAMED_PLACE = new RegExp(`(?:^|\\0)${TAGS.frame}?[${TAGS.function}${TAGS.contextLine}]`);

/** A minified script tells only its files: then the text has to say which error it is. */
function isVague(stack: string, platform: string): boolean {
  return platformFamily(platform) === 'javascript' && !NAMED_PLACE.test(stack);
}

/** The text in the words that are common to versions and makes of engines. */
function worded(value: string, platform: string, vague: boolean): string {
  const family = platformFamily(platform);
  if (family === 'javascript') {
    const common = inCommonWording(value);
    return vague ? withoutMinifiedNames(common) : common;
  }
  return family === 'ruby' ? inNewestWording(value) : value;
}

/** The innermost call has no name, although others have. */
function isUnnamed(stack: string, platform: string): boolean {
  if (stack === '' || platformFamily(platform) !== 'javascript') return false;
  const last = stack.lastIndexOf('\0\0', stack.length - 3);
  return !NAMED_PLACE.test(last === -1 ? stack : stack.slice(last + 2));
}

/** Engines quote the failing expression, in which a minifier names variables anew with every build. */
const MINIFIED_NAME = /(?<![\w$])[A-Za-z_$][\w$]?(?=[.([']| is (?:not |null|undefined))/g;

/** What is looked at of a value, in characters; the lines that are grouped by are shorter by far. */
const MAX_VALUE = 8192;

function withoutMinifiedNames(value: string): string {
  return value.slice(0, MAX_VALUE).replace(MINIFIED_NAME, '_');
}

/**
 * A cause that was raised inside libraries has a stack, only not of the application's frames. Its value
 * is left out all the same: library messages are where hosts, queries and addresses stand.
 */
function hasStack(exception: EventException, platform: string, variant: Variant): boolean {
  return variant === 'app' && stacktraceComponent(exception.frames, platform, 'system') !== '';
}

/** Anonymous classes of PHP are named after path, line and a counter. */
function typeName(type: string): string {
  const anonymous = type.indexOf('@anonymous');
  return anonymous === -1 ? type : type.slice(0, anonymous + '@anonymous'.length);
}
