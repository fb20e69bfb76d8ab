import type { DigestedSession, SessionSums, SessionUpdate } from '../../../domain/releases/session.ts';
import { NO_SESSIONS, ownScope, scopesOf, sessionHour, type ReleaseFold } from '../../releases/fold-releases.ts';
import { countsOfSum, CRASHED, endCode, endCounts, type SessionOutcome } from '../../releases/session-outcomes.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { ReleaseRows } from './release-rows.ts';

/**
 * Counts one item. Of a session, counts that it was seen, that it had errors and how it ended, each once. Updates may
 * come repeatedly and in any order. Release and environment are those of the first update.
 */
export function addSession(
  db: SqliteDatabase,
  session: DigestedSession,
  releases: ReleaseRows,
  fold: ReleaseFold,
): SessionOutcome {
  if (session.kind === 'sums') {
    addSums(db, session, releases, fold);
    return 'accepted';
  }
  return addUpdate(db, session, releases, fold);
}

function addUpdate(
  db: SqliteDatabase,
  session: SessionUpdate,
  releases: ReleaseRows,
  fold: ReleaseFold,
): SessionOutcome {
  const { projectId, errored } = session;
  const id = Buffer.from(session.sessionId, 'hex');
  const own = ownScope(session);
  const known = db.get(
    `SELECT s.hour, s.errored, s.ended, r.environment, r.release FROM sessions s JOIN releases r ON r.id = s.release_id
      WHERE s.project_id = ? AND s.session_id = ?`,
    projectId,
    id,
  );
  if (known !== undefined && (known.environment !== own.environment || known.release !== own.release)) {
    return 'session_changed';
  }
  const hour = (known?.hour ?? sessionHour(session.startedAt)) as number;
  const endedBefore = (known?.ended ?? 0) as number;
  const ended = endedBefore === 0 ? endCode(session.end) : endedBefore;
  const nowErrored = errored && known?.errored !== 1;
  if (known === undefined) {
    // A row of a removed release counts as missing.
    db.run(
      'INSERT OR REPLACE INTO sessions (project_id, session_id, release_id, hour, errored, ended) VALUES (?, ?, ?, ?, ?, ?)',
      ...[projectId, id, releases.idOf(own), hour, Number(errored), ended],
    );
  } else if (nowErrored || ended !== endedBefore) {
    db.run(
      'UPDATE sessions SET errored = max(errored, ?), ended = ? WHERE project_id = ? AND session_id = ?',
      ...[Number(errored), ended, projectId, id],
    );
  }
  fold.see(session, session.startedAt, session.at);
  fold.addSessions(session, hour, {
    ...(ended === endedBefore ? NO_SESSIONS : endCounts(ended)),
    sessions: known === undefined ? 1 : 0,
    errored: nowErrored ? 1 : 0,
  });
  addUser(db, session, session.userHash, session.end === 'crashed' && ended === CRASHED, releases, fold);
  return 'accepted';
}

function addSums(db: SqliteDatabase, session: SessionSums, releases: ReleaseRows, fold: ReleaseFold): void {
  for (const sum of session.sums) {
    fold.see(session, sum.startedAt, sum.startedAt);
    fold.addSessions(session, sessionHour(sum.startedAt), countsOfSum(sum));
    addUser(db, session, sum.userHash, sum.crashed > 0, releases, fold);
  }
}

function addUser(
  db: SqliteDatabase,
  { projectId, release, environment }: DigestedSession,
  userHash: string | null,
  crashed: boolean,
  releases: ReleaseRows,
  fold: ReleaseFold,
): void {
  if (userHash === null) {
    return;
  }
  const user = Buffer.from(userHash, 'hex');
  for (const scope of scopesOf(projectId, release, environment)) {
    const id = releases.idOf(scope);
    const known = db.get('SELECT crashed FROM release_users WHERE release_id = ? AND user_hash = ?', id, user);
    if (known === undefined) {
      fold.addUser(scope, false);
    }
    if (crashed && known?.crashed !== 1) {
      fold.addUser(scope, true);
    }
    if (known === undefined || (crashed && known.crashed !== 1)) {
      db.run(
        'INSERT OR REPLACE INTO release_users (release_id, user_hash, crashed) VALUES (?, ?, ?)',
        ...[id, user, Number(crashed)],
      );
    }
  }
}
