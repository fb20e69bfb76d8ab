import { MAX_ACTIVITY, type ActivityEntry, type ActivityKind } from '../../domain/errors/error-state.ts';

/** Kinds that a change of status in another errgate may be recorded as, by the kind that an import records. */
const RECORDED_AS: Readonly<Partial<Record<ActivityKind, readonly ActivityKind[]>>> = {
  resolved: ['resolved'],
  ignored: ['ignored'],
  unresolved: ['unresolved', 'regressed', 'unmuted'],
};

/**
 * Adds entries of an export to the log of an error, both oldest first; null: all are known. Own entries stay; beyond
 * MAX_ACTIVITY the oldest ones of the export are left out. An entry by which an import recorded a change of status is
 * replaced by that of the export.
 */
export function withImportedActivity(
  log: readonly ActivityEntry[],
  added: readonly ActivityEntry[],
): ActivityEntry[] | null {
  const known = new Set(log.map(({ details }) => details.importedId));
  const isNew = ({ details: { importedId } }: ActivityEntry): boolean => {
    const isUnknown = !known.has(importedId);
    known.add(importedId);
    return isUnknown;
  };
  const fresh = added.filter(isNew);
  if (fresh.length === 0) return null;
  const kinds = new Set(fresh.map(({ kind }) => kind));
  const isReplaced = ({ kind, details }: ActivityEntry): boolean =>
    details.importedId === undefined &&
    details.source === 'errgate' &&
    (RECORDED_AS[kind] ?? []).some((one) => kinds.has(one));
  const kept = log.filter((entry) => !isReplaced(entry));
  const own = kept.filter(({ details }) => details.importedId === undefined);
  const imported = [...fresh, ...kept.filter(({ details }) => details.importedId !== undefined)].sort(byTime);
  const fitting = imported.slice(Math.max(0, imported.length + own.length - MAX_ACTIVITY));
  const isSame = kept.length === log.length && !fitting.some((entry) => fresh.includes(entry));
  return isSame ? null : [...fitting, ...own].sort(byTime);
}

function byTime(a: ActivityEntry, b: ActivityEntry): number {
  return a.at - b.at;
}
