import { AppError } from '../../domain/app-error.ts';
import type { Advice, ConnectAnswer, ConnectQuestion } from '../../domain/ports/tracker-setup.ts';
import { activationProblems, withoutRepeats } from '../../domain/projects/settings-rules.ts';
import type { TrackingSettings } from '../../domain/projects/tracking-settings.ts';
import { buildApiUrl, parseApiUrl, sameTracker } from '../http/api-url.ts';
import type { TrackerClient } from '../http/client.ts';
import { probeServer, probeToken, type ServerFound, type TokenProbe } from '../endpoints/server.ts';
import { speaksNoTls } from '../http/network-failure.ts';
import type { TokenCipher } from '../secrets/encrypted-token.ts';
import type { TrackerAccess } from '../session.ts';
import { isMask, isToken } from '../setup/settings-draft.ts';
import { trackerDetails } from '../http/tracker-errors.ts';
import type { UrlGuard } from '../guard/url-guard.ts';
import { askTrackerWithin } from '../http/ask-within.ts';
import {
  blockedAdvice,
  closedAdvice,
  correctedAdvice,
  cutAdvice,
  failureAdvice,
  formAdvice,
  kindAdvice,
  linkAdvice,
  placed,
  scopeAdvice,
  statusAdvice,
  tokenAdvice,
  unusableAdvice,
  versionAdvice,
} from './advice.ts';
import { listAllProjects, type AllProjects } from './list-projects.ts';
import { isAsTyped, trackerAddresses } from './pasted-address.ts';

/** Total milliseconds; a user is waiting. */
const TIME_LIMIT_MS = 60_000;
/** Milliseconds for optional requests. */
const PROBE_LIMIT_MS = 4000;

export interface ConnectParts {
  readonly client: Pick<TrackerClient, 'request'>;
  readonly guard: Pick<UrlGuard, 'savedProblem' | 'refusal'>;
  readonly cipher: TokenCipher;
  /** See `TrackerAccess`. */
  readonly leftOut?: TrackerAccess['leftOut'];
  /** Aborted when the client disconnects. */
  readonly signal?: AbortSignal;
  /** Default: a minute. */
  readonly timeLimitMs?: number;
  /** Default: four seconds. */
  readonly probeLimitMs?: number;
}

const refusedWith = (refusal: string, advice: readonly Advice[] = []): ConnectAnswer => ({
  projects: null,
  account: null,
  refusal,
  advice,
});

/** Returns the entered token or, for the mask, the stored one; empty for none. */
function tokenFor(
  projectId: number,
  before: TrackingSettings | null,
  typed: string,
  address: string,
  cipher: TokenCipher,
): { readonly typed: string; readonly stored: (() => string) | null } {
  if (!isMask(typed)) return { typed, stored: null };
  const encrypted = before?.sealedToken ?? null;
  // The stored token is sent only to its own tracker.
  if (encrypted === null || !sameTracker(before?.apiUrl ?? null, apiUrlAt(address))) return { typed: '', stored: null };
  return { typed: '', stored: () => cipher.decrypt(encrypted, projectId) };
}

/** Ignores failures of optional requests. */
async function orNull<T>(probe: Promise<T | null>): Promise<T | null> {
  try {
    return await probe;
  } catch {
    return null;
  }
}

/** Address of a tracker without a project. */
const apiUrlAt = (address: string): string | null => buildApiUrl(address, 'org', 'proj');

interface Findings {
  /** Result, or the error of the tracker or network. */
  readonly listed: AllProjects | AppError;
  readonly token: TokenProbe | null;
  readonly server: ServerFound | null;
}

/** Throws errors other than `AppError`. */
async function examine(access: TrackerAccess, timeLimitMs: number, probeLimitMs: number): Promise<Findings> {
  const list = askTrackerWithin(access, timeLimitMs, listAllProjects).catch((error: unknown) => {
    if (error instanceof AppError) return error;
    throw error;
  });
  const [listed, token, server] = await Promise.all([
    list,
    orNull(askTrackerWithin(access, probeLimitMs, probeToken)),
    orNull(askTrackerWithin(access, probeLimitMs, probeServer)),
  ]);
  return { listed, token, server };
}

/** HTTP statuses of addresses that are no tracker API. */
const ELSEWHERE: ReadonlySet<number> = new Set([301, 302, 303, 307, 308, 404, 405, 410]);

/** Returns true when the address seems to be no tracker; another address of the host may be one. */
function isElsewhere({ listed }: Findings): boolean {
  if (listed instanceof AppError) return listed.code === 'tracker_invalid_answer';
  return 'refusal' in listed && (listed.refusal.isLogin === true || ELSEWHERE.has(listed.refusal.status));
}

/** Keeps the last of several pieces of advice with one code, because it knows the kind of the server. */
const withoutDoubles = (advice: readonly Advice[]): Advice[] =>
  advice.filter(
    ({ code }, index) => code !== 'not_a_tracker' || !advice.slice(index + 1).some((one) => one.code === code),
  );

function judge(
  { listed, token, server }: Findings,
  before: TrackingSettings | null,
  base: string,
  typedToken: string,
): ConnectAnswer {
  const known = [...kindAdvice(server), ...tokenAdvice(typedToken), ...versionAdvice(server)];
  if (listed instanceof AppError) {
    return refusedWith(
      trackerDetails(listed)?.webMessage ?? listed.message,
      withoutDoubles([failureAdvice(listed), ...known]),
    );
  }
  const scopes = scopeAdvice(token?.scopes ?? null);
  if ('refusal' in listed) {
    const { status } = listed.refusal;
    const why = statusAdvice(listed.refusal, listed.needed);
    // Missing scopes matter only when the token was refused.
    const lacking = status === 403 && why.code === 'scope_missing' ? scopes : [];
    return refusedWith(`Third-party response status code: ${status}`, withoutDoubles([why, ...lacking, ...known]));
  }
  const { projects, cut, closed, unusable } = listed;
  const isLinked = sameTracker(before?.apiUrl ?? null, apiUrlAt(base)) && !cut && closed.length === 0;
  return {
    projects,
    account: token?.account ?? null,
    refusal: null,
    advice: [
      ...(isLinked ? linkAdvice(before, projects) : []),
      ...(cut ? [cutAdvice(projects.length)] : []),
      ...closedAdvice(closed),
      ...unusableAdvice(unusable),
      ...known,
      ...scopes,
    ],
  };
}

const withFields = (answer: ConnectAnswer): ConnectAnswer => ({ ...answer, advice: answer.advice.map(placed) });

/** Validates the form before any request; null for a valid one. */
function formRefusal(
  address: string,
  token: string,
  hasToken: boolean,
  guard: ConnectParts['guard'],
): ConnectAnswer | null {
  const apiUrl = apiUrlAt(address);
  const addressProblem = apiUrl === null ? null : guard.savedProblem(apiUrl);
  const isUnusable = apiUrl !== null && addressProblem === null && parseApiUrl(apiUrl) === null;
  const problems = withoutRepeats([
    ...(addressProblem === null ? [] : [`Api url ${addressProblem}`]),
    ...activationProblems({ active: true, integrated: false, apiUrl, sealedToken: hasToken ? '*' : null }),
    ...(token === '' || isToken(token) ? [] : ['Token is invalid']),
    ...(isUnusable ? ['Api url is invalid'] : []),
  ]);
  if (problems.length === 0) return null;
  const blocked = apiUrl === null ? null : guard.refusal(apiUrl);
  const why = blocked === null || apiUrl === null ? null : blockedAdvice(apiUrl, blocked);
  const advice = problems.map((problem) =>
    why !== null && problem.startsWith('Api url ') ? why : formAdvice(problem),
  );
  return refusedWith(problems.join(', '), advice);
}

/** Lists the projects that a token can see, with advice on tracker and token. Saves nothing. */
export async function connectTracker(
  projectId: number,
  before: TrackingSettings | null,
  question: ConnectQuestion,
  parts: ConnectParts,
): Promise<ConnectAnswer> {
  const { client, guard, cipher, leftOut, signal, timeLimitMs = TIME_LIMIT_MS, probeLimitMs = PROBE_LIMIT_MS } = parts;
  const addresses = trackerAddresses(question.apiHost);
  const [typedAddress] = addresses;
  const { typed, stored } = tokenFor(projectId, before, question.token.trim(), typedAddress, cipher);
  const wrong = formRefusal(typedAddress, typed, typed !== '' || stored !== null, guard);
  if (wrong !== null) return withFields(wrong);

  let answer: ConnectAnswer | null = null;
  // The stored token is valid for one address only.
  for (const address of stored === null ? addresses : [typedAddress]) {
    const base = parseApiUrl(apiUrlAt(address))?.base ?? address;
    const target = { baseUrl: base, token: stored ?? (() => typed) };
    const counting = leftOut === undefined ? {} : { leftOut };
    const access = { client, target, ...counting, ...(signal === undefined ? {} : { signal }) };
    const found = await examine(access, timeLimitMs, probeLimitMs);
    const judged = judge(found, before, base, typed);
    // All addresses have one host and port, so the others fail with https in the same way. A token is never sent over
    // http unless the entered address has http: the advice is to enter that.
    if (found.listed instanceof AppError && speaksNoTls(found.listed)) {
      const value = base.replace(/^https:/, 'http:');
      return withFields({
        ...judged,
        advice: judged.advice.map((one, index) => (index === 0 ? { ...one, value } : one)),
      });
    }
    if (!isElsewhere(found)) {
      const corrected = isAsTyped(question.apiHost, base) ? [] : [correctedAdvice(base)];
      return withFields({ ...judged, advice: [...judged.advice, ...corrected] });
    }
    answer ??= judged;
  }
  return withFields(answer ?? refusedWith('Api url is invalid'));
}
