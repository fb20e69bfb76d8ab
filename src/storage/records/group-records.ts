import { NO_DEFAULTS } from '../../domain/projects/group-defaults.ts';
import { groupPathTaken } from '../refusals.ts';
import type { StoreTable } from '../store-table.ts';
import { groups, toGroup } from './kinds/group-kinds.ts';
import type { Records } from './records.ts';
import { change, insert } from './writes.ts';

/** Methods of the port about groups themselves; those about paths and roles are of each store. */
export const GROUP_RECORDS = {
  async createGroup(records, { path, name, description = null }) {
    const row = { path, name, description, defaults: NO_DEFAULTS, movedFrom: null, createdAt: records.now() };
    const [group] = await records.write([insert(groups, row)]);
    if (group === null) throw groupPathTaken(path);
    return toGroup(group);
  },
  async groupById(records, id) {
    const group = await records.get(groups, { id });
    return group === null ? null : toGroup(group);
  },
  async groupByPath(records, path) {
    const group = await records.find(groups, { path });
    return group === null ? null : toGroup(group);
  },
  listGroups: async (records) => (await records.list(groups, {})).map(toGroup),
  async updateGroup(records, id, patch) {
    await records.write([change(groups, { id }, patch)]);
    const group = await records.get(groups, { id });
    return group === null ? null : toGroup(group);
  },
} as const satisfies StoreTable<Records>;
