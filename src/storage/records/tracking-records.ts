import {
  NO_OVERRIDES,
  type ProjectProtection,
  type ProtectionOverrides,
} from '../../domain/ingest/protection-overrides.ts';
import { DEFAULT_SETTINGS, type ClientKey } from '../../domain/projects/tracking-settings.ts';
import { publicKeyTaken, unknownProject } from '../refusals.ts';
import type { StoreTable } from '../store-table.ts';
import { requiredProject } from './owners.ts';
import type { Records } from './records.ts';
import { clientKeys, protections, settings, type ProtectionOfProject } from './kinds/tracking-kinds.ts';
import { change, insert, patch, remove } from './writes.ts';

export function toProtection({ projectId, ...own }: ProtectionOfProject): ProjectProtection {
  return [projectId, own];
}

/** Returns a new active key, which has no number yet. */
export function newKey(projectId: number, publicKey: string, createdAt: number): Omit<ClientKey, 'id'> {
  return { projectId, active: true, publicKey, createdAt, lastUsedAt: null };
}

async function protection(records: Records, projectId: number): Promise<ProtectionOverrides | null> {
  const row = await records.get(protections, { projectId });
  return row === null ? null : toProtection(row)[1];
}

async function keyById(records: Records, projectId: number, id: number): Promise<ClientKey | null> {
  const key = await records.get(clientKeys, { id });
  return key?.projectId === projectId ? key : null;
}

/** Methods of the port about settings, protection and keys of projects. */
export const TRACKING_RECORDS = {
  settings: (records, projectId) => records.get(settings, { projectId }),
  async saveSettings(records, projectId, set) {
    await records.write([patch(settings, { projectId }, set, DEFAULT_SETTINGS)], [requiredProject(projectId)]);
    const saved = await records.get(settings, { projectId });
    // The project was deleted in between.
    if (saved === null) throw unknownProject(projectId);
    return saved;
  },
  async replaceEncryptedToken(records, projectId, before, sealedToken) {
    return (await records.write([change(settings, { projectId }, { sealedToken }, { sealedToken: before })]))[0];
  },

  protection,
  async saveProtection(records, projectId, set) {
    const empty = remove(protections, { projectId }, { is: NO_OVERRIDES });
    const saving = [patch(protections, { projectId }, set, NO_OVERRIDES), empty] as const;
    await records.write(saving, [requiredProject(projectId)]);
    return (await protection(records, projectId)) ?? NO_OVERRIDES;
  },
  listProtections: async (records) => (await records.list(protections, {})).map(toProtection),

  async createKey(records, projectId, publicKey) {
    const key = insert(clientKeys, newKey(projectId, publicKey, records.now()));
    const [created] = await records.write([key], [requiredProject(projectId)]);
    if (created === null) throw publicKeyTaken();
    return created;
  },
  listKeys: (records, projectId) => records.list(clientKeys, { projectId }),
  keyById,
  keyByPublicKey: (records, publicKey) => records.find(clientKeys, { publicKey }),
  async setKeyActive(records, projectId, id, active) {
    await records.write([change(clientKeys, { id }, { active }, { projectId })]);
    return keyById(records, projectId, id);
  },
  async deleteKey(records, projectId, id) {
    const key = await keyById(records, projectId, id);
    const [removed] = await records.write([remove(clientKeys, { id }, { is: { projectId } })]);
    return removed ? key : null;
  },
} as const satisfies StoreTable<Records>;
