import {
  asksForNothing,
  NOTHING_OWN,
  type OwnProtection,
  type OwnProtectionPatch,
} from '../../../domain/own-protection.ts';
import { protection } from '../views/protection-views.ts';
import type { WriteContext } from '../write-context.ts';
import { demandProject } from './project-commands.ts';

export function saveProtection({ db }: WriteContext, projectId: number, patch: OwnProtectionPatch): OwnProtection {
  demandProject(db, projectId);
  const after: OwnProtection = { ...(protection(db, projectId) ?? NOTHING_OWN), ...patch };
  if (asksForNothing(after)) {
    db.run('DELETE FROM protections WHERE project_id = ?', projectId);
    return after;
  }
  db.run(
    `INSERT OR REPLACE INTO protections (project_id, sensitive_fields, scrub_ips, key_events_per_minute,
      project_events_per_minute) VALUES (?, ?, ?, ?, ?)`,
    projectId,
    JSON.stringify(after.sensitiveFields),
    after.scrubIps ? 1 : 0,
    after.keyEventsPerMinute,
    after.projectEventsPerMinute,
  );
  return after;
}
