import { readDsnId } from '../../domain/projects/dsn.ts';

export interface IngestTarget {
  readonly kind: 'envelope' | 'store';
  /** Id in the address, as `readDsnId` returns it: a project's own or an alias. Null when no project can have it. */
  readonly dsnId: string | null;
}

/** Returns the target of an ingestion path; null for other paths. Must be cheap, because it runs for every request. */
export type IngestPathMatcher = (path: string) => IngestTarget | null;

/**
 * Creates the matcher of both address forms: `/errortracking/api/v1/projects/api/:id/…` of errgate's DSNs and
 * `/api/:id/…` of migrated DSNs. Both match with and without the external URL's sub-path, and with and without a final
 * slash. Repeated slashes count as one. `/api/v4/…` never counts as a migrated DSN. A redirect instead would lose
 * events: SDKs do not follow it.
 */
export function ingestPathMatcher(basePath: string): IngestPathMatcher {
  const base = basePath
    .split('/')
    .filter((part) => part !== '')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('/+');
  const prefix = base === '' ? '' : `(?:/+${base})?`;
  const pattern = new RegExp(`^${prefix}(/+errortracking/+api/+v1/+projects)?/+api/+([^/]+)/+(envelope|store)/*$`);
  return (path) => {
    const match = pattern.exec(path);
    if (match === null) return null;
    const [, ownForm, id = '', kind] = match;
    if (ownForm === undefined && API_VERSION.test(id)) return null;
    return { kind: kind === 'store' ? 'store' : 'envelope', dsnId: readDsnId(id) };
  };
}

const API_VERSION = /^v\d+$/;
