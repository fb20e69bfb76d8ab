import type { EventException, Mechanism } from '../../../domain/events/event.ts';
import { isRecord } from '../../../lib/own-property.ts';
import type { InAppRules } from '../in-app.ts';
import { normaliseFrames } from './frames.ts';
import { cutNoted, lenientText, scalarText, wholeNumber } from './bounds/lenient-text.ts';
import { MAX_EXCEPTIONS, TEXT, TREE } from './bounds/limits.ts';
import type { Notes } from './bounds/notes.ts';
import { trimBag, trimTree } from './bounds/trim-tree.ts';
import { valueList } from './bounds/value-list.ts';

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

function normaliseMechanism(raw: unknown, notes: Notes): Mechanism | null {
  if (!isRecord(raw)) {
    return null;
  }
  return {
    type: lenientText(raw.type, TEXT.mechanism, notes, 'mechanism.type') ?? 'generic',
    handled: typeof raw.handled === 'boolean' ? raw.handled : null,
    synthetic: raw.synthetic === true,
    exception_id: wholeNumber(raw.exception_id),
    parent_id: wholeNumber(raw.parent_id),
    is_exception_group: raw.is_exception_group === true,
    source: lenientText(raw.source, TEXT.mechanism, notes, 'mechanism.source'),
    description: lenientText(raw.description, TEXT.mechanism, notes, 'mechanism.description'),
    data: trimBag(raw.data, TREE.mechanismData, notes, 'mechanism.data'),
  };
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
