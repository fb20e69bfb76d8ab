import type { SqliteDatabase } from '../engine/database.ts';
import type { SqlValue } from '../engine/driver.ts';

/**
 * Tables of a list, with the same columns: single errors, and displayed rows of merged ones. `rows`: numbers under
 * which the tags of `e` are stored.
 */
export const LISTED = [
  { table: 'errors', merged: 0, condition: 'AND merged_into IS NULL', rows: '= e.id' },
  {
    table: 'error_groups',
    merged: 1,
    condition: '',
    rows: 'IN (SELECT m.id FROM errors m WHERE m.merged_into = e.id)',
  },
] as const;

export type Listed = (typeof LISTED)[number];

/** Part of a WHERE clause on the row `e`, and its values in order. */
export interface Filter {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** What the filters of a selection depend on. */
export interface FilterScope {
  readonly db: SqliteDatabase;
  readonly projectId: number;
  readonly now: number;
  /** Column in whose order an index is read; null: none. */
  readonly sortColumn: string | null;
}
