export interface Identified {
  readonly id: string;
}

export interface MergedRows<T> {
  readonly rows: readonly T[];
  /** Number of rows in the new answer that are not shown yet. */
  readonly added: number;
  /** Whether the shown rows differ from the new answer in content or order. */
  readonly behind: boolean;
}

/** Rows of the new answer after the last shown one; they can be appended without moving others. */
function following<T extends Identified>(known: ReadonlySet<string>, fresh: readonly T[]): readonly T[] {
  const last = fresh.findLastIndex(({ id }) => known.has(id));
  return last === -1 ? [] : fresh.slice(last + 1);
}

/**
 * Applies a new answer to the shown rows. While `held`, rows are updated in place and new ones appended.
 * So no row moves under the pointer.
 */
export function mergeRows<T extends Identified>(
  shown: readonly T[],
  fresh: readonly T[],
  held: boolean,
): MergedRows<T> {
  if (!held) return { rows: fresh, added: 0, behind: false };
  const byId = new Map(fresh.map((row) => [row.id, row]));
  const known = new Set(shown.map((row) => row.id));
  const after = following(known, fresh);
  const rows = [...shown.map((row) => byId.get(row.id) ?? row), ...after];
  return {
    rows,
    added: fresh.filter((row) => !known.has(row.id)).length - after.length,
    behind: fresh.length !== rows.length || fresh.some((row, index) => rows[index]?.id !== row.id),
  };
}

/** Puts removed rows back at their previous indexes. */
export function restoreRows<T extends Identified>(
  rows: readonly T[],
  removed: readonly { readonly row: T; readonly index: number }[],
): T[] {
  const result = [...rows];
  for (const { row, index } of [...removed].sort((a, b) => a.index - b.index)) {
    if (!result.some(({ id }) => id === row.id)) result.splice(Math.min(index, result.length), 0, row);
  }
  return result;
}
