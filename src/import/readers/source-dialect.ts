import { apiPath } from '../../thirdparty/session.ts';
import type { Fingerprints } from '../sdk-body/api-event.ts';
import { skipEncodedRow, skipSentryRow } from './access/paged-list.ts';

/** Names of one issue's event. */
export interface EventPlace {
  readonly organization: string;
  /** Present slug. */
  readonly project: string;
  readonly issueId: string;
  readonly eventId: string;
}

/** List of the user reports of a project. */
export interface ProjectReportList {
  readonly query: readonly (readonly [name: string, value: string])[];
  /** True: newest first, and each report names its issue. */
  readonly isSorted: boolean;
}

/** Routes and parameters of one kind of tracker that speaks Sentry's API. */
export interface SourceDialect {
  readonly kind: 'sentry' | 'glitchtip' | 'urgentry';
  /** Null: the tracker has one order only, by last occurrence. */
  readonly sorts: { readonly all: string; readonly recent: string } | null;
  /** Name of the page size parameter, of issues and of other lists. */
  readonly issuePageSize: 'limit' | 'per_page';
  readonly pageSize: 'limit' | 'per_page';
  readonly skipRow: (cursor: string | null) => string | null;
  /** True: an unknown project is an empty list, so an empty list may mean a renamed one. */
  readonly emptyForUnknown: boolean;
  /** True: each page of the list of issues has a `Link` header, also an empty one. */
  readonly sendsLinks: boolean;
  readonly issue: (organization: string, id: string) => string;
  readonly hashes: (organization: string, id: string) => string;
  readonly events: (organization: string, id: string) => string;
  /** Parameter with which lists of events have whole events; null: they have what they have. */
  readonly wholeEvents: readonly [name: string, value: string] | null;
  /** True: lists of events reach back 90 days without `start` and `end`, and have both. */
  readonly hasWindows: boolean;
  /** True: there is a route for the oldest event. */
  readonly hasOldest: boolean;
  /** Event as stored; null: the tracker has only the shape of the API. */
  readonly rawEvent: ((place: EventPlace) => string) | null;
  readonly shapedEvent: (place: EventPlace) => string;
  /** What the shape of the API calls fingerprints. */
  readonly fingerprints: Fingerprints;
  readonly comments: (organization: string, id: string) => string;
  /** Reports of an issue; null: only those of the project. */
  readonly reports: ((organization: string, id: string) => string) | null;
  /** List of the project's reports; null: there is none. */
  readonly projectReports: ProjectReportList | null;
  readonly releases: (organization: string, project: string) => string;
  readonly rules: (organization: string, project: string) => string;
  /** What no version of this tracker can give. */
  readonly cannot: readonly string[];
}

const ofIssue = (organization: string, id: string, ...rest: string[]): string =>
  apiPath('organizations', organization, 'issues', id, ...rest);
const ofIssueAlone = (id: string, ...rest: string[]): string => apiPath('issues', id, ...rest);

const SENTRY: SourceDialect = {
  kind: 'sentry',
  sorts: { all: 'new', recent: 'date' },
  issuePageSize: 'limit',
  pageSize: 'per_page',
  skipRow: skipSentryRow,
  emptyForUnknown: false,
  sendsLinks: true,
  issue: ofIssue,
  hashes: (organization, id) => ofIssue(organization, id, 'hashes'),
  events: (organization, id) => ofIssue(organization, id, 'events'),
  wholeEvents: ['full', 'true'],
  hasWindows: true,
  hasOldest: true,
  rawEvent: ({ organization, project, eventId }) =>
    apiPath('projects', organization, project, 'events', eventId, 'json'),
  shapedEvent: ({ organization, project, eventId }) => apiPath('projects', organization, project, 'events', eventId),
  fingerprints: 'hashes',
  comments: (organization, id) => ofIssue(organization, id, 'notes'),
  reports: (organization, id) => ofIssue(organization, id, 'user-reports'),
  // Without a status it lists those of unresolved issues only.
  projectReports: { query: [['status', '']], isSorted: true },
  releases: (organization, project) => apiPath('projects', organization, project, 'releases'),
  rules: (organization, project) => apiPath('projects', organization, project, 'rules'),
  cannot: ['events that the tracker has deleted by its retention', 'the affected users themselves: only their number'],
};

const GLITCHTIP: SourceDialect = {
  kind: 'glitchtip',
  sorts: { all: '-first_seen', recent: '-last_seen' },
  issuePageSize: 'limit',
  pageSize: 'limit',
  skipRow: skipEncodedRow,
  emptyForUnknown: true,
  sendsLinks: true,
  issue: (_organization, id) => ofIssueAlone(id),
  hashes: (organization, id) => ofIssue(organization, id, 'hashes'),
  events: (_organization, id) => ofIssueAlone(id, 'events'),
  wholeEvents: null,
  hasWindows: false,
  hasOldest: false,
  rawEvent: ({ organization, issueId, eventId }) => ofIssue(organization, issueId, 'events', eventId, 'json'),
  shapedEvent: ({ issueId, eventId }) => ofIssueAlone(issueId, 'events', eventId),
  fingerprints: 'hashes',
  comments: (_organization, id) => ofIssueAlone(id, 'comments'),
  reports: (_organization, id) => ofIssueAlone(id, 'user-reports'),
  projectReports: null,
  releases: (organization, project) => apiPath('projects', organization, project, 'releases'),
  rules: (organization, project) => apiPath('projects', organization, project, 'alerts'),
  cannot: [
    'events that the tracker has deleted by its retention',
    'assignees, and the time at which an error was resolved: GlitchTip does not report them',
    'numbers of affected users: GlitchTip reports 0, or the number of events in their place',
    'charts of more than 14 days',
  ],
};

const URGENTRY: SourceDialect = {
  ...SENTRY,
  kind: 'urgentry',
  // The project's list ignores sorts; the organization's has no pages.
  sorts: null,
  sendsLinks: false,
  issuePageSize: 'per_page',
  issue: (_organization, id) => ofIssueAlone(id),
  events: (_organization, id) => ofIssueAlone(id, 'events'),
  wholeEvents: null,
  hasWindows: false,
  hasOldest: false,
  rawEvent: null,
  fingerprints: 'sent',
  comments: (_organization, id) => ofIssueAlone(id, 'comments'),
  // Below an issue this path answers with the issue.
  reports: null,
  projectReports: { query: [], isSorted: false },
  releases: (organization) => apiPath('organizations', organization, 'releases'),
  cannot: [
    'variables of stack frames: Urgentry does not show them',
    'releases by project: Urgentry lists those of the organization',
    'the affected users themselves: only their number',
  ],
};

export const SOURCE_DIALECTS = { sentry: SENTRY, glitchtip: GLITCHTIP, urgentry: URGENTRY } as const;
