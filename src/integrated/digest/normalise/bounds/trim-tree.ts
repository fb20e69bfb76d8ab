import { cleanText, cutText, isCleanText } from '../../../../lib/text/clean-text.ts';
import { isRecord, setOwn } from '../../../../lib/own-property.ts';
import { MAX_KEY, type TreeLimit } from './limits.ts';
import type { Notes } from './notes.ts';

const TOO_DEEP = '...';
/** Counted size of a scalar and of the punctuation of a member, whatever their real length. */
const SCALAR_SIZE = 8;
const MEMBER_SIZE = 4;
/** Minimum length of text that is kept when the size is used up. */
const SHORTEST_CUT = 16;

/**
 * Cleans and bounds a tree of JSON **in place** and returns it. Trees are the bulk of an event; copying them costs more
 * than all other steps here. Replaces too deep values with `...`, removes values above the size and cuts the text at
 * the border.
 */
export function trimTree(value: unknown, limit: TreeLimit, notes: Notes, name: string): unknown {
  const trimmer = new TreeTrimmer(limit.size);
  const trimmed = trimmer.value(value, limit.depth);
  if (trimmer.cut) {
    notes.add(name, 'truncated');
  }
  return trimmed;
}

/** As `trimTree` for a member that must be an object: lists get their indexes as names, anything else becomes null. */
export function trimBag(value: unknown, limit: TreeLimit, notes: Notes, name: string): Record<string, unknown> | null {
  const bag = Array.isArray(value) ? indexed(value, limit) : value;
  return isRecord(bag) ? (trimTree(bag, limit, notes, name) as Record<string, unknown>) : null;
}

/** As `trimBag`, with an additional bound for each member. */
export function trimMembers(
  value: unknown,
  limit: TreeLimit,
  memberSize: number,
  notes: Notes,
  name: string,
): Record<string, unknown> | null {
  const bag = Array.isArray(value) ? indexed(value, limit) : value;
  if (!isRecord(bag)) {
    return null;
  }
  const trimmer = new TreeTrimmer(limit.size);
  const trimmed = trimmer.object(bag, limit.depth - 1, memberSize);
  if (trimmer.cut) {
    notes.add(name, 'truncated');
  }
  return trimmed;
}

/** Converts a list to an object. Ignores more entries than units of size, which would be removed again. */
function indexed(list: readonly unknown[], limit: TreeLimit): Record<string, unknown> {
  const bag: Record<string, unknown> = {};
  return Object.assign(bag, list.slice(0, limit.size));
}

class TreeTrimmer {
  cut = false;
  private left: number;

  constructor(size: number) {
    this.left = size;
  }

  /** Trims a value; `depth`: allowed levels of containers. */
  value(value: unknown, depth: number): unknown {
    switch (typeof value) {
      case 'string':
        return this.text(value);
      case 'number':
        this.left -= SCALAR_SIZE;
        // JSON has neither -0 nor infinite numbers; literals such as 1e999 arrive as text.
        return Number.isFinite(value) ? value + 0 : String(value);
      case 'boolean':
        this.left -= SCALAR_SIZE;
        return value;
      case 'object':
        return value === null ? this.nothing() : this.container(value, depth);
      default:
        return this.nothing();
    }
  }

  object(object: Record<string, unknown>, depth: number, memberSize = Infinity): Record<string, unknown> {
    let unclean = false;
    for (const key in object) {
      if (this.left <= 0) {
        this.cut = true;
        // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- rare, and cheaper than copying the rest
        delete object[key];
        continue;
      }
      const beyondMember = Math.max(0, this.left - memberSize);
      this.left -= beyondMember + key.length + MEMBER_SIZE;
      const old = object[key];
      const kept = this.value(old, depth);
      if (!Object.is(kept, old)) {
        // A member `__proto__` from JSON.parse is an own property; this sets no prototype.
        object[key] = kept;
      }
      this.left += beyondMember;
      unclean ||= key.length > MAX_KEY || !isCleanText(key);
    }
    return unclean ? this.renamed(object) : object;
  }

  private list(list: unknown[], depth: number): unknown[] {
    for (let i = 0; i < list.length; i += 1) {
      if (this.left <= 0) {
        this.cut = true;
        list.length = i;
        break;
      }
      const kept = this.value(list[i], depth);
      if (!Object.is(kept, list[i])) {
        list[i] = kept;
      }
    }
    return list;
  }

  private container(value: object, depth: number): unknown {
    if (depth <= 0) {
      this.cut = true;
      this.left -= SCALAR_SIZE;
      return TOO_DEEP;
    }
    this.left -= 2;
    return Array.isArray(value)
      ? this.list(value as unknown[], depth - 1)
      : this.object(value as Record<string, unknown>, depth - 1);
  }

  private text(text: string): string {
    const clean = cleanText(text);
    const max = Math.max(this.left, SHORTEST_CUT);
    this.left -= clean.length + 3;
    if (clean.length <= max) {
      return clean;
    }
    this.cut = true;
    return cutText(clean, max);
  }

  private nothing(): null {
    this.left -= SCALAR_SIZE / 2;
    return null;
  }

  private renamed(object: Record<string, unknown>): Record<string, unknown> {
    const copy: Record<string, unknown> = {};
    for (const key of Object.keys(object)) {
      setOwn(copy, cutText(cleanText(key), MAX_KEY), object[key]);
    }
    this.cut = true;
    return copy;
  }
}
