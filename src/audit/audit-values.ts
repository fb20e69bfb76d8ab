import { MAX_AUDIT_CHANGES, MAX_AUDIT_VALUE, type AuditChange } from '../domain/audit/audit-event.ts';
import { cleanText, cutText } from '../lib/text/clean-text.ts';

/** Value of which the log only says whether there is one, and whether it was replaced. */
class HiddenValue {
  /** Null: there is none. Never leaves this module. */
  readonly #value: string | null;

  constructor(value: string | null) {
    this.#value = value;
  }

  isEmpty(): boolean {
    return this.#value === null;
  }

  equals(other: HiddenValue): boolean {
    return this.#value === other.#value;
  }

  toJSON(): string {
    return '(hidden)';
  }
}

export type { HiddenValue };

/** Hides a secret, or what changes with it: a hash, an encrypted text. */
export const hidden = (value: string | null): HiddenValue => new HiddenValue(value);

export type AuditValue = string | number | boolean | null | readonly (string | number)[] | HiddenValue;

/**
 * Values of what is audited, by the names that people read. What makes them names each member: nothing of a record gets
 * into the log by itself.
 */
export type AuditValues = Readonly<Record<string, AuditValue>>;

/** Texts that stand for hidden values; the second one for another value after a change. */
const HIDDEN = '(hidden)';
const REPLACED = '(hidden, replaced)';

function textOf(value: AuditValue): string | null {
  if (value === null) return null;
  if (value instanceof HiddenValue) return HIDDEN;
  const text = typeof value === 'object' ? value.join(', ') : String(value);
  return cutText(cleanText(text), MAX_AUDIT_VALUE);
}

/** A hidden value that there is none of is as no value. */
const plain = (value: AuditValue): AuditValue => (value instanceof HiddenValue && value.isEmpty() ? null : value);

function isSame(before: AuditValue, after: AuditValue): boolean {
  if (before instanceof HiddenValue && after instanceof HiddenValue) return before.equals(after);
  return JSON.stringify(before) === JSON.stringify(after);
}

/** Returns what differs; of a whole that was made or removed all of it that is not null. Null: it was not there. */
export function changesBetween(before: AuditValues | null, after: AuditValues | null): AuditChange[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort();
  const changes = names.flatMap((name) => {
    const [from, to] = [plain(before?.[name] ?? null), plain(after?.[name] ?? null)];
    if (isSame(from, to)) return [];
    const texts = { from: textOf(from), to: textOf(to) };
    return [
      {
        name: cutText(cleanText(name), 100),
        ...texts,
        ...(texts.from === HIDDEN && texts.to === HIDDEN && { to: REPLACED }),
      },
    ];
  });
  return changes.slice(0, MAX_AUDIT_CHANGES);
}
