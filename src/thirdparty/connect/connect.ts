import { AppError } from '../../domain/app-error.ts';
import type { Advice, ConnectAnswer, ConnectQuestion } from '../../domain/ports/tracker-setup.ts';
import { activationProblems, withoutRepeats } from '../../domain/settings-rules.ts';
import type { TrackingSettings } from '../../domain/tracking-settings.ts';
import { buildApiUrl, parseApiUrl, sameTracker } from '../api-url.ts';
import type { TrackerClient } from '../client.ts';
import { probeToken, probeVersion } from '../endpoints/server.ts';
import type { TokenSealer } from '../sealed-token.ts';
import type { TrackerAccess } from '../session.ts';
import { isMask, isToken } from '../settings-draft.ts';
import type { UrlGuard } from '../url-guard.ts';
import { within } from '../within.ts';
import {
  blockedAdvice,
  closedAdvice,
  cutAdvice,
  failureAdvice,
  linkAdvice,
  scopeAdvice,
  statusAdvice,
  tokenAdvice,
  versionAdvice,
} from './advice.ts';
import { listAllProjects, type AllProjects } from './list-projects.ts';

/** Milliseconds for everything; a person waits in front of it. */
const TIME_LIMIT_MS = 60_000;
/** Milliseconds for what only adds to the answer. */
const PROBE_LIMIT_MS = 4000;

export interface ConnectParts {
  readonly client: Pick<TrackerClient, 'request'>;
  readonly guard: Pick<UrlGuard, 'savedProblem' | 'refusal'>;
  readonly sealer: TokenSealer;
  /** Aborted when whoever asked has gone. */
  readonly signal?: AbortSignal;
  /** Default: a minute. */
  readonly timeLimitMs?: number;
  /** Default: four seconds. */
  readonly probeLimitMs?: number;
}

const refusedWith = (refusal: string, advice: readonly Advice[] = []): ConnectAnswer => ({
  projects: null,
  refusal,
  advice,
});

/** The token as typed, or, for the mask, how to get the stored one; empty where there is none to use. */
function tokenFor(
  projectId: number,
  before: TrackingSettings | null,
  typed: string,
  apiUrl: string | null,
  sealer: TokenSealer,
): { readonly typed: string; readonly stored: (() => string) | null } {
  if (!isMask(typed)) return { typed, stored: null };
  const sealed = before?.sealedToken ?? null;
  // The stored token goes to nobody but the tracker it was stored for.
  if (sealed === null || !sameTracker(before?.apiUrl ?? null, apiUrl)) return { typed: '', stored: null };
  return { typed: '', stored: () => sealer.open(sealed, projectId) };
}

/** Probes add to the answer and never fail it. */
async function orNull<T>(probe: Promise<T | null>): Promise<T | null> {
  try {
    return await probe;
  } catch {
    return null;
  }
}

function judge(listing: AllProjects, before: TrackingSettings | null, apiUrl: string, advice: readonly Advice[]) {
  if ('refusal' in listing) {
    const { status } = listing.refusal;
    const why = statusAdvice(listing.refusal, listing.needed);
    return refusedWith(`Third-party response status code: ${status}`, [why, ...advice]);
  }
  const { projects, cut, closed } = listing;
  const linked =
    sameTracker(before?.apiUrl ?? null, apiUrl) && !cut && closed.length === 0 ? linkAdvice(before, projects) : [];
  return {
    projects,
    refusal: null,
    advice: [...linked, ...(cut ? [cutAdvice(projects.length)] : []), ...closedAdvice(closed), ...advice],
  };
}

/** Which projects a token can see at a tracker, asked live, and what to know about both. Saves nothing. */
export async function connectTracker(
  projectId: number,
  before: TrackingSettings | null,
  question: ConnectQuestion,
  parts: ConnectParts,
): Promise<ConnectAnswer> {
  const { client, guard, sealer, signal, timeLimitMs = TIME_LIMIT_MS, probeLimitMs = PROBE_LIMIT_MS } = parts;
  const apiUrl = buildApiUrl(question.apiHost, 'org', 'proj');
  const { typed, stored } = tokenFor(projectId, before, question.token.trim(), apiUrl, sealer);
  const addressProblem = apiUrl === null ? null : guard.savedProblem(apiUrl);
  const missing = activationProblems({
    active: true,
    integrated: false,
    apiUrl,
    sealedToken: typed === '' && stored === null ? null : '*',
  });
  const problems = withoutRepeats([
    ...(addressProblem === null ? [] : [`Api url ${addressProblem}`]),
    ...missing,
    ...(typed === '' || isToken(typed) ? [] : ['Token is invalid']),
  ]);
  const base = apiUrl === null ? null : (parseApiUrl(apiUrl)?.base ?? null);
  if (problems.length > 0 || base === null || apiUrl === null) {
    const blocked = apiUrl === null ? null : guard.refusal(apiUrl);
    const advice = blocked === null || apiUrl === null ? null : blockedAdvice(apiUrl, blocked);
    const words = problems.length > 0 ? problems : ['Api url is invalid'];
    return refusedWith(words.join(', '), advice === null ? [] : [advice]);
  }

  const access: TrackerAccess = {
    client,
    target: { baseUrl: base, token: stored ?? (() => typed) },
    ...(signal === undefined ? {} : { signal }),
  };
  const [listed, token, server] = await Promise.all([
    within(access, timeLimitMs, listAllProjects).catch((error: unknown) =>
      error instanceof Error ? error : new Error(String(error)),
    ),
    orNull(within(access, probeLimitMs, probeToken)),
    orNull(within(access, probeLimitMs, probeVersion)),
  ]);
  const known = [...tokenAdvice(typed), ...scopeAdvice(token?.scopes ?? null), ...versionAdvice(server)];
  if (!(listed instanceof Error)) return judge(listed, before, apiUrl, known);
  if (!(listed instanceof AppError)) throw listed;
  const spoken = listed.details?.webMessage;
  const refusal = typeof spoken === 'string' ? spoken : listed.message;
  return refusedWith(refusal, [failureAdvice(listed), ...known]);
}
