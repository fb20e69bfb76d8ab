import type { ErrorSort } from '../domain/tracked-error.ts';
import type { TrackerKind } from '../domain/tracker-kind.ts';

/** Whether something is found below the issue itself or below its organization. */
export type IssueRoute = 'organization' | 'legacy';

/** What is asked for of an issue; each may be on another route. */
export type IssuePart = 'issue' | 'tags' | 'events' | 'latest' | 'event';

/** Names of sorts; last seen first is every tracker's default and has none. */
export type SortFamily = Readonly<Partial<Record<ErrorSort, string>>>;

/** How lists are narrowed down to an environment: by a parameter of its own, or by a term of the query. */
export type EnvironmentPlace = 'parameter' | 'query';

export interface PagePlace {
  /** Scheme, host and sub-path, without a slash at the end. */
  readonly base: string;
  readonly organization: string;
  readonly project: string;
  /** The tracker's id of the project. */
  readonly projectId: string | null;
}

export interface TrackerTraits {
  /** In the order in which they are tried; one alone is known to be right, none: there is no such part. */
  readonly routes: Readonly<Record<IssuePart, readonly IssueRoute[]>>;
  /** Answers with a page of its own interface where the id of an issue is no number: there is no such issue. */
  readonly pagesForOddIds: boolean;
  /** What the size of a page of issues is called. */
  readonly pageSize: 'limit' | 'per_page';
  /** Null: to be found out. */
  readonly sorts: SortFamily | null;
  /** Null: to be found out, as are the filters that work. */
  readonly environmentIn: EnvironmentPlace | null;
  /** Page of the project for people. */
  readonly projectPage: (place: PagePlace) => string;
  /** Page of an issue for people; null: the tracker names it, see `permalink`. */
  readonly issuePage: ((place: PagePlace, id: string) => string) | null;
}

const segment = encodeURIComponent;
const BOTH: readonly IssueRoute[] = ['organization', 'legacy'];

const EVERYTHING_LEARNT: TrackerTraits = {
  routes: { issue: BOTH, tags: BOTH, events: BOTH, latest: BOTH, event: BOTH },
  pagesForOddIds: true,
  pageSize: 'limit',
  sorts: null,
  environmentIn: null,
  projectPage: ({ base, organization, project }) => `${base}/${segment(organization)}/${segment(project)}/`,
  issuePage: null,
};

/** What is known of each kind; proven by the recordings in test/fixtures/thirdparty. */
export const TRACKER_TRAITS: Readonly<Record<TrackerKind, TrackerTraits>> = {
  unknown: EVERYTHING_LEARNT,
  // Routes differ between versions, and go away one after the other.
  sentry: {
    ...EVERYTHING_LEARNT,
    pagesForOddIds: false,
    sorts: { first_seen: 'new', frequency: 'freq', users: 'user' },
    environmentIn: 'parameter',
  },
  glitchtip: {
    routes: { issue: ['legacy'], tags: ['legacy'], events: ['legacy'], latest: ['legacy'], event: ['legacy'] },
    pagesForOddIds: true,
    pageSize: 'limit',
    sorts: { first_seen: '-first_seen', frequency: '-count' },
    environmentIn: 'parameter',
    projectPage: ({ base, organization, projectId }) =>
      `${base}/${segment(organization)}/issues${projectId === null ? '' : `?project=${segment(projectId)}`}`,
    // Its permalink names the project where its pages have the organization.
    issuePage: ({ base, organization }, id) => `${base}/${segment(organization)}/issues/${segment(id)}`,
  },
  urgentry: {
    routes: {
      issue: ['legacy'],
      // The issue itself holds them.
      tags: [],
      events: ['legacy'],
      latest: ['legacy'],
      event: ['organization'],
    },
    pagesForOddIds: false,
    pageSize: 'per_page',
    // The project's route passes over sorts; that of the organization has no pages and asks for a scope of its own.
    sorts: {},
    environmentIn: 'query',
    projectPage: ({ base }) => `${base}/issues/`,
    // Its permalink leads to no page.
    issuePage: ({ base }, id) => `${base}/issues/${segment(id)}/`,
  },
  // It has no API of this form for reading.
  bugsink: { ...EVERYTHING_LEARNT, sorts: {}, environmentIn: 'query', projectPage: ({ base }) => `${base}/` },
};
