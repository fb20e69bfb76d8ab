import type { SourceIssue, SourceProject } from './source-records.ts';
import type { SourceTracker, SourceWorld } from './source-world.ts';

export interface SourceReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Ends a request with this answer. */
export class SourceRefusal extends Error {
  readonly reply: SourceReply;

  constructor(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
    super(`refused with ${status}`);
    this.reply = { status, body, headers };
  }
}

/** One request of a known route. */
export interface SourceCall {
  readonly world: SourceWorld;
  readonly url: URL;
  readonly query: URLSearchParams;
  /** Decoded segments of the route's placeholders. */
  readonly args: Readonly<Record<string, string>>;
}

export interface SourceRoute {
  /** Segments with `:name` for placeholders; slash at both ends. */
  readonly path: string;
  /** One of them is needed; empty: public. */
  readonly scopes: readonly string[];
  /** Known parameters and their form; others are refused with 400. */
  readonly params: Readonly<Record<string, RegExp>>;
  /** Parameter that may be repeated. */
  readonly repeated?: string;
  readonly answer: (call: SourceCall) => SourceReply;
}

export interface SourceKind {
  readonly tracker: SourceTracker;
  readonly routes: readonly SourceRoute[];
  /** Answer to a project, issue or route that is not there. */
  readonly notFound: unknown;
  readonly unauthorized: unknown;
  readonly forbidden: unknown;
}

export const json = (body: unknown, headers: Readonly<Record<string, string>> = {}): SourceReply => ({
  status: 200,
  headers,
  body,
});

export function organizationOf({ world, args }: SourceCall): string {
  const slug = args.o ?? '';
  if (!world.organizations.includes(slug))
    throw new SourceRefusal(404, { detail: 'The requested resource does not exist' });
  return slug;
}

export function projectBySlug(call: SourceCall, slug: string): SourceProject | undefined {
  return call.world.projects.find((project) => project.organization === organizationOf(call) && project.slug === slug);
}

export function issueOf({ world, args }: SourceCall): SourceIssue {
  const issue = world.issue(args.id ?? '');
  if (issue === undefined) throw new SourceRefusal(404, { detail: 'The requested resource does not exist' });
  return issue;
}

export const iso = (at: number): string => new Date(at).toISOString();
export const sizeOf = (query: URLSearchParams, name: string, most = 100): number => {
  const size = Number(query.get(name) ?? most);
  if (!Number.isInteger(size) || size < 1) throw new SourceRefusal(400, { detail: `invalid ${name}` });
  return Math.min(size, most);
};

type SortedBy = 'firstSeen' | 'lastSeen' | 'serial';

interface SortedList {
  readonly revision: number;
  readonly issues: SourceIssue[];
}

/** Lists sorted by time, newest first; sorted again when the project has changed. */
export class SortedIssues {
  /** By project and not by its id, which projects of other worlds have too. */
  readonly #lists = new WeakMap<SourceProject, Map<SortedBy, SortedList>>();

  of(project: SourceProject, by: SortedBy): readonly SourceIssue[] {
    const lists = this.#lists.get(project) ?? new Map<SortedBy, SortedList>();
    this.#lists.set(project, lists);
    const known = lists.get(by);
    if (known?.revision === project.revision) return known.issues;
    const issues = [...project.issues.values()].sort((one, other) => other[by] - one[by] || other.serial - one.serial);
    lists.set(by, { revision: project.revision, issues });
    return issues;
  }
}
