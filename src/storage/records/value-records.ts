import { projectOfState } from '../imports/import-state-key.ts';
import { requireStateFits } from '../refusals.ts';
import type { StoreTable } from '../store-table.ts';
import { requiredProject } from './owners.ts';
import type { Records } from './records.ts';
import { importStates, meta } from './kinds/value-kinds.ts';
import { insert, put } from './writes.ts';

/** Methods of the port about shared values and states of imports. */
export const VALUE_RECORDS = {
  getMeta: async (records, key) => (await records.get(meta, { key }))?.value ?? null,
  async initMeta(records, key, value) {
    const [first] = await records.write([insert(meta, { key, value })]);
    return (first ?? (await records.get(meta, { key })))?.value ?? value;
  },
  async setMeta(records, key, value) {
    await records.write([put(meta, { key, value })]);
  },

  importState: async (records, key) => (await records.get(importStates, { key }))?.state ?? null,
  /** On MongoDB, a project may be removed before the write; its second sweep takes such a state along. */
  async saveImportState(records, key, state) {
    requireStateFits(state);
    const projectId = projectOfState(key);
    await records.write([put(importStates, { key, state })], projectId === null ? [] : [requiredProject(projectId)]);
  },
} as const satisfies StoreTable<Records>;
