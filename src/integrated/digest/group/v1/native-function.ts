/** Compilers' numbers and hashes: Rust's legacy hash, and the suffixes of split or cloned functions. */
const GENERATED_SUFFIX = /(?:::h[0-9a-f]{16})?(?:\.(?:constprop|isra|part|cold|llvm|lto_priv|clone)(?:\.\d+)*)*$/;

/** Where in the function it happened, as engines without symbols of their own append it: `main + 0x1c`. */
const OFFSET = /(?: ?\+ ?(?:0x[0-9a-f]+|\d+))$/;

/** Namespaces that a library puts its versions in. */
const INLINE_NAMESPACE = /\b(?:__1|__ndk1|__cxx11|__detail_v\d+)::/g;

/** Numbered parts of one asynchronous function of Swift. */
const ASYNC_PART = /^\(\d+\) (?:await|suspend) resume partial function for /;

/** Names that are longer, in characters, are taken as they are. */
const MAX_LENGTH = 1024;

const PLAIN = /^[\w:.~]+$/;

/**
 * The name of a native, Rust, Swift or C++ function without hashes, generic and call arguments, return
 * type and closure numbers; null for a name that was not known.
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
    // Versions of a library's interface, and copies that an optimiser made.
    .replace(/\[abi:\w{1,64}\]| \[clone [^\]]{1,64}\]/g, '')
    // Rust's crate disambiguators; numbers of closures, lambdas and impl blocks.
    .replace(/\[[0-9a-f]{8,16}\]/g, '')
    .replace(/\{\{(closure|constructor|shim|vtable|impl)\}\}/g, '{$1}')
    .replace(/#\d+/g, '')
    .replace(/\$_\d+/g, '$$_')
    .replace(/'lambda\d*'/g, "'lambda'");
  return withoutArguments(text) ?? text;
}

/** Null when brackets do not match or nothing is left: then the name stays as it is. */
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
        // A lambda's arguments stand inside its braces.
        kept += `{${inner.replace(/\(.*$/s, '')}}`;
      } else if (char === '<') {
        if (kept === '') kept = selfType(inner);
        else if (kept.endsWith('::')) kept = kept.slice(0, -2);
      } else if (inner === 'anonymous namespace') {
        kept += '(anonymous namespace)';
      } else if (operator && inner === '') {
        kept += '()';
      } else if (!text.startsWith('::', at)) {
        // What follows the arguments is `const`, a return type or the compiler's note.
        break;
      }
      continue;
    }
    if (char === ' ') {
      // Before the last blank stands the return type or a note such as "virtual thunk to".
      kept = kept.endsWith('operator') ? `${kept} ` : '';
    } else {
      kept += char;
    }
    at += 1;
  }
  return kept === '' ? null : kept;
}

/** `<Type as Trait>::method` and `<impl Trait for Type>::method` are methods of Type. */
function selfType(inner: string): string {
  const type = inner.startsWith('impl ')
    ? inner.slice(inner.lastIndexOf(' for ') + 5)
    : (inner.split(' as ')[0] ?? inner);
  return withoutArguments(type) ?? type;
}

const PAIRS: Readonly<Record<string, string>> = { '<': '>', '(': ')', '{': '}' };

/** Index of the bracket that closes the one at `start`, or -1; arrows do not close. */
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
