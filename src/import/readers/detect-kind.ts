import type { SourceKind } from '../../domain/imports/import.ts';
import { isRecord } from '../../lib/own-property.ts';
import { probeServer, probeToken } from '../../thirdparty/endpoints/server.ts';
import { askTrackerWithin } from '../../thirdparty/http/ask-within.ts';
import type { TrackerClient, TrackerTarget } from '../../thirdparty/http/client.ts';
import { refused } from '../../thirdparty/http/refused.ts';
import { ask } from '../../thirdparty/session.ts';
import { BUGSINK_ROOT } from './bugsink/bugsink-routes.ts';

/** Milliseconds for all requests of a detection, which are up to eleven: a tracker may take 20 s for each. */
const LIMIT_MS = 150_000;
/** Times that public pages are read until they name the kind: an outage of one must not look like another tracker. */
const PROBES = 3;

export interface DetectedKind {
  /** Null: none that can be read. */
  readonly kind: Exclude<SourceKind, 'errgate'> | null;
  /** Null when the tracker does not tell. */
  readonly version: string | null;
  /** Scopes of the token; null when the tracker does not tell them. */
  readonly scopes: readonly string[] | null;
  /** True when there is no kind because pages failed that might have told it. */
  readonly isUnsure?: boolean;
}

/**
 * Detects the kind of the tracker at an address, from its public pages, else by what the token may read there. Throws
 * AppError when the tracker does not answer or does not accept the token.
 */
export async function detectKind(
  client: Pick<TrackerClient, 'request'>,
  target: TrackerTarget,
  signal: AbortSignal,
): Promise<DetectedKind> {
  return askTrackerWithin({ client, target, signal }, LIMIT_MS, async (access) => {
    let found = await probeServer(access);
    for (let probes = 1; probes < PROBES && found?.kind === 'unknown'; probes += 1) found = await probeServer(access);
    // Throws when the tracker is away.
    const token = await probeToken(access).catch((error: unknown) => {
      if (found === null) throw error;
      return null;
    });
    const { kind = 'unknown', version = null } = found ?? {};
    if (token?.status === 401) {
      const reply = { status: 401, ok: false, body: null, link: null, detail: null };
      throw refused(reply, new URL(target.baseUrl).host, { doing: 'read anything', scope: 'org:read' });
    }
    const scopes = token?.scopes ?? null;
    if (kind !== 'unknown') return { kind, version, scopes };
    const canonical = await ask(access, { path: `${BUGSINK_ROOT}projects/` }).catch(() => null);
    if (canonical?.ok === true && isRecord(canonical.body) && Array.isArray(canonical.body.results)) {
      return { kind: 'bugsink', version: null, scopes: null };
    }
    // A failing page of one tracker must not make it another one.
    if (found === null || found.isUnsure === true) return { kind: null, version, scopes, isUnsure: true };
    // Behind a proxy that hides the public pages, scopes of a token are those of Sentry's API.
    return { kind: scopes === null ? null : 'sentry', version, scopes };
  });
}
