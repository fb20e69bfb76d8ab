import { AppError } from '../../domain/app-error.ts';
import type { SourceKind } from '../../domain/imports/import.ts';
import type { Sleep } from '../../lib/back-off.ts';
import type { TrackerReader } from '../tracker-reader.ts';
import { BugsinkReader } from './bugsink/bugsink-reader.ts';
import { detectKind } from './detect-kind.ts';
import { createImportClient, type ImportClientDeps } from './access/import-client.ts';
import { PatientAsker, type ReadTrouble } from './access/patient-asker.ts';
import { Sentences, type SourceAccess } from './access/source-access.ts';
import { TrackerApiReader } from './tracker-api-reader.ts';

export interface ReaderDeps extends ImportClientDeps {
  /** Waits for the turn of each request; default: none. */
  readonly pace?: (signal: AbortSignal) => Promise<void>;
  /** Default: timers. */
  readonly sleep?: Sleep;
  /** Called when requests wait for the tracker, and with null when it answers again. */
  readonly onTrouble?: (trouble: ReadTrouble | null) => void;
}

export interface ReaderSource {
  /** Scheme, host, port and sub-path of the tracker; no trailing slash. */
  readonly url: string;
  /** Slug; ignored for Bugsink, which has none. */
  readonly organization: string;
  /** Decrypts the token; called for each request. */
  readonly token: () => string | null;
  /** Null: detected. */
  readonly kind: SourceKind | null;
  /** Ids of projects by slug, from an earlier run: finds those that were renamed since. */
  readonly projectIds?: ReadonlyMap<string, string>;
}

/** What an import lacks without a scope; the tracker does the same with the wider ones. */
const SCOPES: readonly (readonly [scope: string, lack: string])[] = [
  ['org:read', 'projects in which the owner of the token is no member'],
  ['project:read', 'keys, and events as they were sent'],
  ['event:read', 'errors and their events'],
];

function missingScopes(scopes: readonly string[] | null): string[] {
  if (scopes === null) return [];
  const has = (scope: string): boolean => {
    const [thing = ''] = scope.split(':');
    return scopes.some((one) => one === scope || one === `${thing}:write` || one === `${thing}:admin`);
  };
  return SCOPES.filter(([scope]) => !has(scope)).map(([scope, lack]) => `${lack}: the token lacks the scope ${scope}`);
}

/**
 * Opens a reader for an organization of a tracker; `close` ends its connections. Throws AppError: `bad_request` for an
 * address without a known tracker, else as `detectKind`.
 */
export async function openReader(deps: ReaderDeps, source: ReaderSource, signal: AbortSignal): Promise<TrackerReader> {
  const client = createImportClient(deps);
  const target = { baseUrl: source.url, token: source.token };
  try {
    const found = await detectKind(client, target, signal);
    const kind = source.kind ?? found.kind;
    if (kind === null || kind === 'errgate') {
      const { host } = new URL(source.url);
      if (found.isUnsure === true) {
        const what = `${host} failed to answer what kind of tracker it is: run the import again, or name it with --kind`;
        throw new AppError('tracker_unreachable', what);
      }
      throw new AppError(
        'bad_request',
        `no tracker that can be imported answers at ${host}: name its kind, or check the address`,
      );
    }
    const { clock, pace, sleep, onTrouble } = deps;
    const asker = new PatientAsker({
      ...{ client, target, clock },
      ...(pace === undefined ? {} : { pace }),
      ...(sleep === undefined ? {} : { sleep }),
      ...(onTrouble === undefined ? {} : { onTrouble }),
    });
    const { url: baseUrl, organization } = source;
    const cannot = new Sentences();
    const lacks = { projects: new Sentences(), events: new Sentences() };
    if (kind !== 'bugsink') for (const sentence of missingScopes(found.scopes)) cannot.add(sentence);
    const access: SourceAccess = { asker, baseUrl, organization, clock, cannot, lacks };
    const close = (): void => client.close();
    const version = found.kind === kind ? found.version : null;
    if (kind === 'bugsink') return new BugsinkReader(access, { version, close });
    return new TrackerApiReader(access, { kind, version, projectIds: source.projectIds ?? new Map(), close });
  } catch (error) {
    client.close();
    throw error;
  }
}
