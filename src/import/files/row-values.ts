import { AppError } from '../../domain/app-error.ts';
import { cleanText, cutText } from '../../lib/text/clean-text.ts';
import { isRecord } from '../../lib/own-property.ts';

/** Object of a file that may come from anywhere. */
export type FileRow = Readonly<Record<string, unknown>>;

/** Latest accepted time: the end of the year 9999. */
const MAX_TIME = 253_402_300_799_999;

/** Returns a member that is an object; an empty one for anything else. */
export function memberOf(row: FileRow, name: string): FileRow {
  const value = row[name];
  return isRecord(value) ? value : {};
}

/** Returns a text in valid form, cut to `max` characters; null for anything but a text that is not empty. */
export function textOf(row: FileRow, name: string, max = 10_000): string | null {
  const value = row[name];
  return typeof value !== 'string' || value === '' ? null : cutText(cleanText(value), max);
}

/** Returns a text that has the given form; throws `bad_request` otherwise. */
export function formOf(row: FileRow, name: string, form: RegExp): string {
  const value = row[name];
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text === 'string' && form.test(text)) return text;
  throw new AppError('bad_request', `the member "${name}" of a row has an unexpected value`);
}

/** Returns one of the words; the first for anything else. */
export function wordOf<T extends string>(row: FileRow, name: string, words: readonly [T, ...T[]]): T {
  return words.find((word) => word === row[name]) ?? words[0];
}

/** Returns a number of events or users, also from a text; throws `bad_request` for anything else. */
export function countOf(row: FileRow, name: string): number {
  const count = Number(formOf(row, name, /^\d{1,15}$/));
  return count;
}

/** Returns a time in milliseconds; null for anything but a time in RFC 3339 after 1970. */
export function timeOf(row: FileRow, name: string): number | null {
  const value = row[name];
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return at >= 0 && at <= MAX_TIME ? at : null;
}

/** Returns the objects of a list; empty for anything else. */
export function objectsOf(row: FileRow, name: string): FileRow[] {
  const value = row[name];
  return Array.isArray(value) ? (value as unknown[]).filter(isRecord) : [];
}
