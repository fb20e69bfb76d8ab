import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

export type ResultRow = Readonly<Record<string, string | number | boolean | null>>;

/**
 * Stores one row of measurements for a table; all rows of a table have the same members.
 * Does nothing unless `ERRGATE_TEST_RESULTS` names a folder, which `npm run test:full` sets.
 */
export function recordResult(table: string, row: ResultRow): void {
  const folder = process.env['ERRGATE_TEST_RESULTS'];
  if (folder !== undefined) appendFileSync(join(folder, `${table}.jsonl`), `${JSON.stringify(row)}\n`);
}
