import { cleanText } from '../../lib/text/clean-text.ts';
import { isRecord, setOwn } from '../../lib/own-property.ts';

/** Readers of JSON from a tracker: values of another type become null. */

export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return cleanText(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** Like `textOf`, but null for blank text. */
export function filledText(value: unknown): string | null {
  const text = textOf(value);
  return text === null || text.trim() === '' ? null : text;
}

export function integerOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}

/** Count as number or decimal text. */
export function countOf(value: unknown): number | null {
  const count = integerOf(value);
  return count === null || count < 0 ? null : count;
}

export function booleanOf(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

/** Milliseconds since the epoch of an ISO 8601 text; UTC without an offset. */
export function timeOf(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  const text = value.trim().replace(' ', 'T');
  const zoned = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) || !text.includes('T') ? text : `${text}Z`;
  const time = Date.parse(zoned);
  return Number.isNaN(time) ? null : time;
}

/** RFC 3339 in UTC; null for an invalid time. */
export function isoOf(value: unknown): string | null {
  const time = typeof value === 'number' ? value * 1000 : timeOf(value);
  return time === null || Math.abs(time) > 8.64e15 ? null : new Date(time).toISOString();
}

/** An event id as 32 lower-case hex digits. */
export function eventIdOf(value: unknown): string | null {
  const id = typeof value === 'string' ? value.replaceAll('-', '').toLowerCase() : '';
  return /^[0-9a-f]{32}$/.test(id) ? id : null;
}

/** Maximum depth, which keeps values serialisable as JSON. */
const MAX_DEPTH = 20;

/** JSON with clean text, truncated below the maximum depth. */
export function treeOf(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '...';
  return Array.isArray(value) ? value.map((item: unknown) => treeOf(item, depth + 1)) : membersOf(value, depth);
}

/** Members of an object; empty for other values. */
export function membersOf(value: unknown, depth = 0): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  if (!isRecord(value)) return members;
  for (const [name, member] of Object.entries(value)) setOwn(members, cleanText(name), treeOf(member, depth + 1));
  return members;
}

export function filledMembers(value: unknown): Record<string, unknown> | null {
  const members = membersOf(value);
  return Object.keys(members).length === 0 ? null : members;
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Name and value pairs of a list or an object; a list of values becomes several pairs. */
export function pairsOf(value: unknown): [string, string][] {
  const entries = isRecord(value) ? Object.entries(value) : listOf(value);
  return entries.flatMap((entry: unknown): [string, string][] => {
    if (!Array.isArray(entry)) return [];
    const name = textOf(entry[0]);
    if (name === null) return [];
    const values = Array.isArray(entry[1]) ? (entry[1] as unknown[]) : [entry[1]];
    return values.map((one) => [name, textOf(one) ?? '']);
  });
}
