import { NO_TRACKER_MARKS, type ErrorMarks } from '../../domain/errors/error-marks.ts';
import { LEVELS, type Level } from '../../domain/events/event.ts';
import type {
  TrackedError,
  TrackedErrorDetail,
  TrackerFacts,
  TrackerRelease,
} from '../../domain/errors/tracked-error.ts';
import type { ErrorStatus } from '../../domain/errors/error-status.ts';
import { readTrackerDetails } from '../../domain/imports/imported-details.ts';
import { isRecord } from '../../lib/own-property.ts';
import type { ThirdpartyIssue } from '../../schemas/thirdparty/issue.ts';
import { isThirdpartyTag, type ThirdpartyTag } from '../../schemas/thirdparty/event.ts';
import { idText } from '../http/shape.ts';
import { DAY_SECONDS, frequencyOf, HOUR_SECONDS } from './frequency.ts';
import { tagSpreads, valuesOfTag } from './tags.ts';
import { countOf, filledText, textOf, timeOf } from './values.ts';

/** Context for mapping an issue. */
export interface IssueView {
  /** Project id in errgate. */
  readonly projectId: number;
  /** Page of the project in the tracker, with a trailing slash. */
  readonly projectUrl: string;
  /** False: a user count of 0 means unknown, because some trackers always send 0. */
  readonly countsUsers: boolean;
  /** False: the tracker has no marks. */
  readonly showsMarks: boolean;
  /** Page of an issue; absent when the tracker sends its address. */
  readonly issuePage?: (id: string) => string;
}

const STATUSES: Readonly<Record<string, ErrorStatus>> = {
  resolved: 'resolved',
  resolvedInNextRelease: 'resolved',
  ignored: 'ignored',
  muted: 'ignored',
  archived: 'ignored',
};

export function levelOf(value: unknown): Level | null {
  return LEVELS.find((level) => level === value) ?? null;
}

/** Page of the issue: by kind of tracker, or sent by the tracker and on its host, or the usual path. */
function pageOf(issue: ThirdpartyIssue, id: string, { projectUrl, issuePage }: IssueView): string {
  if (issuePage !== undefined) return issuePage(id);
  const { permalink } = issue;
  if (typeof permalink === 'string' && /^(https?:\/)?\/[^/]/.test(permalink) && URL.canParse(permalink, projectUrl)) {
    const page = new URL(permalink, projectUrl);
    if (page.origin === new URL(projectUrl).origin) return page.href;
  }
  return `${projectUrl}issues/${encodeURIComponent(id)}`;
}

function versionOf(release: ThirdpartyIssue['firstRelease']): string | null {
  return filledText(isRecord(release) ? release.version : release);
}

function releaseOf(release: ThirdpartyIssue['firstRelease']): TrackerRelease | null {
  if (!isRecord(release)) return null;
  const { lastCommit } = release;
  return {
    shortVersion: filledText(release.shortVersion),
    // The author of the commit is omitted.
    lastCommit: filledText(isRecord(lastCommit) ? lastCommit.id : lastCommit),
  };
}

function factsOf(issue: ThirdpartyIssue): TrackerFacts {
  const { project } = issue;
  return {
    projectId: filledText(project?.id),
    projectName: filledText(project?.name),
    projectSlug: filledText(project?.slug),
    shortId: filledText(issue.shortId),
    logger: filledText(issue.logger),
    firstRelease: releaseOf(issue.firstRelease),
    lastRelease: releaseOf(issue.lastRelease),
  };
}

/** Returns true when this issue proves that the tracker names marks. */
export function showsMarks(issue: ThirdpartyIssue): boolean {
  // One tracker always sends an empty text.
  return filledText(issue.substatus) !== null;
}

/** Marks by the `substatus`, which names no times. */
function marksOf(issue: ThirdpartyIssue, status: ErrorStatus): ErrorMarks {
  const substatus = status === 'unresolved' ? issue.substatus : null;
  return {
    ...NO_TRACKER_MARKS,
    isNew: substatus === 'new',
    regressed: substatus === 'regressed' ? { at: null, release: null } : null,
    escalating: substatus === 'escalating' ? { at: null, cause: {} } : null,
  };
}

/** Value of the exception, or the message of a message issue. */
function messageOf({ type, metadata }: ThirdpartyIssue): string | null {
  const members = metadata ?? {};
  return (
    filledText(members.value) ?? filledText(members.message) ?? (type === 'default' ? filledText(members.title) : null)
  );
}

/** Returns true when this issue proves that the tracker counts users. */
export function showsUserCounts(issue: ThirdpartyIssue): boolean {
  // Only trackers that count users send this member.
  return (countOf(issue.userCount) ?? 0) > 0 || 'isUnhandled' in issue;
}

/** Maps an issue. Omits all data about users of the tracker: assignees, viewers, comments. */
export function trackedError(issue: ThirdpartyIssue, view: IssueView): TrackedError {
  const id = idText(issue.id, 'id');
  const status = STATUSES[issue.status] ?? 'unresolved';
  const users = countOf(issue.userCount);
  // Some trackers send the first and last arrival instead of event times.
  const seen = [timeOf(issue.firstSeen), timeOf(issue.lastSeen)].filter((time) => time !== null);
  // `default` and `error` are kinds of ordinary events; only other kinds are worth showing.
  const kind = issue.type === 'default' || issue.type === 'error' ? null : filledText(issue.type);
  return {
    id,
    projectId: view.projectId,
    type: filledText(issue.metadata?.type) ?? kind,
    title: textOf(issue.title) ?? '',
    message: messageOf(issue),
    culprit: filledText(issue.culprit),
    level: levelOf(issue.level),
    platform: filledText(issue.platform),
    status,
    statusDetails:
      issue.statusDetails === undefined ? null : readTrackerDetails(status, issue.statusDetails, null).details,
    assignee: null,
    count: countOf(issue.count) ?? 0,
    userCount: users === 0 && !view.countsUsers ? null : users,
    firstSeen: seen.length === 0 ? 0 : Math.min(...seen),
    lastSeen: seen.length === 0 ? 0 : Math.max(...seen),
    firstRelease: versionOf(issue.firstRelease),
    lastRelease: versionOf(issue.lastRelease),
    externalUrl: pageOf(issue, id, view),
    externalIds: [],
    tracker: factsOf(issue),
    frequency: frequencyOf(issue.stats?.['24h'], 24, HOUR_SECONDS),
    rangeCount: null,
    marks: view.showsMarks ? marksOf(issue, status) : null,
  };
}

/** Tag values in the issue itself, on trackers that include them; null otherwise. */
export function tagsIn({ tags }: ThirdpartyIssue): ThirdpartyTag[] | null {
  if (!Array.isArray(tags)) return null;
  const rows = tags.filter((tag): tag is ThirdpartyTag => isThirdpartyTag(tag) && Array.isArray(tag.topValues));
  return rows.length < tags.length ? null : rows;
}

export interface KnownTags {
  /** Tags with their values; null when not reported. */
  readonly tags: readonly ThirdpartyTag[] | null;
  /** False when environments and releases may be missing. */
  readonly isWhole: boolean;
}

/** Maps an issue with details. `askedId`: requested id, which differs after a merge in the tracker. */
export function trackedErrorDetail(
  issue: ThirdpartyIssue,
  { tags, isWhole }: KnownTags,
  view: IssueView,
  askedId: string,
): TrackedErrorDetail {
  const spreads = tags === null ? null : tagSpreads(tags);
  const error = trackedError(issue, view);
  const valuesIn = (key: string): string[] | null => {
    const values = spreads === null ? [] : valuesOfTag(spreads, key);
    return spreads === null || (values.length === 0 && !isWhole) ? null : values;
  };
  return {
    ...error,
    // The tracker does not report merged issues.
    merged: null,
    mergedInto: error.id === askedId ? null : error.id,
    imported: null,
    frequency30d: frequencyOf(issue.stats?.['30d'], 30, DAY_SECONDS),
    tags: spreads,
    environments: valuesIn('environment'),
    releases: valuesIn('release'),
  };
}
