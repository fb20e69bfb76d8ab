import { LEVELS, type Level } from '../../domain/event.ts';
import type {
  ErrorStatus,
  TrackedError,
  TrackedErrorDetail,
  TrackerFacts,
  TrackerRelease,
} from '../../domain/tracked-error.ts';
import { isRecord } from '../../lib/own-property.ts';
import type { ThirdpartyIssue } from '../../schemas/thirdparty/issue.ts';
import { isThirdpartyTag, type ThirdpartyTag } from '../../schemas/thirdparty/event.ts';
import { idText } from '../shape.ts';
import { DAY_SECONDS, frequencyOf, HOUR_SECONDS } from './frequency.ts';
import { tagSpreads, valuesOfTag } from './tags.ts';
import { countOf, filledText, textOf, timeOf } from './values.ts';

/** What an issue is seen with. */
export interface IssueView {
  /** Id of our project. */
  readonly projectId: number;
  /** Page of the project in the tracker, with a slash at the end. */
  readonly projectUrl: string;
  /** Whether a user count of 0 means that: some trackers always say 0. */
  readonly countsUsers: boolean;
  /** Where the page of an issue is; absent where the tracker names it. */
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

/** The issue's page: where trackers of this kind have it, or what the tracker says, as far as it is on the tracker itself, else where it should be. */
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
    // The commit's author stays where it is.
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

/** The message: the exception's value; of an issue that is a message, the message. */
function messageOf({ type, metadata }: ThirdpartyIssue): string | null {
  const members = metadata ?? {};
  return (
    filledText(members.value) ?? filledText(members.message) ?? (type === 'default' ? filledText(members.title) : null)
  );
}

/** True when the tracker has shown with this issue that it counts users. */
export function showsUserCounts(issue: ThirdpartyIssue): boolean {
  // Only trackers that count have ever sent this member.
  return (countOf(issue.userCount) ?? 0) > 0 || 'isUnhandled' in issue;
}

/** Drops everything about the tracker's own people: who is assigned, has seen, commented, resolved. */
export function trackedError(issue: ThirdpartyIssue, view: IssueView): TrackedError {
  const id = idText(issue.id, 'id');
  const users = countOf(issue.userCount);
  // Some trackers name the times of the first and the last event to arrive, whatever their own times.
  const seen = [timeOf(issue.firstSeen), timeOf(issue.lastSeen)].filter((time) => time !== null);
  const kind = issue.type === 'default' ? null : filledText(issue.type);
  return {
    id,
    projectId: view.projectId,
    type: filledText(issue.metadata?.type) ?? kind,
    title: textOf(issue.title) ?? '',
    message: messageOf(issue),
    culprit: filledText(issue.culprit),
    level: levelOf(issue.level),
    platform: filledText(issue.platform),
    status: STATUSES[issue.status] ?? 'unresolved',
    count: countOf(issue.count) ?? 0,
    userCount: users === 0 && !view.countsUsers ? null : users,
    firstSeen: seen.length === 0 ? 0 : Math.min(...seen),
    lastSeen: seen.length === 0 ? 0 : Math.max(...seen),
    firstRelease: versionOf(issue.firstRelease),
    lastRelease: versionOf(issue.lastRelease),
    externalUrl: pageOf(issue, id, view),
    tracker: factsOf(issue),
    frequency: frequencyOf(issue.stats?.['24h'], 24, HOUR_SECONDS),
  };
}

/** The spread of tags in an issue itself, for trackers that have it there; null where it is not. */
export function tagsIn({ tags }: ThirdpartyIssue): ThirdpartyTag[] | null {
  if (!Array.isArray(tags)) return null;
  const rows = tags.filter((tag): tag is ThirdpartyTag => isThirdpartyTag(tag) && Array.isArray(tag.topValues));
  return rows.length < tags.length ? null : rows;
}

export interface KnownTags {
  /** Null where the tracker does not tell. */
  readonly tags: readonly ThirdpartyTag[] | null;
  /** False where environments and releases may be missing among them. */
  readonly isWhole: boolean;
}

/** `askedId`: another one than the issue's where the tracker merged them. */
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
    // Which ones the tracker merged into it, it does not say.
    merged: null,
    mergedInto: error.id === askedId ? null : error.id,
    frequency30d: frequencyOf(issue.stats?.['30d'], 30, DAY_SECONDS),
    tags: spreads,
    environments: valuesIn('environment'),
    releases: valuesIn('release'),
  };
}
