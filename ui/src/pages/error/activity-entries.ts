import type { ErrorAlert } from '../../api/alerts-api.ts';
import type { Activity, Note } from '../../api/triage-api.ts';
import { listed } from '../../lib/listed.ts';
import { counted } from '../../lib/numbers.ts';
import { visibleExcerpt } from '../../lib/visible-text.ts';
import { activityText, throughAgent } from './activity-text.ts';
import { factText } from './fact-text.ts';

/** Characters of a release, an environment or a destination. */
const MAX_NAME = 60;
/** Destinations that are named in one line. */
const MAX_NAMED = 2;

/** One line of what happened to an error, or a note. `at`: RFC 3339. */
export interface ActivityLine {
  readonly at: string;
  readonly text: string;
  readonly note: Note | null;
  /** Release and environment, and why nothing was reported; empty: nothing to add. */
  readonly more: string;
  /** Messages about it; their states and answers are shown on demand. */
  readonly deliveries: ErrorAlert['deliveries'];
}

type Line = Partial<ActivityLine> & Pick<ActivityLine, 'at'>;

const lineOf = (given: Line): ActivityLine => ({ text: '', note: null, more: '', deliveries: [], ...given });

const within = (...names: readonly (string | null)[]) =>
  names
    .filter((name) => name !== null)
    .map((name) => visibleExcerpt(name, MAX_NAME))
    .join(', ');

/** Says to whom a happening was reported: `Sent to Ada and #ops: New error`. */
export function alertText({ deliveries, ...fact }: Pick<ErrorAlert, 'deliveries' | 'fact' | 'cause'>): string {
  const names = deliveries.map(({ to }) => visibleExcerpt(to.name, MAX_NAME));
  const others = names.length - MAX_NAMED;
  const to = listed(others > 1 ? [...names.slice(0, MAX_NAMED), counted(others, 'other')] : names);
  const failed = deliveries.filter(({ state }) => state === 'failed' || state === 'dropped').length;
  const waiting = deliveries.filter(({ state }) => state === 'waiting' || state === 'sending').length;
  const about = `${to}: ${factText(fact)}`;
  if (failed === deliveries.length) return `Not sent to ${about}`;
  if (waiting === deliveries.length) return `To be sent to ${about}`;
  const sent = deliveries.length - failed - waiting;
  if (sent === deliveries.length) return `Sent to ${about}`;
  const parts = [[sent, 'sent'] as const, [waiting, 'to be sent'] as const, [failed, 'not sent'] as const];
  const present = parts.filter(([count]) => count > 0).map(([count, state]) => `${count} ${state}`);
  return `Alert to ${about} (${present.join(', ')})`;
}

/** Whether its deliveries are shown at once, because something may have to be done or is still to come. */
export function isUnsettled({ deliveries }: Pick<ActivityLine, 'deliveries'>): boolean {
  return deliveries.some(({ state }) => state !== 'sent');
}

/** Time of the last attempt, of the next one while a message waits. */
function timeOf({ deliveries, at }: ErrorAlert): string {
  return deliveries.map((delivery) => delivery.at).reduce((a, b) => (Date.parse(a) > Date.parse(b) ? a : b), at);
}

/**
 * Joins notes, the log and what alerts reported, newest first. What the log and alerts both tell, such as that an error
 * came back, is one line.
 */
export function activityLines(
  notes: readonly Note[],
  log: readonly Activity[],
  alerts: readonly ErrorAlert[],
): ActivityLine[] {
  const entries = log.filter(({ kind }) => kind !== 'note_added');
  const ofNotes = new Map(log.filter(({ kind }) => kind === 'note_added').map((entry) => [entry.note_id, entry]));
  const throughOf = ({ id }: Note): string => {
    const entry = ofNotes.get(id);
    return entry === undefined ? '' : throughAgent(entry);
  };
  const keyOf = (kind: string, at: string) => `${kind} ${Date.parse(at)}`;
  const reported = new Map(alerts.map((alert) => [keyOf(alert.fact, alert.at), alert]));
  const logged = new Set(entries.map(({ kind, created_at: at }) => keyOf(kind, at)));
  const oldestFirst = [...alerts].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  /** Newest alert of each reason, which tells it; the others only say that nothing was reported. */
  const telling = new Map(oldestFirst.map((alert) => [alert.silence, alert]));
  const moreOf = (alert: ErrorAlert | undefined) =>
    alert === undefined
      ? ''
      : [
          within(alert.release, alert.environment),
          alert.silence === null
            ? ''
            : `Not reported${telling.get(alert.silence) === alert ? `: ${alert.silence}` : '.'}`,
          alert.silence === null && alert.deliveries.length === 0 ? 'Not reported yet.' : '',
        ]
          .filter((text) => text !== '')
          .join('. ');
  return [
    ...notes.map((note) => lineOf({ at: note.created_at, note, more: throughOf(note) })),
    ...entries.map((entry) =>
      lineOf({
        at: entry.created_at,
        text: activityText(entry),
        more: moreOf(reported.get(keyOf(entry.kind, entry.created_at))),
      }),
    ),
    ...alerts
      .filter(({ fact, at }) => !logged.has(keyOf(fact, at)))
      .map((alert) => lineOf({ at: alert.at, text: factText(alert), more: moreOf(alert) })),
    ...alerts
      .filter(({ deliveries }) => deliveries.length > 0)
      .map((alert) => lineOf({ at: timeOf(alert), text: alertText(alert), deliveries: alert.deliveries })),
  ].sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
}
