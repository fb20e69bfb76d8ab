import type { Frame } from '../../../../../domain/events/event.ts';
import { isFrameworkCall } from './framework-calls.ts';
import type { PlatformFamily } from '../platform-family.ts';

/**
 * Returns true for frames ignored in both variants: of the SDK itself, of compiler helpers, and of promise and panic
 * machinery. They differ between versions and do not identify the error.
 */
export function isIgnoredFrame(frame: Frame, family: PlatformFamily): boolean {
  switch (family) {
    case 'python':
      return (
        (frame.function !== null && PYTHON_INLINED.has(frame.function)) ||
        (frame.filename !== null && PYTHON_MADE.test(frame.filename)) ||
        startsWithName(frame.module, 'sentry_sdk', '.') ||
        hasPath(frame, /(?:^|[/\\])sentry_sdk[/\\]/)
      );
    case 'javascript':
      return isIgnoredJavascript(frame);
    case 'java':
      return (
        startsWithName(frame.module, 'io.sentry', '.') ||
        (frame.module !== null && MAY_BE_MADE.test(frame.module) && JAVA_MADE.test(frame.module))
      );
    case 'php':
      return (
        (frame.function !== null && PHP_PROXY.test(frame.function)) ||
        startsWithName(frame.function, 'Sentry', '\\') ||
        hasPath(frame, /[/\\]vendor[/\\]sentry[/\\]/)
      );
    case 'ruby':
      return hasPath(frame, RUBY_SDK) || hasPath(frame, RUBY_START);
    case 'go':
      return (
        startsWithName(frame.module, 'github.com/getsentry/sentry-go', '/') ||
        (frame.module === 'runtime' && frame.function !== null && GO_RUNTIME.test(frame.function))
      );
    case 'native':
      return frame.function !== null && NATIVE_MACHINERY.test(frame.function);
    case 'csharp':
      return startsWithName(frame.module, 'Sentry', '.');
    case 'other':
      return false;
  }
}

/** Frames of Python's import machinery, and functions generated for decorators and classes. */
const PYTHON_MADE = /^<(?:frozen |attrs generated|decorator-gen-|__array_function__)/;

/** Comprehensions: separate calls up to Python 3.11, part of the surrounding function since. */
const PYTHON_INLINED: ReadonlySet<string> = new Set(['<listcomp>', '<dictcomp>', '<setcomp>']);

/**
 * Classes made at run time or build time that stand between a call and its method: lambdas, accessors, unnamed proxies.
 * Their kind and number change with every version.
 */
const JAVA_MADE =
  /\$\$(?:Lambda|FastClassBy)|\$auxiliary\$|(?:^|[.$])\$Proxy\d|Generated(?:Serialization)?(?:Method|Constructor)Accessor\d|\$Definition\$Exec|\$AjcClosure\d/;
const MAY_BE_MADE = /\$|Accessor/;

/** Proxies of PHP entities and services that are loaded at first use. */
const PHP_PROXY = /^Proxies\\__CG__\\|(?:Ghost|Proxy)_?[0-9A-Fa-f]{7}::/;

/** Files of the Ruby engine, and scripts that start a server or job. */
const RUBY_START = /^<internal:|(?:^|\/)(?:bin\/(?:rails|rake|puma|sidekiq|bundle|spring|rackup|unicorn)|config\.ru)$/;

const RUBY_SDK = /(?:^|\/)sentry-(?:ruby|raven|rails|sidekiq|resque|delayed_job|opentelemetry)[^/]{0,40}\/lib\//;

/** Functions that raise a panic, and that begin and end a goroutine. */
const GO_RUNTIME =
  /^(?:gopanic|goPanic|panic|sigpanic|throw|fatal|Goexit|goexit|main$|deferproc|deferreturn|call\d|reflectcall|mapassign|mapaccess)/;

const NATIVE_MACHINERY =
  /^_?<?(?:(?:std|core)::(?:panicking|panic|rt|ops::function)\b|std::sys(?:_common)?::backtrace\b|core::(?:option|result)::(?:\w+_failed)\b|rust_begin_unwind|_*rust_(?:begin|end)_short_backtrace|__rust_|backtrace::|sentry(?:_[a-z_]+)?::)/;

const JS_SDK = /@sentry(?:-internal)?[/\\]/;
const JS_HELPERS =
  /node_modules[/\\](?:@babel[/\\]runtime(?:-corejs\d)?|babel-runtime|core-js(?:-pure|-bundle)?|tslib|regenerator-runtime|zone\.js)[/\\]/;
const JS_HELPER_MODULE = /^(?:@sentry|@babel\.runtime|core-js|tslib|regenerator-runtime)[./:]/;
const JS_PLUMBING = /^(?:process\.)?(?:processTicksAndRejections|runMicrotasks)$/;
const JS_NEXT_TICK = /^(?:process\.)?_?(?:nextTick|tickCallback|tickDomainCallback|combinedTickCallback)$/;
/** Position in the list given to `Promise.all` and similar functions, which SDKs send instead of a file. */
const JS_PROMISE_INDEX = /^index \d+$/;
const JS_HELPER_FUNCTIONS: ReadonlySet<string> = new Set([
  'sentryWrapped',
  'asyncGeneratorStep',
  '_asyncToGenerator',
  '_next',
  '_throw',
  '__awaiter',
  '__generator',
]);

function isIgnoredJavascript(frame: Frame): boolean {
  const name = frame.function;
  if (name !== null) {
    if (JS_HELPER_FUNCTIONS.has(name) || isFrameworkCall(name) || JS_PLUMBING.test(name)) return true;
    // An application may have a function of this name; the engine's is in a file such as `node:internal/…`.
    if (JS_NEXT_TICK.test(name) && /^(?:node:|internal[/\\])/.test(frame.abs_path ?? frame.filename ?? '')) return true;
  }
  return (
    (frame.filename !== null && JS_PROMISE_INDEX.test(frame.filename)) ||
    hasPath(frame, JS_SDK) ||
    hasPath(frame, JS_HELPERS) ||
    (frame.module !== null && JS_HELPER_MODULE.test(frame.module))
  );
}

/** Returns true for `name` and everything inside it. */
function startsWithName(text: string | null, name: string, separator: string): boolean {
  return (
    text !== null && text.startsWith(name) && (text.length === name.length || text.startsWith(separator, name.length))
  );
}

function hasPath(frame: Frame, pattern: RegExp): boolean {
  const path = frame.abs_path ?? frame.filename;
  return path !== null && pattern.test(path);
}
