import type { Mechanism } from '../../../domain/events/event.ts';
import { isRecord } from '../../../lib/own-property.ts';
import { lenientText, wholeNumber } from './lenient-text.ts';
import { TEXT, TREE } from './limits.ts';
import type { Notes } from './notes.ts';
import { trimBag } from './trim-tree.ts';

export function normaliseMechanism(raw: unknown, notes: Notes): Mechanism | null {
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
