import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { SourceKind } from '../../domain/imports/import.ts';
import { projectPathProblem } from '../../domain/names.ts';
import { type ChosenProject, IMPORT_PARTS, type ImportOptions, type ImportPart } from '../../import/import-run.ts';
import { surroundings } from '../call/invocation.ts';

const KINDS = ['sentry', 'glitchtip', 'urgentry', 'bugsink'] as const satisfies readonly SourceKind[];
type ReadKind = (typeof KINDS)[number];

/** Maximum of newest events per error; more cost a request each. */
const MAX_EVENTS = 100;

/** Options of all commands that read a tracker. */
export interface SourceOptions {
  readonly url?: string;
  readonly org?: string;
  readonly project?: readonly ChosenProject[];
  readonly kind: ReadKind | 'auto';
  readonly tokenFile?: string;
  readonly json?: boolean;
}

export interface ImportCommandOptions extends SourceOptions {
  readonly dryRun?: boolean;
  readonly events: number;
  readonly only?: readonly ImportPart[];
  readonly onConflict: 'owner' | 'merge';
  readonly resemblance: boolean;
  readonly bothReceive?: number;
}

/** Tracker that a command reads. */
export interface ChosenSource {
  readonly url: string;
  readonly organization: string;
  /** Null: detected. */
  readonly kind: ReadKind | null;
  readonly token: string;
}

export function withSourceOptions(command: Command): Command {
  return command
    .option('--url <url>', 'address of the tracker, as in a browser', parseUrl)
    .option('--org <slug>', 'organization there')
    .option('--project <slug[=path]>', 'only this project; path: group/name here; repeatable', collectProject)
    .addOption(new Option('--kind <kind>', 'what the tracker is').choices(['auto', ...KINDS]).default('auto'))
    .option('--token-file <file>', 'file with the token; default: the variable ERRGATE_IMPORT_TOKEN')
    .option('--json', 'print JSON');
}

function parseUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username !== '') {
    throw new InvalidArgumentError('Use an address such as https://sentry.example.com.');
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

function collectProject(value: string, before: readonly ChosenProject[] = []): readonly ChosenProject[] {
  const [slug = '', path = null, ...rest] = value.split('=');
  const problem = path === null ? null : projectPathProblem(path);
  if (slug === '' || rest.length > 0 || problem !== null) {
    throw new InvalidArgumentError(problem ?? 'Use the slug of a project, or SLUG=group/name.');
  }
  // Slugs and paths are compared without regard to case, as the import does.
  const same = (a: string | null, b: string | null): boolean => a !== null && a.toLowerCase() === b?.toLowerCase();
  if (before.some((one) => same(one.slug, slug))) {
    throw new InvalidArgumentError(`${slug} is named twice: its history goes to one project, so name it once.`);
  }
  const other = before.find((one) => same(one.path, path));
  if (other !== undefined) {
    throw new InvalidArgumentError(
      `${other.slug} goes to ${path ?? ''} already, and two histories in one project cannot be told apart: choose another path.`,
    );
  }
  return [...before, { slug, path, projectId: null }];
}

export function parseEvents(value: string): number {
  const count = /^\d{1,3}$/.test(value) ? Number(value) : -1;
  if (count >= 0 && count <= MAX_EVENTS) return count;
  throw new InvalidArgumentError(`Use a number from 0 to ${MAX_EVENTS}.`);
}

export function parseParts(value: string): ImportPart[] {
  return value.split(',').map((name) => {
    const part = IMPORT_PARTS.find((one) => one === name.trim());
    if (part === undefined) throw new InvalidArgumentError(`Use ${IMPORT_PARTS.join(', ')}, with commas between them.`);
    return part;
  });
}

/** Checks that the tracker, its organization and a token are given; else ends with wrong usage. */
export function sourceOf(command: Command, options: SourceOptions): ChosenSource {
  const { url, org, kind } = options;
  if (url === undefined) command.error("error: required option '--url <url>' not specified");
  if (org === undefined && kind !== 'bugsink') command.error("error: required option '--org <slug>' not specified");
  const token = tokenOf(command, options);
  return { url, organization: org ?? '', kind: kind === 'auto' ? null : kind, token };
}

function tokenOf(command: Command, { tokenFile }: SourceOptions): string {
  const token = (
    tokenFile === undefined ? surroundings().env['ERRGATE_IMPORT_TOKEN'] : readToken(command, tokenFile)
  )?.trim();
  if (token === undefined || token === '') {
    command.error('error: there is no token: set ERRGATE_IMPORT_TOKEN, or name a file with --token-file');
  }
  // A line break would end the header.
  if (!/^[\x21-\x7e]+$/.test(token)) command.error('error: the token has characters that no token has');
  return token;
}

function readToken(command: Command, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    return command.error(`error: the token cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export function runOptionsOf(options: ImportCommandOptions): ImportOptions {
  return {
    projects: options.project ?? null,
    only: options.only ?? null,
    eventsPerError: options.events,
    onConflict: options.onConflict,
    resemblance: options.resemblance,
    ...(options.bothReceive === undefined ? {} : { bothReceiveUntil: options.bothReceive }),
  };
}
