import type { StatusDetails } from '../domain/errors/error-state.ts';
import { textsOf, type ErrorTexts } from '../domain/errors/error-texts.ts';
import type { ExportedError, ExportedIssue } from '../domain/ports/export-source.ts';
import type { Project } from '../domain/projects/project.ts';
import { shownMarks } from './shown-marks.ts';

/** Last segment of a path, by which other trackers know a project. */
export function slugOf({ path }: Pick<Project, 'path'>): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

const time = (at: number): string => new Date(at).toISOString();

/** Group hash of an error, with its grouping key where an exported event shows it. */
export interface ExportedGroup {
  readonly hash: string;
  readonly version: number;
  readonly key: string | null;
  /** Hash of the mapped events that alone go on with its events. */
  readonly continued_by?: string;
}

/** What errors.ndjson has beyond the names of other trackers' issues; of the texts those without a name there. */
export interface ErrorLineExtra extends Omit<ErrorTexts, 'type' | 'title' | 'culprit' | 'level' | 'platform'> {
  readonly project_id: number;
  readonly groups: readonly ExportedGroup[];
  /** Id of the root of a merged error. */
  readonly merged_into: string | null;
  readonly resolved_at: string | null;
  /** Issues on the host, by people here; absent: none. */
  readonly linked_issues?: readonly object[];
  /** What deserves attention; absent: nothing. */
  readonly marks?: object;
  /** Start of the hour in seconds, and events. */
  readonly hours: readonly (readonly [number, number])[];
  /** What a former tracker had counted, per hour and per UTC day. */
  readonly base_hours: readonly (readonly [number, number])[];
  readonly base_days: readonly (readonly [number, number])[];
}

/** Line of errors.ndjson, under the names of Sentry's issues where they exist. */
export interface ErrorLine {
  readonly id: string;
  readonly shortId: string | null;
  readonly title: string;
  readonly culprit: string | null;
  readonly level: string;
  readonly platform: string;
  readonly status: string;
  readonly statusDetails: unknown;
  readonly count: string;
  readonly userCount: number;
  readonly firstSeen: string;
  readonly lastSeen: string;
  readonly firstRelease: { readonly version: string } | null;
  readonly lastRelease: { readonly version: string } | null;
  readonly metadata: { readonly type: string | null; readonly value: string | null };
  readonly project: { readonly id: string; readonly slug: string };
  readonly assignedTo: { readonly email: string } | null;
  readonly permalink: string | null;
  readonly external_ids: readonly { readonly kind: string; readonly value: string }[];
  readonly _errgate: ErrorLineExtra;
}

/** Converts an error; `keyOf` returns the grouping key of a group hash, null when no event shows it. */
export function errorLine(
  error: ExportedError,
  project: Pick<Project, 'id' | 'path'>,
  keyOf: (groupHash: string) => string | null,
): ErrorLine {
  const { origin } = error;
  const { type, title, culprit, level, platform, ...own } = textsOf(error);
  const externalIds = origin?.externalIds ?? [];
  const release = (version: string | null) => (version === null ? null : { version });
  return {
    id: error.id,
    shortId: externalIds.find(({ kind }) => kind === 'short_id')?.value ?? null,
    title,
    culprit,
    level,
    platform,
    status: error.status,
    statusDetails: error.details === null ? detailsOf(origin?.statusDetails ?? null) : shownDetails(error.details),
    count: String(error.count),
    userCount: error.userCount,
    firstSeen: time(error.firstSeen),
    lastSeen: time(error.lastSeen),
    firstRelease: release(error.firstRelease),
    lastRelease: release(error.lastRelease),
    metadata: { type, value: own.message },
    project: { id: String(project.id), slug: slugOf(project) },
    assignedTo: assigneeOf(error.assignee ?? origin?.assignee ?? null),
    permalink: origin?.externalUrl ?? null,
    external_ids: externalIds,
    _errgate: {
      project_id: project.id,
      groups: error.groupHashes
        .filter(({ groupingVersion }) => groupingVersion !== 0)
        .map(({ groupHash, groupingVersion, continuedBy }) => ({
          hash: groupHash,
          version: groupingVersion,
          key: keyOf(groupHash),
          ...(continuedBy === undefined ? {} : { continued_by: continuedBy }),
        })),
      merged_into: error.mergedInto,
      resolved_at: error.resolvedAt === null ? null : time(error.resolvedAt),
      ...own,
      ...(error.linkedIssues.length === 0 ? {} : { linked_issues: error.linkedIssues.map(issueOf) }),
      ...shownMarks(error.marks),
      hours: error.hours,
      base_hours: error.baseHours,
      base_days: error.baseDays,
    },
  };
}

/** Returns details under the names of trackers, flat: the repository of a commit has a member of its own. */
export function shownDetails({ ignoreUntil, inCommit, ...same }: StatusDetails): object {
  return {
    ...same,
    ...(ignoreUntil === undefined ? {} : { ignoreUntil: time(ignoreUntil) }),
    ...(inCommit === undefined ? {} : { inCommit: inCommit.commit }),
    ...(typeof inCommit?.repository === 'string' ? { inCommitRepository: inCommit.repository } : {}),
  };
}

function detailsOf(details: string | null): unknown {
  return details === null ? {} : JSON.parse(details);
}

function issueOf({ url, title, at, user }: ExportedIssue): object {
  return { url, title, created_at: time(at), user: user === null ? null : { email: user } };
}

function assigneeOf(email: string | null): ErrorLine['assignedTo'] {
  return email === null ? null : { email };
}
