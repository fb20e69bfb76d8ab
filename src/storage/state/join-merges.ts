import { MAX_ACTIVITY, type ActivityEntry } from '../../domain/errors/error-state.ts';

/**
 * Returns the newest entries, at most MAX_ACTIVITY, with one entry for each merge: it is stored with every error that
 * was merged. `entries`: newest first.
 */
export function joinMerges(entries: readonly ActivityEntry[]): ActivityEntry[] {
  const joined = new Map<unknown, ActivityEntry>();
  for (const entry of entries) {
    const key = entry.kind === 'merged' ? `${entry.at} ${entry.userId ?? ''}` : entry;
    const { errorIds = [] } = joined.get(key)?.details ?? {};
    const all = [...errorIds, ...(entry.details.errorIds ?? [])].sort((a, b) => Number(a) - Number(b));
    joined.set(key, entry.kind === 'merged' ? { ...entry, details: { ...entry.details, errorIds: all } } : entry);
  }
  return [...joined.values()].slice(0, MAX_ACTIVITY);
}
