import type { Instance } from '../../api/admin-api.ts';
import { counted } from '../../lib/numbers.ts';

/** Says what is wrong about the versions of the store and of the gateways on it, and what to do; none: nothing. */
export function versionHints({
  version,
  store: { stats },
  running,
}: Pick<Instance, 'version' | 'store' | 'running'>): string[] {
  const hints: string[] = [];
  if (stats !== null && stats.schema_version > stats.known_schema_version) {
    hints.push(
      `The store was migrated by a later version: it has schema version ${stats.schema_version}, and this service (${version}) knows ${stats.known_schema_version}. Update this service to that version.`,
    );
  }
  const gateways = new Map<string, number>();
  for (const { version: each } of running) gateways.set(each, (gateways.get(each) ?? 0) + 1);
  if (gateways.size > 1) {
    const versions = [...gateways]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([each, count]) => `${each} (${counted(count, 'gateway')})`);
    hints.push(
      `Gateways on this store run different versions: ${versions.join(', ')}. Update all of them to the same one; only during an update several should run.`,
    );
  }
  return hints;
}
