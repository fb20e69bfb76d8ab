import type { EventException } from '../../../domain/events/event.ts';
import type { InAppRules } from '../in-app.ts';
import { normaliseFrames } from './frames.ts';
import { cutNoted, lenientText, scalarText } from './lenient-text.ts';
import { MAX_EXCEPTIONS, TEXT } from './limits.ts';
import { normaliseMechanism } from './mechanism.ts';
import type { Notes } from './notes.ts';
import { trimTree } from './trim-tree.ts';
import { valueList } from './value-list.ts';

/** Normalises exceptions in the order of all SDKs: oldest cause first, the shown exception last. */
export function normaliseExceptions(raw: unknown, platform: string, rules: InAppRules, notes: Notes): EventException[] {
  let list = valueList(raw);
  if (list.length > MAX_EXCEPTIONS) {
    notes.add('exceptions', `${list.length - MAX_EXCEPTIONS} causes omitted`);
    list = list.slice(-MAX_EXCEPTIONS);
  }
  const exceptions: EventException[] = [];
  for (const entry of list) {
    const exception = normaliseException(entry, exceptions.length, platform, rules, notes);
    if (exception.type !== null || exception.value !== null || exception.frames !== null) {
      exceptions.push(exception);
    }
  }
  return exceptions;
}

function normaliseException(
  raw: Record<string, unknown>,
  index: number,
  platform: string,
  rules: InAppRules,
  notes: Notes,
): EventException {
  const place = `exceptions[${index}]`;
  const frames =
    normaliseFrames(raw.stacktrace, platform, rules, notes, `${place}.frames`) ??
    normaliseFrames(raw.raw_stacktrace, platform, rules, notes, `${place}.frames`);
  notes.at(place);
  const exception: EventException = {
    type: lenientText(raw.type, TEXT.exceptionType, notes, 'type'),
    value: exceptionValue(raw.value, notes),
    module: lenientText(raw.module, TEXT.exceptionModule, notes, 'module'),
    thread_id: lenientText(raw.thread_id, TEXT.threadId, notes, 'thread_id'),
    mechanism: normaliseMechanism(raw.mechanism, notes),
    frames,
  };
  notes.at();
  return exception;
}

/** Returns text unchanged; a thrown object or list becomes JSON. */
function exceptionValue(raw: unknown, notes: Notes): string | null {
  const limit = TEXT.exceptionValue;
  const text =
    typeof raw === 'object' && raw !== null
      ? JSON.stringify(trimTree(raw, { depth: 7, size: limit.max }, notes, 'value'))
      : scalarText(raw);
  return text === null || text === '' ? null : cutNoted(text, limit, notes, 'value');
}
