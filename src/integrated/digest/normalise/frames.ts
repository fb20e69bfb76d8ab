import type { Frame } from '../../../domain/events/event.ts';
import { framesWithoutLines } from '../../../domain/events/source-lines.ts';
import { isRecord } from '../../../lib/own-property.ts';
import { decideInApp, type InAppRules } from '../in-app.ts';
import { rawText, wholeNumber, scalarText, cutNoted, lenientText } from './bounds/lenient-text.ts';
import { MAX_FRAMES, TEXT, TREE } from './bounds/limits.ts';
import type { Notes } from './bounds/notes.ts';
import { framePlatform } from './platform.ts';
import { trimBag } from './bounds/trim-tree.ts';

const NONE: ReadonlySet<Frame> = new Set();

/**
 * Normalises the frames of a `stacktrace` (object with `frames`, or a bare list), oldest call first; null without any.
 * Drops empty frames (null occurs). `place` names the list in notes.
 */
export function normaliseFrames(
  stacktrace: unknown,
  platform: string,
  rules: InAppRules,
  notes: Notes,
  place: string,
): Frame[] | null {
  const raw = rawFrames(stacktrace);
  if (raw.length === 0) {
    return null;
  }
  const marked = raw.some((frame) => frame.in_app === true);
  const frames: Frame[] = [];
  const vars: unknown[] = [];
  for (const source of bounded(raw, notes, place)) {
    // Uses the stored index, to which notes refer.
    notes.at(place, frames.length);
    const frame = normaliseFrame(source, notes);
    if (frame !== null) {
      const sdkInApp = typeof source.in_app === 'boolean' ? source.in_app : null;
      frame.in_app = decideInApp(frame, sdkInApp, marked, frame.platform ?? platform, rules);
      frames.push(frame);
      vars.push(source.vars);
    }
  }
  notes.at();
  const slimmed = slimContext(frames, notes, place);
  for (const [index, frame] of frames.entries()) {
    if (!slimmed.has(frame)) {
      notes.at(place, index);
      frame.vars = trimBag(vars[index], TREE.vars, notes, 'vars');
    }
  }
  notes.at();
  return frames.length === 0 ? null : frames;
}

function rawFrames(stacktrace: unknown): Record<string, unknown>[] {
  const list = isRecord(stacktrace) && 'frames' in stacktrace ? stacktrace.frames : stacktrace;
  if (Array.isArray(list)) {
    return (list as unknown[]).filter(isRecord);
  }
  return isRecord(list) && list !== stacktrace ? [list] : [];
}

function bounded(raw: Record<string, unknown>[], notes: Notes, place: string): Record<string, unknown>[] {
  if (raw.length <= MAX_FRAMES) {
    return raw;
  }
  notes.at();
  notes.add(place, `${raw.length - MAX_FRAMES} frames omitted`);
  return [...raw.slice(0, MAX_FRAMES - 1), ...raw.slice(-1)];
}

/** Normalises a frame without its variables: not every frame keeps them. */
function normaliseFrame(raw: Record<string, unknown>, notes: Notes): Frame | null {
  const path = rawText(raw.abs_path, TEXT.path, notes, 'abs_path');
  const filename = rawText(raw.filename, TEXT.path, notes, 'filename');
  const frame: Frame = {
    filename: filename === null ? path : pathOfUrl(filename),
    abs_path: path ?? filename,
    module: lenientText(raw.module, TEXT.symbol, notes, 'module'),
    package: lenientText(raw.package, TEXT.path, notes, 'package'),
    function: lenientText(raw.function ?? raw.raw_function ?? raw.symbol, TEXT.symbol, notes, 'function'),
    lineno: wholeNumber(raw.lineno),
    colno: wholeNumber(raw.colno),
    in_app: false,
    platform: framePlatform(raw.platform),
    context_line: contextLine(raw.context_line, notes, 'context_line'),
    pre_context: contextLines(raw.pre_context, notes, 'pre_context'),
    post_context: contextLines(raw.post_context, notes, 'post_context'),
    vars: null,
  };
  const silent =
    frame.abs_path === null &&
    frame.module === null &&
    frame.package === null &&
    frame.function === null &&
    frame.lineno === null &&
    frame.context_line === null;
  return silent ? null : frame;
}

/** Returns the path of a script's URL for display; the URL stays in `abs_path`. */
function pathOfUrl(filename: string): string {
  const match = /^(?:https?|file|app|blob:https?):\/\/[^/]*(\/[^?#]+)/.exec(filename);
  return match?.[1] ?? filename;
}

function contextLine(value: unknown, notes: Notes, name: string): string | null {
  const text = scalarText(value);
  return text === null ? null : cutNoted(text.replace(/\r?\n$/, ''), TEXT.contextLine, notes, name);
}

function contextLines(value: unknown, notes: Notes, name: string): string[] {
  return Array.isArray(value) ? (value as unknown[]).map((line) => contextLine(line, notes, name) ?? '') : [];
}

/** Limits the number of frames with source lines and variables. Returns the frames without. */
function slimContext(frames: Frame[], notes: Notes, place: string): ReadonlySet<Frame> {
  const slimmed = framesWithoutLines(frames);
  if (slimmed.length === 0) return NONE;
  for (const frame of slimmed) {
    frame.context_line = null;
    frame.pre_context = [];
    frame.post_context = [];
  }
  notes.add(place, `source lines and variables of ${slimmed.length} frames omitted`);
  return new Set(slimmed);
}
