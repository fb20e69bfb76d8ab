import type { FromSchema } from 'json-schema-to-ts';
import {
  MAX_COMMITS_OF_RELEASE,
  MAX_FILES_OF_COMMIT,
  MAX_PATH_LENGTH,
  type CommitRef,
  type Deploy,
} from '../../domain/artifacts/build.ts';
import type { NewCommit } from '../../domain/ports/stores/build-store.ts';
import { cleanText, cutText } from '../../lib/text/clean-text.ts';
import { definedMembers } from '../../lib/defined-members.ts';
import { toolBody } from './tool-body.ts';
import type { ToolCall } from './tool-route.ts';

const text = (maxLength: number) => ({ type: ['string', 'null'], maxLength }) as const;
/** Time of a tool; those that cannot be read are left out. */
const moment = text(100);
const projects = { type: ['array', 'null'], items: { type: ['string', 'integer'] }, maxItems: 100 } as const;

const commit = {
  type: 'object',
  properties: {
    id: { type: 'string', minLength: 1, maxLength: 64 },
    repository: text(500),
    author_name: text(1000),
    author_email: text(1000),
    timestamp: moment,
    message: { type: ['string', 'null'] },
    patch_set: {
      type: ['array', 'null'],
      items: { type: 'object', properties: { path: { type: 'string' }, type: { type: 'string' } }, required: ['path'] },
    },
  },
  required: ['id'],
} as const;
const commits = { type: ['array', 'null'], items: commit } as const;
const refs = {
  type: ['array', 'null'],
  maxItems: 100,
  items: {
    type: 'object',
    properties: {
      repository: { type: 'string', maxLength: 500 },
      commit: { type: 'string', maxLength: 130 },
      previousCommit: text(64),
    },
    required: ['repository', 'commit'],
  },
} as const;
const members = { projects, url: text(2000), dateStarted: moment, dateReleased: moment, commits, refs } as const;

const releaseSchema = { type: 'object', properties: members } as const;
const newReleaseSchema = {
  type: 'object',
  properties: { version: { type: 'string' }, ...members },
  required: ['version'],
} as const;
const deploySchema = {
  type: 'object',
  properties: {
    environment: { type: 'string', minLength: 1, maxLength: 64 },
    name: text(64),
    url: text(2000),
    dateStarted: moment,
    dateFinished: moment,
    projects,
  },
  required: ['environment'],
} as const;
const commitsSchema = { type: 'object', properties: { commits }, required: ['commits'] } as const;

const release = toolBody<GivenRelease>(releaseSchema);
const newRelease = toolBody<GivenRelease & { readonly version: string }>(newReleaseSchema);
const deploy = toolBody<FromSchema<typeof deploySchema>>(deploySchema);
const onlyCommits = toolBody<Pick<GivenRelease, 'commits'>>(commitsSchema);

type GivenRelease = FromSchema<typeof releaseSchema>;
type GivenCommit = NonNullable<GivenRelease['commits']>[number];

/** What a request says about a release; absent members say nothing. */
export interface ReleaseBody {
  readonly projects?: readonly (string | number)[] | null;
  readonly url?: string;
  readonly startedAt?: number;
  readonly releasedAt?: number;
  readonly refs?: readonly CommitRef[];
  readonly commits?: readonly NewCommit[];
}

export async function readNewRelease(call: ToolCall): Promise<ReleaseBody & { readonly version: string }> {
  const body = await newRelease(call);
  return { ...toRelease(body), version: body.version };
}

export async function readRelease(call: ToolCall): Promise<ReleaseBody> {
  return toRelease(await release(call));
}

export async function readCommits(call: ToolCall): Promise<{ readonly commits: readonly NewCommit[] }> {
  return { commits: toCommits((await onlyCommits(call)).commits ?? []) };
}

type DeployBody = Pick<Deploy, 'environment' | 'name' | 'url' | 'startedAt'> & {
  readonly finishedAt: number | null;
  readonly projects: readonly (string | number)[] | null;
};

export async function readDeploy(call: ToolCall): Promise<DeployBody> {
  const { environment, name, url, dateStarted, dateFinished, projects: names = null } = await deploy(call);
  return {
    environment: cleanText(environment),
    name: textOf(name, 64),
    url: textOf(url, 2000),
    startedAt: timeOf(dateStarted),
    finishedAt: timeOf(dateFinished),
    projects: names,
  };
}

function toRelease(body: GivenRelease): ReleaseBody {
  return definedMembers({
    projects: body.projects ?? undefined,
    url: present(body.url, cleanText),
    startedAt: timeOf(body.dateStarted) ?? undefined,
    releasedAt: timeOf(body.dateReleased) ?? undefined,
    refs: body.refs?.map(toRef),
    commits: present(body.commits, toCommits),
  });
}

/** Returns the result for a value that is there, else undefined. */
function present<T, R>(value: T | null | undefined, to: (value: T) => R): R | undefined {
  return value === null || value === undefined ? undefined : to(value);
}

/** Makes text of a tool fit for the store. */
const textOf = (given: string | null | undefined, max: number): string | null =>
  present(given, (text) => cutText(cleanText(text), max)) ?? null;

/** A range `first..last` names the commit before, as tools write it. */
function toRef({
  repository,
  commit: given,
  previousCommit = null,
}: NonNullable<GivenRelease['refs']>[number]): CommitRef {
  const [first = '', last] = given.split('..');
  return {
    repository: cleanText(repository),
    commit: cleanText(last ?? first),
    previousCommit: last === undefined ? previousCommit : cleanText(first),
  };
}

/** Returns those that are kept. */
const toCommits = (given: readonly GivenCommit[]): NewCommit[] => given.slice(0, MAX_COMMITS_OF_RELEASE).map(toCommit);

function toCommit({ id, repository, patch_set, ...given }: GivenCommit): NewCommit {
  const changed = patch_set ?? [];
  return {
    commit: cleanText(id),
    repository: textOf(repository, 500),
    authorName: textOf(given.author_name, 128),
    authorEmail: textOf(given.author_email, 254),
    message: textOf(given.message, 4096),
    at: timeOf(given.timestamp),
    files: changed.slice(0, MAX_FILES_OF_COMMIT).map(({ path }) => cutText(cleanText(path), MAX_PATH_LENGTH)),
    filesLeftOut: Math.max(0, changed.length - MAX_FILES_OF_COMMIT),
  };
}

/** Returns milliseconds; null for no time. */
function timeOf(given: string | null | undefined): number | null {
  const at = Date.parse(given ?? '');
  return Number.isNaN(at) || at < 0 ? null : at;
}
