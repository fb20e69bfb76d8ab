import { cleanText, cutText } from '../../../../lib/text/clean-text.ts';
import type { TextLimit } from './limits.ts';
import type { Notes } from './notes.ts';

/** Converts a scalar to cleaned text; clients in Python expect True and False. Null for anything else. */
export function scalarText(value: unknown): string | null {
  switch (typeof value) {
    case 'string':
      return cleanText(value);
    case 'number':
      return String(value);
    case 'boolean':
      return value ? 'True' : 'False';
    default:
      return null;
  }
}

/** Converts a scalar to trimmed and cut text; null when absent, empty or no scalar. */
export function lenientText(value: unknown, limit: TextLimit, notes: Notes, name: string): string | null {
  noteNoText(value, notes, name);
  const text = scalarText(value)?.trim();
  return text === undefined || text === '' ? null : cutNoted(text, limit, notes, name);
}

/** As `lenientText`, but keeps blanks at the ends. */
export function rawText(value: unknown, limit: TextLimit, notes: Notes, name: string): string | null {
  noteNoText(value, notes, name);
  const text = scalarText(value);
  return text === null || text === '' ? null : cutNoted(text, limit, notes, name);
}

/** Notes a list or an object in the place of a text. Empty lists are what PHP makes of empty objects. */
function noteNoText(value: unknown, notes: Notes, name: string): void {
  if (typeof value !== 'object' || value === null || (Array.isArray(value) && value.length === 0)) return;
  notes.dropped(name, 'is no text');
}

export function cutNoted(text: string, limit: TextLimit, notes: Notes, name: string): string {
  if (text.length <= limit.max + limit.tolerance) {
    return text;
  }
  notes.add(name, 'truncated');
  return cutText(text, limit.max);
}

/** Reads a whole number of at least 0 that JSON keeps exactly, also from text; else null. */
export function wholeNumber(value: unknown): number | null {
  const number = typeof value === 'string' && value.length <= 16 && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number + 0 : null;
}
