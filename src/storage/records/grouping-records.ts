import type { StoreTable } from '../store-table.ts';
import { continuations } from './kinds/grouping-kinds.ts';
import { requiredProject } from './owners.ts';
import type { Records } from './records.ts';
import { insert } from './writes.ts';

/** Methods of the port about what batches know of group hashes. */
export const GROUPING_RECORDS = {
  async addContinuations(records, projectId, rows) {
    const writes = rows.map((row) => insert(continuations, { ...row, projectId }));
    await records.write(writes, [requiredProject(projectId)]);
  },
} as const satisfies StoreTable<Records>;
