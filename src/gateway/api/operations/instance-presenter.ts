import type { AlertHealth } from '../../../domain/ports/alert-setup.ts';
import type { InstanceHealth } from '../../../domain/ports/health.ts';
import type { StoreStats } from '../../../domain/ports/maintenance-store.ts';
import { isoTime } from '../../http/iso-time.ts';

function presentStats({ schemaVersion, knownSchemaVersion, projects, users, errors, events, bytes }: StoreStats) {
  const versions = { schema_version: schemaVersion, known_schema_version: knownSchemaVersion };
  return { ...versions, projects, users, errors, events, bytes };
}

function presentAlertHealth({ mail, oldestUnsentMs, failed, failing }: AlertHealth) {
  return { mail, oldest_unsent_seconds: oldestUnsentMs / 1000, failed, failing };
}

export function presentInstance(health: InstanceHealth, version: string) {
  const { startedAt, storeKind, store, journal, quarantined, disk, counts, refused, alerts } = health;
  const { gateways, running } = health;
  return {
    version,
    node: process.versions.node,
    started_at: isoTime(startedAt),
    store: { kind: storeKind, stats: store === null ? null : presentStats(store) },
    journal: { bytes: journal.bytes, max_bytes: journal.maxBytes, oldest_seconds: journal.oldestAgeMs / 1000 },
    quarantined,
    disk:
      disk === null
        ? null
        : { free_bytes: disk.freeBytes, total_bytes: disk.totalBytes, min_free_bytes: disk.minFreeBytes },
    counts: { accepted: counts.accepted, stored: counts.stored, refused: counts.refused },
    refused: refused.map(({ reason, requests, lastAt, lastProjectId }) => ({
      reason,
      requests,
      last_at: isoTime(lastAt),
      last_project_id: lastProjectId,
    })),
    alerts: alerts === null ? null : presentAlertHealth(alerts),
    gateways: gateways.map(({ journalId, seenAt, open }) => ({
      journal_id: journalId,
      seen_at: isoTime(seenAt),
      unfinished: open,
    })),
    running: running.map(({ gatewayId, version: its, silentMs, aheadMs }) => ({
      gateway_id: gatewayId,
      version: its,
      silent_seconds: silentMs / 1000,
      clock_ahead_seconds: aheadMs / 1000,
    })),
  };
}
