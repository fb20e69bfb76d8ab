import type { EventTag } from '../../../domain/events/event.ts';
import { isRecord } from '../../../lib/own-property.ts';
import { scalarText } from './bounds/lenient-text.ts';
import { MAX_TAGS, MAX_TAG_KEY, MAX_TAG_VALUE } from './bounds/limits.ts';
import type { Notes } from './bounds/notes.ts';

const KEY_CHARACTERS = /^[\w.:-]+$/;

/** Tags that repeat a member of the event; only `environment` may be the sole source. */
const MIRRORS = new Set(['release', 'dist', 'user', 'filename', 'function', 'environment']);

export interface TagList {
  readonly tags: EventTag[];
  /** Value of an `environment` tag, for events without such a member. */
  readonly environment: string | null;
}

/**
 * Normalises tags from an object, a list of pairs, or a list of `{key, value}`. Refuses invalid tags (bad characters,
 * too long, a line break) instead of cutting them: a cut tag would count as another value.
 */
export function normaliseTags(raw: unknown, notes: Notes): TagList {
  const tags: EventTag[] = [];
  const seen = new Set<string>();
  let environment: string | null = null;
  let index = -1;
  for (const [rawKey, rawValue] of tagPairs(raw)) {
    index += 1;
    const tag = normaliseTag(rawKey, rawValue);
    if (typeof tag === 'string') {
      notes.at('tags', index);
      notes.dropped('', tag);
      continue;
    }
    if (tag === null || seen.has(tag.key)) {
      continue;
    }
    seen.add(tag.key);
    if (tag.key === 'environment') {
      environment = tag.value;
    }
    if (MIRRORS.has(tag.key)) {
      continue;
    }
    if (tags.length === MAX_TAGS) {
      notes.at();
      notes.add('tags', `more than ${MAX_TAGS}, the rest omitted`);
      break;
    }
    tags.push(tag);
  }
  notes.at();
  return { tags, environment };
}

function tagPairs(raw: unknown): [unknown, unknown][] {
  if (Array.isArray(raw)) {
    return (raw as unknown[]).map((entry) =>
      Array.isArray(entry) ? [entry[0], entry[1]] : isRecord(entry) ? [entry.key, entry.value] : [null, null],
    );
  }
  return isRecord(raw) ? Object.entries(raw) : [];
}

/**
 * Normalises one tag; null for an empty or absent value, which is no tag and no mistake. A text says why it is dropped.
 */
function normaliseTag(rawKey: unknown, rawValue: unknown): EventTag | string | null {
  const key = scalarText(rawKey)?.trim().replaceAll(' ', '-') ?? '';
  const value = scalarText(rawValue)?.trim() ?? '';
  if (value === '') {
    return typeof rawValue === 'object' && rawValue !== null ? 'its value is no text' : null;
  }
  if (key.length > MAX_TAG_KEY) return `its name has more than ${MAX_TAG_KEY} characters`;
  if (!KEY_CHARACTERS.test(key)) return 'its name has other characters than letters, digits, _, ., : and -';
  if (value.length > MAX_TAG_VALUE) return `its value has more than ${MAX_TAG_VALUE} characters`;
  if (value.includes('\n')) return 'its value has a line break';
  return { key, value };
}
