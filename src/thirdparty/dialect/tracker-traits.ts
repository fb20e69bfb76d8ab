import type { ErrorSort } from '../../domain/search/error-query.ts';
import type { TrackerKind } from '../../domain/projects/tracker-kind.ts';
import type { BoundsPlace } from './seen-bounds.ts';
import { NO_CONDITIONS, type ConditionTraits } from './condition-words.ts';

/** Route below the organization or below the issue itself. */
export type IssueRoute = 'organization' | 'legacy';

/** Parts of an issue; each may have another route. */
export type IssuePart = 'issue' | 'tags' | 'events' | 'latest' | 'event';

/** Names of sorts; last seen is the default of all trackers and has none. */
export type SortFamily = Readonly<Partial<Record<ErrorSort, string>>>;

/** Form of the environment filter: a parameter, or a term of the query. */
export type EnvironmentPlace = 'parameter' | 'query';

export interface PagePlace {
  /** Scheme, host and sub-path, without a trailing slash. */
  readonly base: string;
  readonly organization: string;
  readonly project: string;
  /** Project id in the tracker. */
  readonly projectId: string | null;
}

export interface TrackerTraits {
  /** Routes in order of trial. A single one is certain; empty means no such part. */
  readonly routes: Readonly<Record<IssuePart, readonly IssueRoute[]>>;
  /** True: answers with an HTML page for an id that is not a number, which means not found. */
  readonly pagesForOddIds: boolean;
  /** True: `nextEventID` is the next event of the list, newest first, and so the older neighbour. */
  readonly nextIsOlder: boolean;
  /** Name of the page size parameter for issues. */
  readonly pageSize: 'limit' | 'per_page';
  /** Null: detected by requests. */
  readonly sorts: SortFamily | null;
  /** Null: detected by requests, like the supported filters. */
  readonly environmentIn: EnvironmentPlace | null;
  /** Null: cannot filter by times, or detected by requests with the other filters. */
  readonly boundsIn: BoundsPlace | null;
  readonly conditions: ConditionTraits;
  /** First number of the oldest version with the marks of TRACKER_MARKS; null: none, unless issues show them. */
  readonly marksSince: number | null;
  /** True: charts of issues have a route of their own, for several at once. */
  readonly chartsApart: boolean;
  /** True: accepts releases, commits and conditions with a status. */
  readonly statusDetails: boolean;
  /** Web page of the project. */
  readonly projectPage: (place: PagePlace) => string;
  /** Web page of an issue; null: the tracker sends it, see `permalink`. */
  readonly issuePage: ((place: PagePlace, id: string) => string) | null;
}

const segment = encodeURIComponent;
const BOTH: readonly IssueRoute[] = ['organization', 'legacy'];

const EVERYTHING_LEARNT: TrackerTraits = {
  routes: { issue: BOTH, tags: BOTH, events: BOTH, latest: BOTH, event: BOTH },
  pagesForOddIds: true,
  nextIsOlder: false,
  pageSize: 'limit',
  sorts: null,
  environmentIn: null,
  boundsIn: null,
  conditions: NO_CONDITIONS,
  marksSince: null,
  chartsApart: false,
  statusDetails: false,
  projectPage: ({ base, organization, project }) => `${base}/${segment(organization)}/${segment(project)}/`,
  issuePage: null,
};

/** Behaviour of each kind, verified by the recordings in test/fixtures/thirdparty. */
export const TRACKER_TRAITS: Readonly<Record<TrackerKind, TrackerTraits>> = {
  unknown: EVERYTHING_LEARNT,
  // Routes differ between versions.
  sentry: {
    ...EVERYTHING_LEARNT,
    pagesForOddIds: false,
    sorts: { first_seen: 'new', frequency: 'freq', users: 'user' },
    environmentIn: 'parameter',
    boundsIn: 'query',
    // A review is unknown to old versions, which refuse the query.
    conditions: {
      ...{ negation: true, tags: true, bracketedTags: true, has: true, assignment: true, eventFields: true },
      ...{ patterns: true, productNames: true },
      marks: {
        ...{ new: 'is:new', regressed: 'is:regressed', escalating: 'is:escalating', for_review: 'is:for_review' },
        unhandled: 'error.unhandled:true',
      },
    },
    marksSince: 23,
    statusDetails: true,
  },
  glitchtip: {
    routes: { issue: ['legacy'], tags: ['legacy'], events: ['legacy'], latest: ['legacy'], event: ['legacy'] },
    pagesForOddIds: true,
    nextIsOlder: false,
    pageSize: 'limit',
    sorts: { first_seen: '-first_seen', frequency: '-count' },
    environmentIn: 'parameter',
    // Its query has no words for times.
    boundsIn: 'parameters',
    conditions: { ...NO_CONDITIONS, tags: true, has: true },
    marksSince: null,
    chartsApart: true,
    statusDetails: false,
    projectPage: ({ base, organization, projectId }) =>
      `${base}/${segment(organization)}/issues${projectId === null ? '' : `?project=${segment(projectId)}`}`,
    // Its permalink has the project in place of the organization.
    issuePage: ({ base, organization }, id) => `${base}/${segment(organization)}/issues/${segment(id)}`,
  },
  urgentry: {
    routes: {
      issue: ['legacy'],
      // Included in the issue.
      tags: [],
      events: ['legacy'],
      latest: ['legacy'],
      event: ['organization'],
    },
    pagesForOddIds: false,
    nextIsOlder: true,
    pageSize: 'per_page',
    // The project route ignores sorts. The organization route has no pages and needs another scope.
    sorts: {},
    environmentIn: 'query',
    boundsIn: null,
    conditions: { ...NO_CONDITIONS, tags: true },
    marksSince: null,
    chartsApart: false,
    statusDetails: false,
    projectPage: ({ base }) => `${base}/issues/`,
    // Its permalink is a dead link.
    issuePage: ({ base }, id) => `${base}/issues/${segment(id)}/`,
  },
  // It has no compatible API for reading.
  bugsink: { ...EVERYTHING_LEARNT, sorts: {}, environmentIn: 'query', projectPage: ({ base }) => `${base}/` },
};
