import { csharpName } from './module-name.ts';
import { nativeFunction } from './native-function.ts';
import type { PlatformFamily } from '../platform-family.ts';

/**
 * Returns the function for the key, without parts that a compiler, engine or run makes up. Null when nothing useful is
 * left.
 */
export function functionName(name: string | null, family: PlatformFamily): string | null {
  if (name === null || name === '') return null;
  switch (family) {
    case 'javascript':
      return javascriptFunction(name);
    case 'ruby':
      return rubyFunction(name);
    case 'php':
      return phpFunction(name);
    case 'java':
      return javaFunction(name);
    case 'go':
      return goFunction(name);
    case 'native':
      return nativeFunction(name);
    case 'csharp':
      return csharpFunction(name);
    default:
      return name;
  }
}

const JS_UNKNOWN: ReadonlySet<string> = new Set([
  '',
  '?',
  '<anonymous>',
  '<anonymous function>',
  'Anonymous function',
  'anonymous',
  'global code',
  'module code',
]);

/** Compiler-numbered functions, for targets without generators. */
const JS_COMPILED = /^_callee\d{0,6}\$?$/;

/**
 * Returns the name without the parts that differ between engines: `Object.`, `async `, `new ` before it, `[as alias]`
 * behind it.
 */
function javascriptFunction(name: string): string | null {
  let text = name;
  if (text.endsWith(']')) {
    const alias = text.indexOf(' [as ');
    if (alias > 0) text = text.slice(0, alias);
  }
  // One engine puts the scheduler of the call before the name: `promise callback*load`.
  if (text.includes('*')) text = text.slice(text.lastIndexOf('*') + 1);
  text = text.slice(text.lastIndexOf('.') + 1);
  if (text.startsWith('async ')) text = text.slice(6);
  if (text.startsWith('new ')) text = text.slice(4);
  return JS_UNKNOWN.has(text) || text.endsWith('/<') || (text.startsWith('_callee') && JS_COMPILED.test(text))
    ? null
    : text;
}

/** Suffix of a Rails template function: a hash and an object id; a negative hash adds an underscore. */
const ERB_SUFFIX = /_{2,3}\d{4,}_\d{4,}$/;
/** Number of a method created at run time: `__tempfile_4711`. */
const RUBY_MADE = /(?<=^__[a-z][a-z_]{0,60}_)\d{1,20}$/;

/** Class before a method, from Ruby 3.4 on: `Cart#add`, `rescue in Cart.load`. */
const RUBY_CLASS = /(?<=^(?:(?:rescue|ensure) in )?)[A-Z][\w:]{0,250}[#.](?=.)/;

function rubyFunction(name: string): string {
  if (name.startsWith('block ')) return 'block';
  // The top level of a file has one name when it is run and another when it is required.
  if (name.includes('<')) return name.replace('<top (required)>', '<main>');
  const method = name.includes('#') || name.includes('.') ? name.replace(RUBY_CLASS, '') : name;
  return method.startsWith('_') ? method.replace(ERB_SUFFIX, '').replace(RUBY_MADE, '') : method;
}

/** Namespace of compiled dependency containers, with a random name per build. */
const PHP_CONTAINER = /^Container[A-Za-z0-9]{7}\\/;

/** Class inside `{closure:App\\Pay::run():12}`, also for nested closures. */
const PHP_CLOSURE_OWNER = /^(?:\{closure:)+([\w\\]{1,250})::/;

function phpFunction(name: string): string | null {
  if (name.startsWith('[Anonymous')) return null;
  if (PHP_CONTAINER.test(name)) return name.replace(PHP_CONTAINER, 'Container\\');
  const anonymous = name.indexOf('@anonymous');
  if (anonymous !== -1) {
    // Path, line and a counter follow the mark: class@anonymous/app/x.php:12$0::handle.
    const method = name.lastIndexOf('::');
    if (method <= anonymous) return null;
    const parent = name.slice(0, anonymous);
    return parent === 'class' ? name.slice(method + 2) : `${parent}@anonymous${name.slice(method)}`;
  }
  const closure = name.indexOf('{closure');
  if (closure === -1) return name;
  // Newer engines put the function and line around a closure into its name, older ones the namespace.
  const owner = name.lastIndexOf('::', closure);
  const type = owner === -1 ? PHP_CLOSURE_OWNER.exec(name)?.[1] : name.slice(0, owner);
  return type === undefined ? '{closure}' : `${type}::{closure}`;
}

/** Method that holds a lambda; older compilers call it null for nested lambdas. */
const JAVA_LAMBDA = /^(lambda\$(?!null\$)[\w$]{1,250})\$\d{1,9}$/;

function javaFunction(name: string): string | null {
  if (!name.includes('$')) return name;
  if (name.startsWith('lambda$')) return JAVA_LAMBDA.exec(name)?.[1] ?? null;
  if (name.includes('_aroundBody')) return name.replace(/_aroundBody\d+$/, '');
  // Method of the class, under the name that a CGLIB proxy gives its copy.
  if (name.startsWith('CGLIB$')) return name.replace(/^CGLIB\$(.{1,250})\$\d{1,9}$/, '$1');
  // R8 adds a hash to the name of a lambda bridge.
  if (name.startsWith('$r8$lambda$')) return '$r8$lambda';
  return name.replace(/^access\$\d+$/, 'access$$').replace(/(\$anonfun\$[\w$]*?|\$lambda)[$-]\d+/g, '$1');
}

/** Returns the name without the numbers of closures and the type arguments of generic functions. */
function goFunction(name: string): string {
  let text = name;
  const bracket = text.indexOf('[');
  if (bracket !== -1) text = text.replace(/\[[^[\]]*(?:\[[^[\]]*\][^[\]]*)*\]/g, '');
  // A method belongs to its type, with a value or a pointer receiver; as a value it has a suffix.
  if (text.includes('(*')) text = text.replace(/\(\*([\w.]{1,200})\)/g, '$1');
  if (text.endsWith('-fm')) text = text.slice(0, -3);
  if (!/\d/.test(text)) return text;
  return (
    text
      .replace(/\.(func|gowrap|deferwrap)\d+/g, '.$1')
      .replace(/-range\d+/g, '-range')
      .replace(/(?<=\.func(?:\.\d+)*)\.\d+/g, '.func')
      .replace(/^init\.\d+/, 'init')
      // Before Go 1.21, closures at package level were named `glob..func1`.
      .replace(/^glob\.\.func/, 'init.func')
  );
}

/**
 * Returns the name without return type, parameters and generic arguments. SDKs send a bare name or the whole signature:
 * `async Task<Receipt> Add<T>(Item item)`. Keeps a local function or lambda behind the parameters.
 */
function csharpFunction(name: string): string {
  const call = name.indexOf('(');
  const inner = call === -1 ? -1 : name.lastIndexOf(')+');
  let text = withoutTypeArguments(call > 0 ? name.slice(0, call) : name);
  text = csharpName(text.slice(text.lastIndexOf(' ') + 1));
  if (inner === -1) return text;
  const local = name.slice(inner + 2);
  return `${text}+${local.startsWith('(') || local.includes('=>') ? 'lambda' : csharpFunction(local)}`;
}

/** Maximum nesting of removed type arguments; deeper ones stay. */
const MAX_NESTING = 4;

/** Turns `Task<List<Item>> Get<T>` into `Task Get`. Keeps compiler-made names, which begin with an angle bracket. */
function withoutTypeArguments(name: string): string {
  let text = name;
  for (let depth = 0; depth < MAX_NESTING && text.includes('<'); depth += 1) {
    const inner = text.replace(/(?<=\w)<[^<>()]{0,250}>/g, '');
    if (inner === text) break;
    text = inner;
  }
  return text;
}
