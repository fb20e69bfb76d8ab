import { AppError } from '../../../domain/app-error.ts';
import type { NormalisedEvent } from '../../../domain/events/event.ts';
import type { ErrorBackend, IntegratedErrors } from '../../../domain/ports/error-backend.ts';
import type { Project } from '../../../domain/projects/project.ts';
import type { SearchCondition } from '../../../domain/search/search-condition.ts';
import { searchKeyEntry, searchKeyOf, type SearchKey } from '../../../domain/search/search-keys.ts';
import { isProduct } from '../../../domain/search/tag-terms.ts';
import { termSourceOf } from '../../../domain/ingest/term-source.ts';
import { MAX_FILTER_VALUES, type ErrorQuery } from '../../../domain/search/error-query.ts';
import { urlPath } from '../../../domain/url-parts.ts';
import type { ProjectCall } from '../../http/route.ts';
import type { ProjectBackend } from '../shared/project-backend.ts';

type Errors = Pick<ErrorBackend, 'list' | 'latestEvent'>;

/** Errors whose latest events are read for suggestions. */
const EVENTS_READ = 20;

const NEWEST: Omit<ErrorQuery, 'limit'> = {
  ...{ status: 'all', search: null, sort: 'last_seen', environment: null, release: null, level: null, cursor: null },
};

function textsOf(key: 'file' | 'function' | 'user', event: NormalisedEvent): readonly (string | null)[] {
  if (key === 'user') {
    const { user } = event;
    return user === null ? [] : [user.email, user.username, user.id, user.ip_address];
  }
  const { files, functions } = termSourceOf(event);
  return key === 'file' ? files : functions;
}

/** Returns the latest event; null when retention removed it, or the error was deleted meanwhile. */
async function latestEvent(errors: Errors, project: Project, errorId: string): Promise<NormalisedEvent | null> {
  try {
    return (await errors.latestEvent(project, errorId)).event as NormalisedEvent;
  } catch (error) {
    if (error instanceof AppError && (error.code === 'events_removed' || error.code === 'not_found')) return null;
    throw error;
  }
}

/**
 * Suggests values of the errors seen last: types of 100, or files, functions and users of the latest events of 20. With
 * a prefix of errors that have such a type, file or function. Values contain the prefix in any case.
 */
async function valuesOfErrors(
  errors: Errors,
  project: Project,
  key: 'type' | 'file' | 'function' | 'user',
  prefix: string,
): Promise<readonly string[]> {
  const conditions: SearchCondition[] =
    prefix.trim() === '' || key === 'user' ? [] : [{ not: false, field: key, value: prefix, match: 'prefix' }];
  const limit = key === 'type' ? MAX_FILTER_VALUES : EVENTS_READ;
  const { items } = await errors.list(project, { ...NEWEST, limit, conditions });
  const found = new Set<string>();
  for (const { id, type } of items) {
    const event = key === 'type' ? null : await latestEvent(errors, project, id);
    const texts = key === 'type' ? [type] : event === null ? [] : textsOf(key, event);
    for (const text of texts) if (text !== null && text !== '') found.add(text);
  }
  const part = prefix.toLowerCase();
  return [...found].filter((text) => text.toLowerCase().includes(part));
}

type Values = Pick<IntegratedErrors, 'filterValues' | 'tagNames' | 'tagValues'>;

async function people({ deps, project }: ProjectCall<unknown>): Promise<string[]> {
  const members = await deps.store.listMembers(project.id);
  return ['me', 'none', ...members.map(({ username }) => username)];
}

/** Values that errgate knows itself, whatever stores the errors; null: those of the errors. */
async function ownValues(call: ProjectCall<unknown>, key: SearchKey): Promise<readonly string[] | null> {
  const { kind, values } = searchKeyEntry(key);
  if (kind === 'person') return people(call);
  if (kind === 'time') return ['-1h', '-24h', '-7d', '-30d', '+7d'];
  return values ?? null;
}

/** Returns the paths of addresses, each once, by name. */
function paths(urls: readonly string[]): string[] {
  return [...new Set(urls.map(urlPath))].filter((path) => path !== null).sort();
}

async function storedValues(
  call: ProjectCall<unknown>,
  errors: Values,
  key: SearchKey,
  prefix: string,
): Promise<readonly string[]> {
  const { project } = call;
  switch (key) {
    case 'environment':
      return (await errors.filterValues(project)).environments;
    case 'release':
      return (await errors.filterValues(project)).releases;
    case 'url.host':
      return errors.tagValues(project, 'url.host', prefix, false);
    case 'url.path':
      return paths(await errors.tagValues(project, 'url', '', false));
    case 'tag':
    case 'has': {
      const equals = prefix.indexOf('=');
      if (key === 'has' || equals === -1) return errors.tagNames(project);
      const name = prefix.slice(0, equals);
      const values = await errors.tagValues(project, name, prefix.slice(equals + 1), false);
      return values.map((value) => `${name}=${value}`);
    }
    default:
      return [];
  }
}

/**
 * Suggests values of a search key, or of the tag of that name, that begin with a prefix in any case; types, files,
 * functions and users have it anywhere. Tags of products begin with names without version. At most 100.
 */
export async function suggestedValues(
  call: ProjectCall<unknown>,
  { integratedErrors: errors, backend }: Pick<ProjectBackend, 'integratedErrors' | 'backend'>,
  name: string,
  prefix: string,
): Promise<readonly string[]> {
  const key = searchKeyOf(name);
  if (errors !== null && (key === 'type' || key === 'file' || key === 'function' || key === 'user')) {
    return (await valuesOfErrors(backend, call.project, key, prefix)).slice(0, MAX_FILTER_VALUES);
  }
  if (key === undefined) return errors === null ? [] : errors.tagValues(call.project, name, prefix, isProduct(name));
  const known = (await ownValues(call, key)) ?? (errors === null ? [] : await storedValues(call, errors, key, prefix));
  const start = prefix.toLowerCase();
  return known.filter((value) => value.toLowerCase().startsWith(start)).slice(0, MAX_FILTER_VALUES);
}
