import { isRecord } from '../../lib/own-property.ts';

type Members = Record<string, unknown>;

/** Value of `in_app` before the tracker decided it; undefined: the SDK sent none. */
function sentInApp(frame: Members, data: Members): unknown {
  // Newer versions keep what was sent beside what was decided.
  if (Object.hasOwn(data, 'client_in_app')) return data.client_in_app ?? undefined;
  if (!Object.hasOwn(data, 'orig_in_app')) return frame.in_app ?? undefined;
  const original = data.orig_in_app;
  if (original === 1 || original === true) return true;
  return original === 0 || original === false ? false : undefined;
}

/** Minified source as trackers cut it out of the script they fetched; SDKs in browsers send none. */
const isSnippet = (line: unknown): boolean => typeof line === 'string' && line.includes('{snip}');

function undoFrame(frame: Members): Members {
  const { data: given, in_app: _inApp, raw_function: rawFunction, ...sent } = frame;
  const data = isRecord(given) ? given : {};
  const inApp = sentInApp(frame, data);
  if (inApp !== undefined) sent.in_app = inApp;
  // The tracker shortens names of native functions and keeps what was sent.
  if (typeof rawFunction === 'string' && rawFunction !== '') sent.function = rawFunction;
  if (isSnippet(sent.context_line)) {
    delete sent.context_line;
    delete sent.pre_context;
    delete sent.post_context;
  }
  return sent;
}

/** Undoes the tracker's work on the frames of a stack trace; undefined without frames. */
export function undoStacktrace(stacktrace: unknown): Members | undefined {
  if (!isRecord(stacktrace) || !Array.isArray(stacktrace.frames)) return undefined;
  const frames = (stacktrace.frames as unknown[]).filter(isRecord).map(undoFrame);
  return frames.length === 0 ? undefined : { ...stacktrace, frames };
}
