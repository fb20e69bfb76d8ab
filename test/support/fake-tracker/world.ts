import { createHash } from 'node:crypto';

/** Event of the fake tracker, independent of a dialect; personalities render it. Times are milliseconds. */
export interface FakeEvent {
  readonly id: string;
  readonly at: number;
  readonly receivedAt: number;
  readonly environment: string | null;
  readonly release: string | null;
  readonly user: string | null;
  readonly tags: readonly (readonly [key: string, value: string])[];
}

export type FakeStatus = 'unresolved' | 'resolved' | 'ignored';

export interface FakeIssue {
  readonly id: string;
  readonly project: FakeProject;
  readonly shortId: string;
  readonly type: string | null;
  readonly title: string;
  readonly message: string | null;
  readonly culprit: string;
  readonly level: string;
  readonly platform: string;
  status: FakeStatus;
  /** Mark of trackers that have one; null: as the status implies. */
  substatus: string | null;
  /** Oldest first; never empty. */
  events: readonly FakeEvent[];
  /** Links to issues of other trackers, as `[text, address]`. */
  readonly annotations: readonly (readonly [text: string, url: string])[];
}

export interface FakeOrganization {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
}

export interface FakeProject {
  readonly id: string;
  slug: string;
  readonly name: string;
  readonly organization: FakeOrganization;
  /** Previous slugs of the project; requests with them are answered with a redirect to the new one. */
  readonly formerSlugs: string[];
}

export interface FakeToken {
  readonly text: string;
  readonly scopes: readonly string[];
  /** Slugs of the visible organizations; null for all. */
  readonly organizations: readonly string[] | null;
}

export interface NewIssue {
  readonly id?: string;
  readonly type?: string | null;
  readonly title: string;
  readonly message?: string | null;
  readonly culprit?: string;
  readonly level?: string;
  readonly platform?: string;
  readonly status?: FakeStatus;
  readonly annotations?: readonly (readonly [text: string, url: string])[];
  readonly events: readonly (Partial<FakeEvent> & { readonly at: number })[];
}

export const READ_SCOPES = ['event:read', 'project:read', 'org:read'] as const;
export const ALL_SCOPES = [...READ_SCOPES, 'event:write'] as const;

export const hexOf = (text: string, digits = 32): string =>
  createHash('sha256').update(text).digest('hex').slice(0, digits);

/** State of one fake tracker. */
export class World {
  /** Time of the tracker's clock. */
  now: number;
  readonly projects: FakeProject[] = [];
  readonly issues: FakeIssue[] = [];
  readonly tokens: FakeToken[] = [];
  /** Ids of merged issues, with the id of the remaining issue. */
  readonly merged = new Map<string, string>();
  readonly #makeId: (serial: number) => string;
  #serial = 0;

  constructor(now: number, makeId: (serial: number) => string) {
    this.now = now;
    this.#makeId = makeId;
  }

  addProject(organization: string, slug: string, id?: string): FakeProject {
    const known = this.projects.find((project) => project.organization.slug === organization)?.organization;
    const project: FakeProject = {
      id: id ?? String(4_509_062_593_700_000 + this.projects.length),
      slug,
      name: `The ${slug}`,
      organization: known ?? {
        id: String(new Set(this.projects.map((each) => each.organization.slug)).size + 1),
        slug: organization,
        name: `The ${organization}`,
      },
      formerSlugs: [],
    };
    this.projects.push(project);
    return project;
  }

  addToken(
    text: string,
    scopes: readonly string[] = ALL_SCOPES,
    organizations: readonly string[] | null = null,
  ): FakeToken {
    const token = { text, scopes, organizations };
    this.tokens.push(token);
    return token;
  }

  addIssue(project: FakeProject, spec: NewIssue): FakeIssue {
    this.#serial += 1;
    const id = spec.id ?? this.#makeId(this.#serial);
    const events = spec.events
      .map((event, index): FakeEvent => ({
        id: hexOf(`event ${id} ${index}`),
        receivedAt: event.at + 250,
        environment: null,
        release: null,
        user: null,
        tags: [],
        ...event,
      }))
      .sort((a, b) => a.at - b.at);
    if (events.length === 0) throw new Error('an issue has at least one event');
    const issue: FakeIssue = {
      id,
      project,
      shortId: `${project.slug.toUpperCase()}-${this.#serial.toString(36).toUpperCase()}`,
      type: spec.type === undefined ? 'ValueError' : spec.type,
      title: spec.title,
      message: spec.message === undefined ? 'it broke' : spec.message,
      culprit: spec.culprit ?? 'app.views in show',
      level: spec.level ?? 'error',
      platform: spec.platform ?? 'python',
      status: spec.status ?? 'unresolved',
      substatus: null,
      events,
      annotations: spec.annotations ?? [],
    };
    this.issues.push(issue);
    return issue;
  }

  /** Adds an event at the present time; reopens a resolved issue, as trackers do. */
  occurs(issue: FakeIssue): void {
    const id = hexOf(`event ${issue.id} ${issue.events.length}`);
    const nothing = { environment: null, release: null, user: null, tags: [] };
    issue.events = [...issue.events, { id, at: this.now, receivedAt: this.now + 250, ...nothing }];
    if (issue.status === 'resolved') issue.status = 'unresolved';
  }

  issueById(id: string): FakeIssue | undefined {
    const surviving = this.merged.get(id) ?? id;
    return this.issues.find((issue) => issue.id === surviving);
  }

  projectBySlugs(organization: string, slug: string): FakeProject | undefined {
    return this.projects.find(
      (project) =>
        project.organization.slug === organization && (project.slug === slug || project.formerSlugs.includes(slug)),
    );
  }
}

export const firstSeen = (issue: FakeIssue): number => issue.events[0]!.at;
export const lastSeen = (issue: FakeIssue): number => issue.events.at(-1)!.at;
/** Events in order of arrival. */
export const byArrival = (issue: FakeIssue): FakeEvent[] =>
  [...issue.events].sort((a, b) => a.receivedAt - b.receivedAt);
export const usersOf = (issue: FakeIssue): number =>
  new Set(issue.events.map((event) => event.user).filter((user) => user !== null)).size;
