import type { Frame } from '../../../domain/events/event.ts';
import type { ShownEvent, TrackedEvent } from '../../../domain/events/tracked-event.ts';
import { escapeHtml } from '../../http/escape-html.ts';
import { isoTime } from '../../http/iso-time.ts';
import type { ErrorContext } from './error-place.ts';
import { staleMember } from './stale.ts';

type ContextLine = [line: number, source: string];

type Stacks = Pick<ShownEvent, 'exceptions' | 'threads'>;

/** Returns the main frames of an event: those of the first exception that has some, else of the first such thread. */
export function framesOf(event: Stacks): readonly Frame[] {
  const sources = [...event.exceptions, ...event.threads];
  return sources.find(({ frames }) => frames !== null)?.frames ?? [];
}

/** Returns what the SDK sent of the exception with the main frames, where it has its original type now. */
function rawMember({ exceptions }: Stacks): { readonly raw?: NonNullable<Stacks['exceptions'][number]['raw']> } {
  const raw = exceptions.find(({ frames }) => frames !== null)?.raw;
  return raw === undefined ? {} : { raw };
}

/** Returns source lines around the call with their numbers; empty when the SDK sent none. */
export function contextLines(frame: Frame): ContextLine[] {
  const { lineno, context_line: line, pre_context: before, post_context: after } = frame;
  if (lineno === null || line === null) return [];
  return [
    ...before.map((source, index): ContextLine => [lineno - before.length + index, source]),
    [lineno, line],
    ...after.map((source, index): ContextLine => [lineno + 1 + index, source]),
  ];
}

export function presentStackTrace(tracked: TrackedEvent) {
  const { errorId, receivedAt, event } = tracked;
  return {
    error_id: errorId,
    event_id: event.event_id,
    date_received: isoTime(receivedAt),
    stack_trace_entries: framesOf(event).map((frame) => ({
      filename: frame.filename,
      abs_path: frame.abs_path,
      module: frame.module,
      function: frame.function,
      lineno: frame.lineno,
      colno: frame.colno,
      in_app: frame.in_app,
      context: contextLines(frame),
      raw: frame.raw ?? null,
      unmapped: frame.unmapped ?? null,
    })),
    ...rawMember(event),
    ...staleMember(tracked),
  };
}

/**
 * Presents a stack trace in the form of the host's pages. For a tracker's frames these pages read the absolute path as
 * `absPath`.
 */
export function presentWebStackTrace(tracked: TrackedEvent, { integrated }: Pick<ErrorContext, 'integrated'>) {
  const { errorId, receivedAt, event } = tracked;
  return {
    error: {
      issue_id: errorId,
      date_received: isoTime(receivedAt),
      stack_trace_entries: framesOf(event).map((frame) => ({
        lineNo: frame.lineno,
        colNo: frame.colno ?? 0,
        filename: frame.filename,
        abs_path: frame.abs_path,
        ...(integrated ? {} : { absPath: frame.abs_path }),
        function: frame.function,
        context: contextLines(frame).map(([line, source]) => [line, escapeHtml(source)]),
      })),
    },
    ...staleMember(tracked),
  };
}

/** Presents the stack trace of an error without stored events: it is empty, but the page works. */
export function presentNoWebStackTrace(errorId: string) {
  return { error: { issue_id: errorId, date_received: null, stack_trace_entries: [] } };
}
