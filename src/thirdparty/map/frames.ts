import type { Frame } from '../../domain/events/event.ts';
import { isRecord } from '../../lib/own-property.ts';
import { booleanOf, filledMembers, filledText, integerOf, listOf, textOf } from './values.ts';

interface Source {
  readonly pre: string[];
  readonly line: string | null;
  readonly post: string[];
}

/** Source lines in the form of the API, `[[number, text], …]`. Null for none. */
function numberedSource(value: unknown, lineno: number | null): Source | null {
  const lines = listOf(value).flatMap((entry): [number, string][] => {
    if (!Array.isArray(entry)) return [];
    const at = integerOf(entry[0]);
    return at === null ? [] : [[at, textOf(entry[1]) ?? '']];
  });
  if (lines.length === 0 || lineno === null) return null;
  const texts = (fits: (at: number) => boolean): string[] => lines.filter(([at]) => fits(at)).map(([, text]) => text);
  return {
    pre: texts((at) => at < lineno),
    line: texts((at) => at === lineno)[0] ?? null,
    post: texts((at) => at > lineno),
  };
}

/** Source lines in the form of SDKs. */
function rawSource(frame: Record<string, unknown>): Source {
  const texts = (value: unknown): string[] => listOf(value).map((line) => textOf(line) ?? '');
  return { pre: texts(frame.pre_context), line: textOf(frame.context_line), post: texts(frame.post_context) };
}

/** Frame in the form of the API (`absPath`, `lineNo`, `context`) or of the SDK (`abs_path`, `lineno`, …). */
function frameOf(frame: Record<string, unknown>): Frame {
  const lineno = integerOf(frame.lineNo ?? frame.lineno);
  const source = numberedSource(frame.context, lineno) ?? rawSource(frame);
  return {
    filename: filledText(frame.filename),
    abs_path: filledText(frame.absPath ?? frame.abs_path),
    module: filledText(frame.module),
    package: filledText(frame.package),
    function: filledText(frame.function),
    lineno,
    colno: integerOf(frame.colNo ?? frame.colno),
    in_app: booleanOf(frame.inApp ?? frame.in_app) ?? false,
    platform: filledText(frame.platform),
    context_line: source.line,
    pre_context: source.pre,
    post_context: source.post,
    vars: filledMembers(frame.vars),
  };
}

/** Outermost call first, in the order of trackers. Null without a stack trace. */
export function framesOf(stacktrace: unknown): Frame[] | null {
  const frames = isRecord(stacktrace) ? stacktrace.frames : null;
  return Array.isArray(frames) && frames.length > 0 ? frames.filter(isRecord).map(frameOf) : null;
}
