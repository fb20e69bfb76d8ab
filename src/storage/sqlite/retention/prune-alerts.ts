import type { PruneLimits } from '../../../domain/ports/stores/maintenance-store.ts';
import type { SqliteDatabase } from '../engine/database.ts';

/**
 * Removes old facts that no message may still report, and old deliveries. Places grow with the time at which facts were
 * added, so the oldest have the lowest. Returns the number of removed rows.
 */
export function pruneAlerts(db: SqliteDatabase, limits: PruneLimits, limit: number): number {
  const { factsBefore = null, deliveriesBefore = null } = limits;
  const facts =
    factsBefore === null
      ? 0
      : db.run(
          `DELETE FROM alert_facts WHERE seq IN
            (SELECT seq FROM (SELECT seq, added_at FROM alert_facts ORDER BY seq LIMIT ?1) WHERE added_at < ?2)
            AND seq <= coalesce((SELECT min(cursor) FROM alert_conversations WHERE first_waiting IS NOT NULL), seq)`,
          limit,
          factsBefore,
        );
  const deliveries =
    deliveriesBefore === null
      ? 0
      : db.run(
          'DELETE FROM alert_deliveries WHERE id IN (SELECT id FROM alert_deliveries WHERE at < ? ORDER BY at LIMIT ?)',
          deliveriesBefore,
          limit,
        );
  return facts + deliveries;
}
