import type { GroupHash } from '../../domain/ingest/digest.ts';
import { LEVELS, type Level } from '../../domain/events/event.ts';
import { REFERENCE_KINDS, type ExternalId } from '../../domain/errors/error-origin.ts';
import type { ImportedError } from '../../domain/imports/import.ts';
import type { FrequencyPoint } from '../../domain/errors/tracked-error.ts';
import { groupHashOf } from '../../integrated/digest/group-hash.ts';
import { marksOf } from './exported-marks.ts';
import { countOf, type FileRow, formOf, memberOf, objectsOf, textOf, timeOf, wordOf } from './row-values.ts';

/** Form of the numbers of projects and errors. */
export const NUMBER = /^\d{1,15}$/;
/** Form of event ids, group hashes and grouping keys. */
export const HASH = /^[0-9a-f]{32}$/;
const HOUR_S = 3600;
const DAY_S = 86_400;
/** Days that charts show, and one that begins before them. */
const DAYS_KEPT = 31;
const MAX_DETAILS_BYTES = 2048;

/** Converts a line of errors.ndjson. Throws `bad_request` for one without an id. */
export function toError(row: FileRow, own: FileRow, sourceId: number, exportedAt: number): ImportedError {
  const [id, firstSeen] = [formOf(row, 'id', NUMBER), timeOf(row, 'firstSeen') ?? exportedAt];
  const status = wordOf(row, 'status', ['unresolved', 'resolved', 'ignored']);
  const marks = marksOf(own, exportedAt);
  const external = objectsOf(row, 'external_ids').flatMap((each): ExternalId[] => {
    const value = textOf(each, 'value', 200);
    return value === null ? [] : [{ kind: wordOf(each, 'kind', REFERENCE_KINDS), value }];
  });
  return {
    sourceId,
    issueId: id,
    externalIds: [{ kind: 'issue', value: id }, ...external.filter(({ value }) => value !== id)],
    externalUrl: textOf(row, 'permalink', 2000),
    type: textOf(memberOf(row, 'metadata'), 'type'),
    title: textOf(row, 'title') ?? '<unlabeled>',
    message: textOf(own, 'message'),
    culprit: textOf(row, 'culprit'),
    level: wordOf<Level>(row, 'level', ['error', ...LEVELS]),
    platform: textOf(row, 'platform', 64) ?? 'other',
    firstSeen,
    lastSeen: Math.max(firstSeen, timeOf(row, 'lastSeen') ?? firstSeen),
    firstRelease: textOf(memberOf(row, 'firstRelease'), 'version', 250),
    lastRelease: textOf(memberOf(row, 'lastRelease'), 'version', 250),
    status: {
      status,
      changedAt: timeOf(own, 'resolved_at'),
      details: detailsOf(row),
    },
    assignee: textOf(memberOf(row, 'assignedTo'), 'email', 254),
    ...(marks === undefined ? {} : { marks }),
  };
}

/** Returns the details of the status as JSON; null: none, or more than a store takes. */
function detailsOf(row: FileRow): string | null {
  const details = memberOf(row, 'statusDetails');
  const members = Object.values(details);
  // Details are flat, and a file may nest deeper than JSON can be written.
  if (members.length === 0 || members.some((value) => typeof value === 'object' && value !== null)) return null;
  const text = JSON.stringify(details);
  return Buffer.byteLength(text) > MAX_DETAILS_BYTES ? null : text;
}

/** Returns the greatest number that the error has or had, which no new error may get; 0: none. */
export function greatestNumber(row: FileRow): number {
  const former = objectsOf(row, 'external_ids').map((each) => (each['kind'] === 'issue' ? each['value'] : null));
  return Math.max(0, ...[row['id'], ...former].map((id) => (NUMBER.test(String(id)) ? Number(id) : 0)));
}

/** Returns the group hash here; null where the key is unknown and the project has another id. */
export function hashHere(projectId: number, group: FileRow, sameId: boolean): GroupHash | null {
  const version = countOf(group, 'version');
  const key = textOf(group, 'key', 64);
  if (key !== null && HASH.test(key)) return groupHashOf(projectId, { version, key });
  return sameId ? { groupHash: formOf(group, 'hash', HASH), groupingVersion: version } : null;
}

/** Returns the charts: hours of the last two days, and UTC days of the last 30. */
export function charts(own: FileRow, at: number): { hours: FrequencyPoint[]; days: FrequencyPoint[] } {
  const counted = pointsOf(own, 'hours');
  const now = Math.floor(at / 1000);
  const within = (days: number) => (point: FrequencyPoint) => point[0] > now - days * DAY_S && point[0] < now + DAY_S;
  const hours = [...counted, ...pointsOf(own, 'base_hours')].filter(within(2));
  const days = [...counted, ...pointsOf(own, 'base_days')].filter(within(DAYS_KEPT));
  return { hours: sums(hours, HOUR_S), days: sums(days, DAY_S) };
}

function sums(points: readonly FrequencyPoint[], seconds: number): FrequencyPoint[] {
  const found = new Map<number, number>();
  for (const [at, count] of points) {
    const start = at - (at % seconds);
    found.set(start, (found.get(start) ?? 0) + count);
  }
  return [...found];
}

function pointsOf(own: FileRow, name: string): FrequencyPoint[] {
  const points = own[name];
  return (Array.isArray(points) ? (points as unknown[]) : []).filter(isPoint);
}

function isPoint(value: unknown): value is FrequencyPoint {
  return Array.isArray(value) && value.length === 2 && value.every((one) => Number.isSafeInteger(one) && one >= 0);
}
