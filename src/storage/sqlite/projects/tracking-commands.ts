import type { KeyUse } from '../../../domain/ports/stores/tracking-store.ts';
import type { ClientKey } from '../../../domain/projects/tracking-settings.ts';
import { publicKeyTaken } from '../../refusals.ts';
import { requiredProject } from '../../records/owners.ts';
import { clientKeys } from '../../records/kinds/tracking-kinds.ts';
import { newKey } from '../../records/tracking-records.ts';
import { insert } from '../../records/writes.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { writeRecords } from '../records/record-statements.ts';

/** Does not raise the version of ingestion data, which has no times of use. */
export function touchKeys({ db }: WriteContext, uses: readonly KeyUse[]): void {
  const touch = db.prepare('UPDATE client_keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?');
  for (const { keyId, usedAt } of uses) touch.run(usedAt, keyId);
}

export function ensureActiveKey({ db, now }: WriteContext, projectId: number, publicKey: string): ClientKey | null {
  const active = db.get('SELECT 1 FROM client_keys WHERE project_id = ? AND active = 1', projectId);
  if (active !== undefined) return null;
  const write = insert(clientKeys, newKey(projectId, publicKey, now()));
  const [created] = writeRecords(db, [write], [requiredProject(projectId)]);
  if (created === null) throw publicKeyTaken();
  return created as ClientKey;
}
