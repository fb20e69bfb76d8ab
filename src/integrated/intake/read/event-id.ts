import { randomUUID } from 'node:crypto';

const SIMPLE = /^[0-9a-f]{32}$/;
const DASHED = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Id from clients that failed to make one. Not used as an id, or all such events would be one. */
const NIL = '0'.repeat(32);

/** Converts an id in either spelling and any case to 32 lower-case hex digits; null when it is none. */
export function normaliseEventId(value: unknown): string | null {
  if (typeof value !== 'string') {
    return null;
  }
  if (!SIMPLE.test(value)) {
    const lower = value.trim().toLowerCase();
    return DASHED.test(lower) ? notNil(lower.replaceAll('-', '')) : SIMPLE.test(lower) ? notNil(lower) : null;
  }
  return notNil(value);
}

function notNil(id: string): string | null {
  return id === NIL ? null : id;
}

/** Creates a random version 4 id without dashes. */
export function newEventId(): string {
  return randomUUID().replaceAll('-', '');
}
