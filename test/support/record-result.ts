import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

export type ResultRow = Readonly<Record<string, string | number | boolean | null>>;

/**
 * Keeps one row of what a drill or a test with a real SDK measured, for the table of that name; rows of a
 * table have the same members. Nothing is kept without the folder that `npm run test:full` names in
 * `ERRGATE_TEST_RESULTS`.
 */
export function recordResult(table: string, row: ResultRow): void {
  const folder = process.env['ERRGATE_TEST_RESULTS'];
  if (folder !== undefined) appendFileSync(join(folder, `${table}.jsonl`), `${JSON.stringify(row)}\n`);
}
