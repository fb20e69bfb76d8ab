import type { Frame } from '../../../../../domain/events/event.ts';
import { withoutBuildHash } from '../build-hash.ts';
import type { PlatformFamily } from '../platform-family.ts';

/** Address of any scheme, also `file:`, `app:` or `webpack:`; a Windows drive letter is none. */
const ANY_URL = /^(?:[A-Za-z][A-Za-z0-9+.-]{1,30}:\/\/|blob:|data:)/;
const WEB_URL = /^(?:https?:|blob:)/i;

/** Suffix of PHP code created at run time: the line that created it. */
const PHP_RUNTIME_CODE = /\(\d{1,9}\) : (?:eval\(\)'d code|runtime-created function)/g;
/** Cell of a notebook, named after a number and a hash. */
const PYTHON_CELL = /^(?:<ipython-input-.{1,100}>|\d{1,20}\.py)$/;
const JAVASSIST = /_\$\$_j(?:avassist|vst)[\w$]*/g;

export function isAnyUrl(path: string | null): boolean {
  return path !== null && ANY_URL.test(path);
}

/** Ending of a script. An inline script is named after the address of its page instead, which may contain an id. */
const SCRIPT = /\.(?:[cm]?[jt]sx?|vue|svelte|jsbundle|bundle)$/i;
/** Number that a bundler gives a chunk: `281.3f2a1b9c.chunk.js`. */
const CHUNK_NUMBER = /^\d{1,9}(?=[.-])/;

/**
 * Returns the file name for the key: lower-case base name without build hashes, independent of release folder and
 * machine. Null for a page, anonymous or native code.
 */
export function fileName(frame: Frame, family: PlatformFamily): string | null {
  const name = frame.filename;
  if (name === null || name === '' || name === '<anonymous>' || name === '[native code]') return null;
  // Evaluated text has the name of the place that evaluated it.
  if (family === 'ruby' && name.startsWith('(eval')) return '(eval)';
  const web = WEB_URL.test(frame.abs_path ?? name) || WEB_URL.test(name);
  let base = baseName(family === 'javascript' ? withoutQuery(name) : name);
  if (web) {
    if (!SCRIPT.test(base)) return null;
    base = base.replace(CHUNK_NUMBER, '<hash>');
  }
  if (family === 'python') base = base.replace(PYTHON_CELL, '<cell>');
  else if (family === 'php') base = base.replace(PHP_RUNTIME_CODE, '(eval)');
  else if (family === 'java') base = base.replace(JAVASSIST, '_$$$$_javassist');
  // Lower case comes last, because bundler hashes are recognised by mixed case.
  return base === '' ? null : withoutBuildHash(base, family === 'javascript').toLowerCase();
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** Removes the part from `?` or else `#` on, which changes with every build or request. */
function withoutQuery(path: string): string {
  const query = path.indexOf('?');
  const end = query === -1 ? path.indexOf('#') : query;
  return end === -1 ? path : path.slice(0, end);
}
