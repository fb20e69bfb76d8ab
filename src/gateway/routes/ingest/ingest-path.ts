export interface IngestTarget {
  readonly kind: 'envelope' | 'store';
  /** As it stands in the address: a project's own id or an alias. Null when no project can have it. */
  readonly projectId: number | null;
}

/** Decides whether a path is one of the ingestion routes; null: not ours. Cheap, it runs for every request. */
export type IngestPathMatcher = (path: string) => IngestTarget | null;

/**
 * Both forms of the address (`/errortracking/api/v1/projects/api/:id/…` of our DSNs and `/api/:id/…` of
 * DSNs brought along), with and without the external URL's sub-path, with and without a last slash;
 * repeated slashes count as one. `/api/v4/…` is never taken for a DSN brought along. A redirect instead would lose events: SDKs do not follow it.
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
    return { kind: kind === 'store' ? 'store' : 'envelope', projectId: readId(id) };
  };
}

const API_VERSION = /^v\d+$/;

function readId(text: string): number | null {
  const id = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(id) ? id : null;
}
