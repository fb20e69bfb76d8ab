import type { Frame } from '../../../../domain/events/event.ts';
import { contextLine } from '../v1/frames/context-line.ts';
import type { PlatformFamily } from '../v1/platform-family.ts';

/** Lambdas of Java, Kotlin, Scala and desugared ones: `lambda$add$0`, `add$lambda-2`, `$anonfun$add$1`. */
const JAVA_FUNCTION = /^lambda\$|\$lambda|\$anonfun/;
/** Anonymous classes and Kotlin's lambdas and coroutines: `Cart$1`, `Cart$load$2`; closures of Groovy and Clojure. */
const JAVA_CLASS = /\$\d+(?:\$|$)|\$_\w{0,128}closure\d|\$fn__|\$eval\d/;
/** `Run.func1`, `Run.func1.2`, `Run.func2.gowrap1`, `glob..func3`, `Run.func1-range2`. */
const GO_FUNCTION = /(?:^|\.)(?:func|gowrap|deferwrap)\d+(?:[.-](?:func|range|gowrap|deferwrap)?\d+){0,8}$/;
/** `<Add>b__0_1` and lambdas behind a signature; `<Add>g__Local|0` has a name. */
const CSHARP_FUNCTION = />b__\d|lambda_method|\)\+\(|=>/;
/** Closures of Swift, blocks of Objective-C, lambdas of C++ as gcc, clang and MSVC name them. */
const NATIVE_FUNCTION = /^(?:partial apply for )?closure #\d|_block_invoke|\{lambda|'lambda|<lambda|\$_\d/;
/** Closures of Dart, functions of Elixir and Erlang, subroutines of Perl, blocks of PowerShell. */
const OTHER_FUNCTION = /<fn>$|^anonymous fn\/|^-.{1,200}\/fun-\d|(?:^|::)__ANON__|^<ScriptBlock>$/;
/** Every asynchronous function of Rust is a closure, and texts of panics are mostly data. */
const RUST_CLOSURE = /\{\{?closure/;

/**
 * Returns true for a lambda, closure or method of an anonymous class: its name is a number, so two of one function look
 * alike. Where the source line counts, it tells them apart. Calls of JavaScript are not known here.
 */
export function isNamelessCall(frame: Frame, family: PlatformFamily): boolean {
  const { function: name, module } = frame;
  if (name === null) return false;
  switch (family) {
    case 'java':
      return (name.includes('$') && JAVA_FUNCTION.test(name)) || (module?.includes('$') === true && JAVA_CLASS.test(module)); // prettier-ignore
    case 'go':
      return GO_FUNCTION.test(name);
    case 'csharp':
      return CSHARP_FUNCTION.test(name);
    case 'native':
      return NATIVE_FUNCTION.test(name) && !RUST_CLOSURE.test(name);
    case 'python':
      return name.endsWith('<lambda>') && contextLine(frame.context_line) === null;
    case 'ruby':
      return name.startsWith('block ') && contextLine(frame.context_line) === null;
    case 'php':
      return name.includes('{closure') && contextLine(frame.context_line) === null;
    case 'other':
      return OTHER_FUNCTION.test(name);
    default:
      return false;
  }
}
