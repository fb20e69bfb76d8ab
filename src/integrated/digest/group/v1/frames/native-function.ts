/** Numbers and hashes of compilers: Rust's legacy hash, and suffixes of split or cloned functions. */
const GENERATED_SUFFIX = /(?:::h[0-9a-f]{16})?(?:\.(?:constprop|isra|part|cold|llvm|lto_priv|clone)(?:\.\d+)*)*$/;

/** Offset in the function, which engines without symbols append: `main + 0x1c`. */
const OFFSET = /(?: ?\+ ?(?:0x[0-9a-f]+|\d+))$/;

/** Namespaces in which libraries keep their versions. */
const INLINE_NAMESPACE = /\b(?:__1|__ndk1|__cxx11|__detail_v\d+)::/g;

/** Numbered parts of one asynchronous function of Swift. */
const ASYNC_PART = /^\(\d+\) (?:await|suspend) resume partial function for /;

/** Maximum characters of a name that is changed; longer ones stay as they are. */
const MAX_LENGTH = 1024;

const PLAIN = /^[\w:.~]+$/;

/**
 * Returns the name of a native, Rust, Swift or C++ function without hashes, arguments, return type and closure numbers.
 * Null for an unknown name.
 */
export function nativeFunction(name: string): string | null {
  if (name === '<redacted>' || name === '<unknown>') return null;
  if (name.length > MAX_LENGTH) return name;
  let text = (name.includes('+') ? name.replace(OFFSET, '') : name).replace(GENERATED_SUFFIX, '');
  if (text.includes('::__')) text = text.replace(INLINE_NAMESPACE, '');
  if (PLAIN.test(text)) return text;
  const block = /^_{0,4}\d*([-+]\[[^\]]{1,250}\])(_block_invoke)?/.exec(text);
  if (block) return `${block[1] ?? ''}${block[2] ?? ''}`;
  text = text
    .replace(ASYNC_PART, '')
    // Versions of a library's interface, and copies made by an optimiser.
    .replace(/\[abi:\w{1,64}\]| \[clone [^\]]{1,64}\]/g, '')
    // Rust's crate disambiguators; numbers of closures, lambdas and impl blocks.
    .replace(/\[[0-9a-f]{8,16}\]/g, '')
    .replace(/\{\{(closure|constructor|shim|vtable|impl)\}\}/g, '{$1}')
    .replace(/#\d+/g, '')
    .replace(/\$_\d+/g, '$$_')
    .replace(/'lambda\d*'/g, "'lambda'");
  return withoutArguments(text) ?? text;
}

/**
 * Removes arguments and return type. Returns null when brackets do not match or nothing is left; the name stays then.
 */
function withoutArguments(text: string): string | null {
  let kept = '';
  let at = 0;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '<' || char === '(' || char === '{') {
      const operator = kept.endsWith('operator');
      if (operator && char === '<') {
        const sign = /^<(?:=>|<=|<|=)?/.exec(text.slice(at, at + 3))?.[0] ?? '<';
        kept += sign;
        at += sign.length;
        continue;
      }
      const end = closing(text, at);
      if (end === -1) return null;
      const inner = text.slice(at + 1, end);
      at = end + 1;
      if (char === '{') {
        // The arguments of a lambda stand inside its braces.
        kept += `{${inner.replace(/\(.*$/s, '')}}`;
      } else if (char === '<') {
        if (kept === '') kept = selfType(inner);
        else if (kept.endsWith('::')) kept = kept.slice(0, -2);
      } else if (inner === 'anonymous namespace') {
        kept += '(anonymous namespace)';
      } else if (operator && inner === '') {
        kept += '()';
      } else if (!text.startsWith('::', at)) {
        // `const`, a return type or a note of the compiler follows the arguments.
        break;
      }
      continue;
    }
    if (char === ' ') {
      // The return type or a note such as "virtual thunk to" precedes the last blank.
      kept = kept.endsWith('operator') ? `${kept} ` : '';
    } else {
      kept += char;
    }
    at += 1;
  }
  return kept === '' ? null : kept;
}

/** Returns Type for `<Type as Trait>::method` and `<impl Trait for Type>::method`. */
function selfType(inner: string): string {
  const type = inner.startsWith('impl ')
    ? inner.slice(inner.lastIndexOf(' for ') + 5)
    : (inner.split(' as ')[0] ?? inner);
  return withoutArguments(type) ?? type;
}

const PAIRS: Readonly<Record<string, string>> = { '<': '>', '(': ')', '{': '}' };

/** Returns the index of the bracket that closes the one at `start`, or -1; arrows do not close. */
function closing(text: string, start: number): number {
  const open = text.charAt(start);
  const close = PAIRS[open];
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === open) depth += 1;
    else if (char === close && !(char === '>' && (text.charAt(at - 1) === '-' || text.charAt(at - 1) === '='))) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}
