import type { Frame, RawFrame } from '../../domain/events/event.ts';
import { cleanText, cutText } from '../../lib/text/clean-text.ts';
import type { MapIndex } from '../maps/map-index.ts';
import { originalFile } from './original-file.ts';

/** Source lines before and after the one of a frame, as SDKs send them. */
const LINES_AROUND = 5;
/** UTF-16 units of a path, a name and a source line, as of frames that SDKs send. */
const MAX_TEXT = 256;

/**
 * Decides whether a frame with its original place is code of the application. `mark`: what its SDK would have said of
 * that place, or what its map says; null: neither is known.
 */
export type IsOwn = (frame: Frame, mark: boolean | null) => boolean;

/**
 * Returns a frame of a script at its original place; a sentence without a period: why it has none. `callee`: the
 * name of what the frame around calls, which is the function of this one where the map does not know functions.
 */
export function mapScriptFrame(frame: Frame, index: MapIndex, callee: string | null, isOwn: IsOwn): Frame | string {
  const { lineno, colno } = frame;
  if (lineno === null || colno === null) return 'the SDK sent no line and column';
  const place = index.placeOf(lineno, colno);
  if (typeof place === 'string') return place;
  const { filename, absPath, isBundlerCode } = originalFile(shown(index.sourceName(place.source)));
  const around = index.linesAround(place.source, place.line, LINES_AROUND);
  const name = index.knowsFunctions ? index.functionAt(lineno, colno) : (callee ?? nameOfItsOwn(frame));
  // Without a spread, which takes longer than all look-ups together.
  const mapped: Frame = {
    filename,
    abs_path: absPath,
    module: null,
    package: frame.package,
    function: name === null ? null : shown(name),
    lineno: place.line,
    colno: place.column,
    in_app: false,
    platform: frame.platform,
    context_line: around === null ? null : shown(around.line),
    pre_context: around?.before.map(shown) ?? [],
    post_context: around?.after.map(shown) ?? [],
    vars: frame.vars,
    raw: rawOf(frame),
  };
  mapped.in_app = !isBundlerCode && isOwn(mapped, index.isIgnored(place.source) ? false : null);
  return mapped;
}

/** Returns what the SDK sent of the members that are replaced. */
export function rawOf(frame: Frame): RawFrame {
  return {
    filename: frame.filename,
    abs_path: frame.abs_path,
    module: frame.module,
    function: frame.function,
    lineno: frame.lineno,
    colno: frame.colno,
    in_app: frame.in_app,
    context_line: frame.context_line,
    pre_context: frame.pre_context,
    post_context: frame.post_context,
  };
}

/** Names of one or two characters are of a minifier. */
function nameOfItsOwn({ function: name }: Frame): string | null {
  return name === null || name.length <= 2 ? null : name;
}

/** Text of a map, which may be anything, as a frame keeps texts. */
export const shown = (text: string): string => cutText(cleanText(text), MAX_TEXT);
