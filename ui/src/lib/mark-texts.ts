import type { TrackedError } from '../api/errors-api.ts';
import { counted } from './numbers.ts';
import { visibleExcerpt } from './visible-text.ts';

export type MarkedError = Pick<TrackedError, 'level' | 'marks' | 'integrated'>;

interface MarkText {
  readonly word: string;
  /** Since when, where and why, as a sentence without its full stop. */
  readonly hint: string;
  /** Class of the badge. */
  readonly tone: 'info' | 'warning' | 'danger' | '';
}

/** Maximum characters of a release. */
const MAX_RELEASE = 64;

const WHEN = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

type Marks = NonNullable<TrackedError['marks']>;
type Cause = NonNullable<Marks['escalating']>['cause'];

function when(at: string): string {
  return WHEN.format(new Date(at));
}

/** Says why an error escalates, as messages of alerts do: `reached 100 users`, `40 events in an hour, usually 3`. */
export function causeText({ users, spike, threshold }: Cause): string {
  if (users !== undefined) return `reached ${counted(users, 'user')}`;
  if (spike !== undefined) {
    const usual = spike.mean < 1 ? 'less than one' : Math.round(spike.mean).toLocaleString('en');
    return `${counted(spike.events, 'event')} in an hour, usually ${usual}`;
  }
  if (threshold === undefined) return 'it happens more often than before';
  return `${counted(threshold.events, 'event')} in ${counted(threshold.minutes, 'minute')}`;
}

/** What is known of a new error. External trackers have a definition of their own. */
export function newHint({ integrated }: Pick<TrackedError, 'integrated'>): string {
  return integrated ? 'First seen within the last 24 hours' : 'The external tracker calls it new';
}

/** Said where an external tracker names a mark without its time. */
export const UNKNOWN_SINCE = 'The external tracker does not say since when';

function regressedHint({ at, release }: NonNullable<Marks['regressed']>): string {
  if (at === null) return `It came back. ${UNKNOWN_SINCE}`;
  return `It came back on ${when(at)}${release === null ? '' : ` in ${visibleExcerpt(release, MAX_RELEASE)}`}`;
}

function escalatingHint({ at, cause }: NonNullable<Marks['escalating']>): string {
  return at === null ? `It happens more often than before. ${UNKNOWN_SINCE}` : `Since ${when(at)}: ${causeText(cause)}`;
}

/** Says what a condition has ended: `Ignored until 3 events`. */
export function unmutedText({ at, reason, count }: NonNullable<Marks['unmuted']>): string {
  if (reason === 'events' && count !== null) return `Ignored until ${counted(count, 'event')}`;
  if (reason === 'users' && count !== null) return `Ignored until ${counted(count, 'user')}`;
  return reason === 'until' ? `Ignored until ${when(at)}` : 'No longer ignored';
}

export function unmutedHint({ at }: NonNullable<Marks['unmuted']>): string {
  return `This came true on ${when(at)}. The error is unresolved since then, and nobody has reviewed it yet`;
}

/** Marks of an error in the order of their weight. Of external trackers some report none but the level. */
export function marksOf({ level, marks, integrated }: MarkedError): readonly MarkText[] {
  const found: MarkText[] = [];
  if (marks !== null) {
    const { regressed, escalating, unmuted } = marks;
    if (regressed !== null) found.push({ word: 'Regressed', hint: regressedHint(regressed), tone: 'warning' });
    if (escalating !== null) found.push({ word: 'Escalating', hint: escalatingHint(escalating), tone: 'danger' });
    if (unmuted !== null) found.push({ word: unmutedText(unmuted), hint: unmutedHint(unmuted), tone: 'warning' });
    if (marks.new) found.push({ word: 'New', hint: newHint({ integrated }), tone: 'info' });
  }
  if (level === 'fatal') found.push({ word: 'Fatal', hint: 'Its level is fatal', tone: 'danger' });
  if (marks?.unhandled === true) {
    found.push({ word: 'Unhandled', hint: 'The program did not catch it', tone: '' });
  }
  return found;
}
