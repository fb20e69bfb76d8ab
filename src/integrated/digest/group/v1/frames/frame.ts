import type { Frame } from '../../../../../domain/events/event.ts';
import { part, TAGS } from '../component.ts';
import { contextLine } from './context-line.ts';
import { fileName, isAnyUrl } from './file-name.ts';
import { functionName } from './function-name.ts';
import { isIgnoredFrame } from './ignored-frame.ts';
import { moduleName } from './module-name.ts';
import { groupsByContextLine, platformFamily } from '../platform-family.ts';

/** Places that are no file: code made by the engine. */
const JS_NO_FILE: ReadonlySet<string> = new Set(['[native code]', 'native code', 'eval code', '<anonymous>']);

/**
 * Returns the component of one frame: module or else file name, function, source line. Line number, column and
 * variables never count. `withLine` false leaves out the source line too. Empty for an ignored frame or one without
 * usable content.
 */
export function frameComponent(frame: Frame, eventPlatform: string, withLine = true): string {
  const family = platformFamily(frame.platform ?? eventPlatform);
  if (isIgnoredFrame(frame, family)) return '';
  let func = functionName(frame.function, family);
  if (family === 'javascript') {
    if (func === 'eval') return '';
    if (func !== null && isMinified(func) && isAnyUrl(frame.abs_path)) func = null;
    if (frame.abs_path !== null && JS_NO_FILE.has(frame.abs_path)) return '';
  }
  // A command-line one-liner shows how a program was started, not where it failed.
  if (family === 'ruby' && frame.filename === '-e') return '';
  const module = moduleName(frame, family);
  const place = module === null ? fileName(frame, family) : null;
  let component = '';
  if (module !== null) component = part(TAGS.module, module);
  else if (place !== null) component = part(TAGS.filename, place);
  if (func !== null) component += part(TAGS.function, func);
  if (
    withLine &&
    groupsByContextLine(family) &&
    !(family === 'javascript' && func === null && isAnyUrl(frame.abs_path))
  ) {
    const line = contextLine(frame.context_line);
    if (line !== null) component += part(TAGS.contextLine, line);
  }
  return component === '' ? '' : part(TAGS.frame, component);
}

/**
 * Returns true for a name as minifiers give, which changes with every build. Counts only for scripts with a URL: other
 * programs choose short names themselves.
 */
function isMinified(name: string): boolean {
  return name.length <= 2 || (name.length === 3 && /[\d$]/.test(name));
}
