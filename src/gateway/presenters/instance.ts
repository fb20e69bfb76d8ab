import type { InstanceHealth } from '../../domain/ports/health.ts';
import type { StoreStats } from '../../domain/ports/maintenance-store.ts';
import { isoTime } from './time.ts';

function presentStats({ schemaVersion, projects, users, errors, events, bytes }: StoreStats) {
  return { schema_version: schemaVersion, projects, users, errors, events, bytes };
}

export function presentInstance(health: InstanceHealth, version: string) {
  const { startedAt, storeKind, store, journal, quarantined, refused, gateways } = health;
  return {
    version,
    node: process.versions.node,
    started_at: isoTime(startedAt),
    store: { kind: storeKind, stats: store === null ? null : presentStats(store) },
    journal: { bytes: journal.bytes, max_bytes: journal.maxBytes, oldest_seconds: journal.oldestAgeMs / 1000 },
    quarantined,
    refused: refused.map(({ reason, requests, lastAt, lastProjectId }) => ({
      reason,
      requests,
      last_at: isoTime(lastAt),
      last_project_id: lastProjectId,
    })),
    gateways: gateways.map(({ journalId, seenAt, open }) => ({
      journal_id: journalId,
      seen_at: isoTime(seenAt),
      unfinished: open,
    })),
  };
}
