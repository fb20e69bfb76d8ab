import type { Group } from '../api/groups-api.ts';

type Default = 'default_visibility' | 'default_error_tracking';

/** Returns what the nearest group at or above a path says about new projects; `inherit`: none says anything. */
export function nearestDefault<D extends Default>(groups: readonly Group[], path: string, name: D): Group[D] {
  const above = groups.filter(
    (group) => group[name] !== 'inherit' && `${path}/`.toLowerCase().startsWith(`${group.full_path}/`.toLowerCase()),
  );
  const [nearest] = above.sort((a, b) => b.full_path.length - a.full_path.length);
  return nearest?.[name] ?? 'inherit';
}
