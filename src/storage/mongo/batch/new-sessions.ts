import type { OutcomeCount } from '../../../domain/ingest/digest.ts';
import type { DigestedSession, SessionUpdate } from '../../../domain/releases/session.ts';
import {
  NO_SESSIONS,
  ownScope,
  scopesOf,
  sessionHour,
  type ReleaseFold,
  type ReleaseScope,
} from '../../releases/fold-releases.ts';
import { countsOfSum, CRASHED, endCode, endCounts, sessionOutcome } from '../../releases/session-outcomes.ts';
import {
  releaseUserKey,
  scopeBinary,
  sessionRowKey,
  type ReleaseUserDocument,
  type SessionRowDocument,
  type SessionRowKind,
} from '../documents/release-documents.ts';
import { claimRows, hex, type MarkedRow, type RowOwners } from './marked-rows.ts';
import type { TakeOptions } from './new-events.ts';

/** Row as stored, row as this batch would create it, and whether this batch counts it. */
interface Claimed<T> {
  readonly row: T;
  readonly given: T;
  readonly mine: boolean;
}

/**
 * Counts the batch's sessions into `fold`. A session gets a row each for seen, errors and end. The batch that creates a
 * row counts it, so that repeats and updates in any order count once. Release, environment and hour are those of the
 * first update. Returns an outcome per item.
 */
export async function takeSessions(
  sessions: readonly DigestedSession[],
  projects: ReadonlySet<number>,
  fold: ReleaseFold,
  options: TakeOptions,
): Promise<OutcomeCount[]> {
  const outcomes: OutcomeCount[] = [];
  const here = sessions.filter(({ projectId }) => projects.has(projectId));
  const seen = await claimSeen(here.filter(isUpdate), options);
  const fitting: DigestedSession[] = [];
  for (const session of sessions) {
    const known = projects.has(session.projectId);
    const fits = known && (!isUpdate(session) || fitsTo(session, seen));
    outcomes.push(sessionOutcome(session, fits ? 'accepted' : known ? 'session_changed' : 'project_deleted'));
    if (fits) {
      fitting.push(session);
      see(session, fold);
    }
  }
  const updates = fitting.filter(isUpdate);
  const later = await claimLater(updates, seen, options);
  countUpdates(updates, seen, later, fold);
  await takeUsers(fitting, later, fold, options);
  return outcomes;
}

function isUpdate(session: DigestedSession): session is SessionUpdate {
  return session.kind === 'update';
}

type SessionRows = ReadonlyMap<string, Claimed<SessionRowDocument>>;

function claimSeen(updates: readonly SessionUpdate[], options: TakeOptions): Promise<SessionRows> {
  const rows = new Map<string, SessionRowDocument>();
  for (const update of updates) {
    addRow(rows, update, 'seen', sessionHour(update.startedAt), 0, options);
  }
  return claim(rows, true, options);
}

/** Returns true when an update agrees with the first update of its session. */
function fitsTo(update: SessionUpdate, seen: SessionRows): boolean {
  const known = seen.get(nameOf(update, 'seen'));
  // A row of this batch may come from an earlier version of the program; this version's reading of it counts.
  const first = known?.mine === true ? known.given : known?.row;
  return first !== undefined && hex(first.k) === hex(scopeBinary(ownScope(update)));
}

function claimLater(updates: readonly SessionUpdate[], seen: SessionRows, options: TakeOptions): Promise<SessionRows> {
  const rows = new Map<string, SessionRowDocument>();
  for (const update of updates) {
    const hour = seen.get(nameOf(update, 'seen'))?.row.hr ?? sessionHour(update.startedAt);
    if (update.errored) {
      addRow(rows, update, 'errored', hour, 0, options);
    }
    if (update.end !== null) {
      addRow(rows, update, 'ended', hour, endCode(update.end), options);
    }
  }
  return claim(rows, false, options);
}

/** Adds a row; the first of a session in the batch counts for all. */
function addRow(
  rows: Map<string, SessionRowDocument>,
  update: SessionUpdate,
  kind: SessionRowKind,
  hr: number,
  t: number,
  { claim: { slot, n } }: TakeOptions,
): void {
  const _id = sessionRowKey(update.projectId, update.sessionId, kind);
  if (!rows.has(hex(_id))) {
    rows.set(hex(_id), { _id, p: update.projectId, hr, k: scopeBinary(ownScope(update)), t, s: slot, n });
  }
}

function countUpdates(
  updates: readonly SessionUpdate[],
  seen: SessionRows,
  later: SessionRows,
  fold: ReleaseFold,
): void {
  const counted = new Set<string>();
  for (const update of updates) {
    for (const kind of ['seen', 'errored', 'ended'] as const) {
      const name = nameOf(update, kind);
      const known = (kind === 'seen' ? seen : later).get(name);
      if (known?.mine !== true || counted.has(name)) {
        continue;
      }
      counted.add(name);
      const counts = kind === 'ended' ? endCounts(known.row.t) : NO_SESSIONS;
      fold.addSessions(update, known.row.hr, {
        ...counts,
        sessions: kind === 'seen' ? 1 : 0,
        errored: kind === 'errored' ? 1 : 0,
      });
    }
  }
}

function see(session: DigestedSession, fold: ReleaseFold): void {
  if (isUpdate(session)) {
    fold.see(session, session.startedAt, session.at);
    return;
  }
  for (const sum of session.sums) {
    fold.see(session, sum.startedAt, sum.startedAt);
    fold.addSessions(session, sessionHour(sum.startedAt), countsOfSum(sum));
  }
}

interface UserClaim {
  readonly scope: ReleaseScope;
  readonly crashed: boolean;
  readonly row: ReleaseUserDocument;
}

async function takeUsers(
  sessions: readonly DigestedSession[],
  later: SessionRows,
  fold: ReleaseFold,
  options: TakeOptions,
): Promise<void> {
  const claims = new Map<string, UserClaim>();
  for (const session of sessions) {
    for (const { userHash, crashed } of usersOf(session, later)) {
      for (const scope of scopesOf(session.projectId, session.release, session.environment)) {
        addUser(claims, scope, userHash, false, options);
        if (crashed) {
          addUser(claims, scope, userHash, true, options);
        }
      }
    }
  }
  const rows = new Map([...claims].map(([name, { row }]) => [name, row]));
  for (const [name, { mine }] of await claim(rows, true, options)) {
    const known = claims.get(name);
    if (mine && known !== undefined) {
      fold.addUser(known.scope, known.crashed);
    }
  }
}

/** Returns the users of a session. The final end of the session decides about a crash. */
function* usersOf(session: DigestedSession, later: SessionRows): Generator<{ userHash: string; crashed: boolean }> {
  if (!isUpdate(session)) {
    for (const { userHash, crashed } of session.sums) {
      if (userHash !== null) {
        yield { userHash, crashed: crashed > 0 };
      }
    }
  } else if (session.userHash !== null) {
    const crashed = session.end === 'crashed' && later.get(nameOf(session, 'ended'))?.row.t === CRASHED;
    yield { userHash: session.userHash, crashed };
  }
}

function addUser(
  claims: Map<string, UserClaim>,
  scope: ReleaseScope,
  userHash: string,
  crashed: boolean,
  { claim: { slot, n } }: TakeOptions,
): void {
  const _id = releaseUserKey(scope, userHash, crashed);
  if (!claims.has(hex(_id))) {
    claims.set(hex(_id), { scope, crashed, row: { _id, p: scope.projectId, s: slot, n } });
  }
}

function nameOf({ projectId, sessionId }: SessionUpdate, kind: SessionRowKind): string {
  return hex(sessionRowKey(projectId, sessionId, kind));
}

/** Creates missing rows, and reads existing ones. */
async function claim<T extends MarkedRow>(
  rows: ReadonlyMap<string, T>,
  lookFirst: boolean,
  { collections, claim: batch, slots }: TakeOptions,
): Promise<ReadonlyMap<string, Claimed<T>>> {
  const others = new Map<string, T>();
  const [first] = rows.values();
  const isSession = first !== undefined && 'hr' in first;
  const owners: RowOwners<T> = await claimRows(
    isSession ? collections.sessionRows : collections.releaseUsers,
    [...rows.values()],
    {
      claim: batch,
      slots,
      projection: isSession ? { p: 1, hr: 1, k: 1, t: 1, s: 1, n: 1 } : { p: 1, s: 1, n: 1 },
      lookFirst,
      others,
    },
  );
  const claimed = new Map<string, Claimed<T>>();
  for (const [name, row] of rows) {
    const owner = owners.get(name);
    if (owner === 'inserted') {
      claimed.set(name, { row, given: row, mine: true });
    } else if (owner !== undefined) {
      const stored = owner === 'other' ? (others.get(name) ?? row) : owner;
      claimed.set(name, { row: stored, given: row, mine: owner !== 'other' });
    }
  }
  return claimed;
}
