/** Dropped errors that a report names; the rest is counted. */
export const MAX_DROPPED_SHOWN = 10;

/** Errors that were not imported, because they were deleted here with their further events dropped. */
export interface DroppedErrors {
  readonly dropped: number;
  /** The first MAX_DROPPED_SHOWN of them: `shop: issue 4711`, or `error 12` of an export. */
  readonly dropped_first: readonly string[];
}

/** Returns the report about errors of an export. */
export function droppedErrors(ids: ReadonlySet<string>): DroppedErrors {
  return { dropped: ids.size, dropped_first: [...ids].slice(0, MAX_DROPPED_SHOWN).map((id) => `error ${id}`) };
}

/** Says that errors were not imported because they are dropped here; null: there are none. */
export function droppedText({ dropped, dropped_first: first }: DroppedErrors): string | null {
  if (dropped === 0) return null;
  const more = dropped > first.length ? `, and ${dropped - first.length} more` : '';
  const subject = dropped === 1 ? '1 error was' : `${dropped} errors were`;
  return `${subject} not imported: deleted here, with further events dropped (${first.join(', ')}${more})`;
}
