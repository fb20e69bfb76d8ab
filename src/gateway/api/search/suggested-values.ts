import type { IntegratedErrors } from '../../../domain/ports/error-backend.ts';
import { searchKeyEntry, searchKeyOf, type SearchKey } from '../../../domain/search-keys.ts';
import { urlPath } from '../../../domain/url-parts.ts';
import { isProduct } from '../../../domain/tag-terms.ts';
import { MAX_FILTER_VALUES } from '../../../domain/tracked-error.ts';
import type { ProjectCall } from '../../http/route.ts';
import type { TrackedProject } from '../shared/project-backend.ts';
import { valuesOfErrors } from './values-of-errors.ts';

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
export async function searchValues(
  call: ProjectCall<unknown>,
  { integratedErrors: errors, backend }: Pick<TrackedProject, 'integratedErrors' | 'backend'>,
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
