import type { ExternalId, ImportedStatus } from '../../../domain/imports/import.ts';
import type { FrequencyPoint } from '../../../domain/errors/tracked-error.ts';
import { isRecord } from '../../../lib/own-property.ts';
import type { ThirdpartyIssue } from '../../../schemas/thirdparty/issue.ts';
import { readIssue } from '../../../thirdparty/endpoints/issue.ts';
import { DAY_SECONDS, frequencyOf, HOUR_SECONDS } from '../../../thirdparty/map/frequency.ts';
import { trackedError } from '../../../thirdparty/map/issue.ts';
import { countOf, filledText, listOf } from '../../../thirdparty/map/values.ts';
import { camelMembers, idText } from '../../../thirdparty/http/shape.ts';
import { TRACKER_TRAITS } from '../../../thirdparty/dialect/tracker-traits.ts';
import type { RemoteIssue } from '../../tracker-reader.ts';
import { clampedTime, lineText, longText, MAX_NAME } from './remote-values.ts';

/** Place and time of an answer, for what an issue alone does not tell. */
export interface IssuePlace {
  readonly kind: 'sentry' | 'glitchtip' | 'urgentry';
  readonly baseUrl: string;
  readonly organization: string;
  readonly project: string;
  /** Time of the answer by the tracker's clock; later times become it. */
  readonly at: number;
  /** False: from a list. */
  readonly isWhole: boolean;
}

/** Row of a list that is no issue of errors, or cannot be used. */
export class LeftOutIssue extends Error {
  readonly id: string;

  constructor(id: string, reason: string) {
    super(reason);
    this.id = id;
  }
}

/** States in which the issue will soon be gone or another one. */
const PASSING_STATES: ReadonlySet<string> = new Set([
  'pending_deletion',
  'deletion_in_progress',
  'pending_merge',
  'reprocessing',
]);
const OTHER_TYPES: ReadonlySet<unknown> = new Set(['transaction', 'generic', 'feedback']);
/** Members of `statusDetails` without people. */
const DETAILS = [
  'inRelease',
  'inNextRelease',
  'inCommit',
  'autoResolved',
  'ignoreUntil',
  'ignoreCount',
  'ignoreWindow',
  'ignoreUserCount',
  'ignoreUserWindow',
] as const;
const MAX_DETAILS = 2048;
const STATUS_ACTIVITY = {
  resolved: /^set_resolved/,
  ignored: /^set_ignored$/,
  unresolved: /^(?:set_unresolved|set_regression)$/,
} as const;

/**
 * Reads an issue of a tracker that speaks Sentry's API. Throws `LeftOutIssue` for other things than errors, AppError
 * `tracker_invalid_answer` for unusable rows.
 */
export function remoteIssue(value: unknown, place: IssuePlace): RemoteIssue {
  const row = inLifetime(camelMembers(value));
  // The count may be missing; the base of the error is left as it is then.
  const count = isRecord(row) ? countOf(row.count) : null;
  const issue = readIssue(isRecord(row) && count === null ? { ...row, count: '0' } : row);
  const id = idText(issue.id, 'id');
  const category = filledText(issue.issueCategory);
  if ((category !== null && category !== 'error') || OTHER_TYPES.has(issue.type)) {
    throw new LeftOutIssue(
      id,
      `not an error but an issue of the category ${lineText(category ?? issue.type, 40) ?? ''}`,
    );
  }
  const skipped = PASSING_STATES.has(issue.status) ? issue.status : null;
  return {
    ...factsOf(issue, id, place),
    externalIds: namesOf(issue, id),
    status: skipped === null ? statusOf(issue, place) : null,
    skipped,
    assignee: assigneeOf(issue.assignedTo),
    count,
    ...chartsOf(issue, place.at),
    commentCount: countOf(issue.numComments) ?? 0,
    // Urgentry says 0 whatever there is.
    reportCount: place.kind === 'urgentry' ? null : countOf(issue.userReportCount),
    isWhole: place.isWhole,
  };
}

/**
 * Lists of an organization count within their window of time, and have the whole counts and times in `lifetime`. A row
 * with a `lifetime` of null has no whole count.
 */
function inLifetime(row: unknown): unknown {
  if (!isRecord(row) || !Object.hasOwn(row, 'lifetime')) return row;
  const { lifetime, count: _count, ...rest } = row;
  if (!isRecord(lifetime)) return rest;
  const { count, userCount, firstSeen, lastSeen } = lifetime;
  const whole = Object.entries({ count, userCount, firstSeen, lastSeen }).filter(
    ([, member]) => (member ?? null) !== null,
  );
  return { ...rest, ...Object.fromEntries(whole) };
}

function factsOf(issue: ThirdpartyIssue, id: string, place: IssuePlace) {
  const { kind, baseUrl, organization, project, at } = place;
  const { issuePage, projectPage } = TRACKER_TRAITS[kind];
  const page = { base: baseUrl, organization, project, projectId: null };
  const known = trackedError(
    { ...issue, stats: null },
    {
      projectId: 0,
      projectUrl: projectPage(page),
      countsUsers: kind !== 'glitchtip',
      showsMarks: false,
      ...(issuePage === null ? {} : { issuePage: (one: string) => issuePage(page, one) }),
    },
  );
  // Some trackers send the first and last arrival instead of event times, so the first may lie behind the last.
  const times = [issue.firstSeen, issue.lastSeen].map((time) => clampedTime(time, at)).filter((time) => time !== null);
  return {
    id,
    url: known.externalUrl,
    type: lineText(known.type, MAX_NAME),
    title: lineText(known.title) ?? '<no title>',
    message: longText(known.message),
    culprit: lineText(known.culprit),
    level: known.level,
    platform: lineText(known.platform, 64),
    projectPlatform: lineText(issue.project?.platform, 64),
    firstSeen: times.length === 0 ? at : Math.min(...times),
    lastSeen: times.length === 0 ? at : Math.max(...times),
    firstRelease: lineText(known.firstRelease, MAX_NAME),
    lastRelease: lineText(known.lastRelease, MAX_NAME),
    users: known.userCount,
  } as const;
}

function namesOf(issue: ThirdpartyIssue, id: string): ExternalId[] {
  const names: ExternalId[] = [{ kind: 'issue', value: id }];
  const [shortId, shareId] = [lineText(issue.shortId, 200), lineText(issue.shareId, 200)];
  if (shortId !== null) names.push({ kind: 'short_id', value: shortId });
  if (shareId !== null) names.push({ kind: 'share_id', value: shareId });
  return names;
}

function statusOf(issue: ThirdpartyIssue, { at }: IssuePlace): ImportedStatus {
  const given = issue.status;
  const status = given.startsWith('resolved')
    ? 'resolved'
    : /^(?:ignored|muted|archived)/.test(given)
      ? 'ignored'
      : 'unresolved';
  const kept: Record<string, unknown> = {};
  const details = isRecord(issue.statusDetails) ? issue.statusDetails : {};
  for (const name of DETAILS) {
    if (details[name] !== undefined && details[name] !== null) kept[name] = details[name];
  }
  if (given === 'resolvedInNextRelease') kept.inNextRelease = true;
  const substatus = lineText(issue.substatus, 64);
  if (substatus !== null) kept.substatus = substatus;
  const json = JSON.stringify(kept);
  const changes = listOf(issue.activity).flatMap((entry) => {
    if (!isRecord(entry) || typeof entry.type !== 'string' || !STATUS_ACTIVITY[status].test(entry.type)) return [];
    return clampedTime(entry.dateCreated, at) ?? [];
  });
  return {
    status,
    changedAt: changes.length === 0 ? null : changes.reduce((one, other) => Math.max(one, other)),
    details: json === '{}' || json.length > MAX_DETAILS ? null : json,
  };
}

/** E-mail address of a person; teams are left out. */
function assigneeOf(value: unknown): string | null {
  if (!isRecord(value) || value.type === 'team') return null;
  const email = lineText(value.email, MAX_NAME);
  return email !== null && /^[^\s@]+@[^\s@]+$/.test(email) ? email : null;
}

/** Reads a chart; times that are not within it are left out. `at`: time of the answer, milliseconds. */
export function chartOf(value: unknown, buckets: number, seconds: number, at: number): FrequencyPoint[] {
  const [from, to] = [at / 1000 - (buckets + 2) * seconds, at / 1000 + seconds];
  const points = listOf(value)
    .slice(-buckets * 2)
    .filter((point) => Array.isArray(point) && typeof point[0] === 'number' && point[0] > from && point[0] < to);
  return frequencyOf(points, buckets, seconds) ?? [];
}

function chartsOf({ stats }: ThirdpartyIssue, at: number): Pick<RemoteIssue, 'hours' | 'days'> {
  const [hours, days] = [stats?.['24h'], stats?.['30d']];
  return { hours: chartOf(hours, 24, HOUR_SECONDS, at), days: chartOf(days, 30, DAY_SECONDS, at) };
}
