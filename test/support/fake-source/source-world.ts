import { createHash } from 'node:crypto';
import { IN_FULL_RUN } from '../full-run.ts';
import type {
  NewSourceIssue,
  SdkBody,
  SourceEvent,
  SourceIssue,
  SourceKey,
  SourceMember,
  SourceProject,
} from './source-records.ts';

export type SourceTracker = 'sentry' | 'glitchtip' | 'urgentry' | 'bugsink';
export const SOURCE_TRACKERS: readonly SourceTracker[] = ['sentry', 'glitchtip', 'urgentry', 'bugsink'];
/** Trackers of whole imports: the ones whose lists tell most and least; all in `npm run test:full`. */
export const IMPORTED_TRACKERS: readonly SourceTracker[] = IN_FULL_RUN ? SOURCE_TRACKERS : ['sentry', 'bugsink'];

const HOUR_MS = 3_600_000;

export const hexOf = (text: string, digits = 32): string =>
  createHash('sha256').update(text).digest('hex').slice(0, digits);

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
const list = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** Exceptions of an SDK's body, oldest cause first. */
export const exceptionsIn = (body: SdkBody): Record<string, unknown>[] => {
  const given = body.exception;
  return (Array.isArray(given) ? given : list(record(given).values)).map(record);
};

export const messageIn = (body: SdkBody): string | null => {
  const entry = record(body.logentry ?? body.message);
  const text = entry.formatted ?? entry.message ?? body.message;
  return typeof text === 'string' ? text : null;
};

/** Grouping of the fake: type of the last exception and function of its last frame, or the message. */
export function ownGrouping(body: SdkBody): string {
  const fingerprint = list(body.fingerprint).filter((part) => part !== '{{ default }}');
  if (fingerprint.length > 0) return JSON.stringify(fingerprint);
  const exception = exceptionsIn(body).at(-1);
  if (exception === undefined) return `message ${messageIn(body) ?? ''}`;
  const frame = record(list(record(exception.stacktrace).frames).at(-1));
  return `${String(exception.type)} ${String(frame.module ?? frame.filename)} ${String(frame.function)}`;
}

/** State of a tracker. All times come from `now`, which a test may set. */
export class SourceWorld {
  readonly tracker: SourceTracker;
  readonly organizations = ['acme'];
  readonly projects: SourceProject[] = [];
  readonly members: SourceMember[] = [];
  /** Scopes by token. */
  readonly tokens = new Map<string, readonly string[]>();
  /** Ids of issues that were merged, with the remaining one. */
  readonly merged = new Map<string, string>();
  now: () => number;
  /** Decides which events are one issue. */
  groupBy: (body: SdkBody) => string = ownGrouping;
  /** Counts of accepted events come with `settle()`. */
  countsLate = false;
  /** True: a Bugsink before 2.6. */
  isOld = false;
  /** Drops an event after the answer 200. */
  drops: (body: SdkBody) => boolean = () => false;
  readonly #waiting: (() => void)[] = [];
  #serial = 0;

  constructor(tracker: SourceTracker, now: () => number = Date.now) {
    this.tracker = tracker;
    this.now = now;
  }

  addToken(text: string, scopes: readonly string[] = ALL_SCOPES): void {
    this.tokens.set(text, scopes);
  }

  revoke(text: string): void {
    this.tokens.delete(text);
  }

  addProject(
    slug: string,
    given: { id?: string; organization?: string; platform?: string; keys?: number } = {},
  ): SourceProject {
    const serial = this.projects.length + 1;
    const id = given.id ?? (this.tracker === 'urgentry' ? hexOf(`project ${slug}`) : String(serial));
    const project: SourceProject = {
      id,
      organization: given.organization ?? 'acme',
      slug,
      formerSlugs: [],
      name: `The ${slug}`,
      platform: given.platform ?? 'python',
      keys: [],
      issues: new Map(),
      releases: [],
      rules: [],
      features: {},
      known: new Map(),
      revision: 0,
    };
    if (!this.organizations.includes(project.organization)) this.organizations.push(project.organization);
    this.projects.push(project);
    for (let key = 0; key < (given.keys ?? 1); key += 1) this.addKey(project);
    return project;
  }

  addKey(project: SourceProject, given: Partial<SourceKey> = {}): SourceKey {
    const key: SourceKey = {
      publicKey: hexOf(`key ${project.slug} ${project.keys.length}`),
      label: `Key ${project.keys.length + 1}`,
      active: true,
      useCase: this.tracker === 'sentry' ? 'user' : null,
      rateLimit: null,
      ...given,
    };
    project.keys.push(key);
    return key;
  }

  addIssue(project: SourceProject, given: NewSourceIssue = {}): SourceIssue {
    this.#serial += 1;
    const serial = this.#serial;
    const bodies = given.bodies ?? [];
    const first = bodies[0]?.body ?? {};
    const exception = exceptionsIn(first).at(-1);
    const type = given.type === undefined ? text(exception?.type) : given.type;
    const value = given.value ?? text(exception?.value) ?? messageIn(first);
    const seen = this.now() - serial * 1000;
    const id = given.id ?? this.#issueId(serial);
    const issue: SourceIssue = {
      id,
      project,
      serial,
      shortId: `${project.slug.toUpperCase()}-${serial.toString(36).toUpperCase()}`,
      shareId: given.shareId ?? null,
      type,
      title: given.title ?? [type, value].filter((part) => part !== null).join(': '),
      value,
      culprit: given.culprit ?? text(first.transaction) ?? 'app.views in show',
      level: given.level ?? text(first.level) ?? 'error',
      platform: given.platform ?? text(first.platform) ?? project.platform,
      status: given.status ?? 'unresolved',
      statusDetails: given.statusDetails ?? {},
      substatus: given.substatus ?? null,
      activity: [...(given.activity ?? [])],
      assignee: given.assignee ?? null,
      category: given.category ?? 'error',
      count: given.count ?? Math.max(1, bodies.length),
      users: given.users ?? 1,
      firstSeen: given.firstSeen ?? seen,
      lastSeen: given.lastSeen ?? given.firstSeen ?? seen,
      events: [],
      notes: [],
      reports: [],
      hours: new Map(),
    };
    for (const [index, { body, at = issue.lastSeen, hash = hexOf(this.groupBy(body)) }] of bodies.entries()) {
      const event: SourceEvent = { id: eventId(body, `${id} ${index}`), at, receivedAt: at + 250, hash, body };
      issue.events.push(event);
      project.known.set(event.id, issue);
    }
    issue.events.sort((one, other) => one.at - other.at);
    if (issue.count > 0) issue.hours.set(hourOf(issue.lastSeen), issue.count);
    project.issues.set(id, issue);
    project.revision += 1;
    return issue;
  }

  /** Adds many issues; `make` gets the index. */
  addIssues(
    project: SourceProject,
    count: number,
    make: (index: number) => NewSourceIssue = () => ({}),
  ): SourceIssue[] {
    return Array.from({ length: count }, (_, index) =>
      this.addIssue(project, { type: 'TypeError', value: `number ${index}`, ...make(index) }),
    );
  }

  /** Counts one more event of an issue, which moves to the head of lists by last occurrence. */
  touch(issue: SourceIssue, at = this.now()): void {
    issue.count += 1;
    issue.lastSeen = Math.max(issue.lastSeen, at);
    issue.hours.set(hourOf(at), (issue.hours.get(hourOf(at)) ?? 0) + 1);
    issue.project.revision += 1;
  }

  /** Takes a live event, as by `store`; a known id counts once. Returns null when it was dropped. */
  receive(project: SourceProject, body: SdkBody): SourceIssue | null {
    const id = eventId(body, `live ${this.now()} ${project.known.size}`);
    const known = project.known.get(id);
    if (known !== undefined) return known;
    if (this.drops(body)) return null;
    const hash = hexOf(this.groupBy(body));
    const found = [...project.issues.values()].find((issue) => issue.events.some((event) => event.hash === hash));
    const at = this.now();
    const event: SourceEvent = { id, at, receivedAt: at, hash, body };
    if (found === undefined) {
      const issue = this.addIssue(project, {
        bodies: [{ body: { ...body, event_id: id }, at, hash }],
        firstSeen: at,
        lastSeen: at,
      });
      if (this.countsLate) {
        issue.count = 0;
        this.#waiting.push(() => this.touch(issue, at));
      }
      return issue;
    }
    project.known.set(id, found);
    found.events.push(event);
    project.revision += 1;
    if (this.countsLate) this.#waiting.push(() => this.touch(found, at));
    else this.touch(found, at);
    return found;
  }

  /** Counts what was accepted while `countsLate` was set. */
  settle(): void {
    for (const count of this.#waiting.splice(0)) count();
  }

  rename(project: SourceProject, slug: string): void {
    project.formerSlugs.push(project.slug);
    project.slug = slug;
    project.revision += 1;
  }

  /** Merges an issue into another: its id answers as the other one's. */
  merge(from: SourceIssue, into: SourceIssue): void {
    this.merged.set(from.id, into.id);
    into.count += from.count;
    into.events = [...into.events, ...from.events].sort((one, other) => one.at - other.at);
    into.firstSeen = Math.min(into.firstSeen, from.firstSeen);
    this.remove(from);
  }

  remove(issue: SourceIssue): void {
    issue.project.issues.delete(issue.id);
    issue.project.revision += 1;
  }

  issue(id: string): SourceIssue | undefined {
    const wanted = this.merged.get(id) ?? id;
    for (const project of this.projects) {
      const issue = project.issues.get(wanted);
      if (issue !== undefined) return issue;
    }
    return undefined;
  }

  #issueId(serial: number): string {
    if (this.tracker === 'urgentry') return hexOf(`issue ${serial}`);
    if (this.tracker !== 'bugsink') return String(1000 + serial);
    const hex = hexOf(`issue ${serial}`);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}

const ALL_SCOPES = [
  'org:read',
  'project:read',
  'project:releases',
  'event:read',
  'alerts:read',
  'member:read',
  'team:read',
] as const;

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const hourOf = (at: number): number => (Math.floor(at / HOUR_MS) * HOUR_MS) / 1000;
const eventId = (body: SdkBody, otherwise: string): string => {
  const given = text(body.event_id)?.replaceAll('-', '').toLowerCase() ?? '';
  return /^[0-9a-f]{32}$/.test(given) ? given : hexOf(`event ${otherwise}`);
};
