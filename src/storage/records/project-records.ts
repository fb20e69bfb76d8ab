import type { StoreTable } from '../store-table.ts';
import { requiredProject } from './owners.ts';
import { forwards, projectAliases } from './kinds/project-kinds.ts';
import type { Records } from './records.ts';
import { change, put, remove } from './writes.ts';

/** Methods of the port about aliases of projects and about forwarding. */
export const PROJECT_RECORDS = {
  async addAlias(records, projectId, alias) {
    await records.write([put(projectAliases, { projectId, alias })], [requiredProject(projectId)]);
  },
  async listAliases(records, projectId) {
    return (await records.list(projectAliases, { projectId })).map(({ alias }) => alias);
  },

  forward: (records, projectId) => records.get(forwards, { projectId }),
  async saveForward(records, forward) {
    await records.write([put(forwards, forward)], [requiredProject(forward.projectId)]);
  },
  async removeForward(records, projectId) {
    return (await records.write([remove(forwards, { projectId })]))[0];
  },
  listForwards: (records) => records.list(forwards, {}),
  async replaceSealedDsn(records, projectId, before, sealedDsn) {
    return (await records.write([change(forwards, { projectId }, { sealedDsn }, { sealedDsn: before })]))[0];
  },
} as const satisfies StoreTable<Records>;
