import { type FactKind, FACT_KINDS } from '../domain/alerts/alert-fact.ts';
import type { FactCause } from '../domain/errors/fact-cause.ts';
import {
  type AlertMessage,
  type FactCounts,
  type NamedError,
  type ProjectPart,
  totalCounts,
} from '../domain/alerts/alert-message.ts';
import type { UnmuteReason } from '../domain/errors/error-state.ts';
import { LEVELS, type Level } from '../domain/events/event.ts';
import { MAX_DETAIL, MAX_MESSAGE, MAX_NOTE, MAX_TITLE, plainText } from './event-text.ts';

/** What one named error says, in one line each. Title, message and places are text of events, as `plainText`. */
export interface ErrorWords {
  readonly kind: FactKind;
  /** `New error`, `Regressed`, … */
  readonly label: string;
  /** Why, `reached 1,000 users`; null: the label says all. */
  readonly reason: string | null;
  readonly title: string;
  /** Null: none, or the title has it. */
  readonly message: string | null;
  /** `41 events, 7 users` */
  readonly size: string;
  /** Environment, release and culprit, as far as they are known; the release only if the part has another or none. */
  readonly places: readonly string[];
  readonly level: Level | null;
  /** Page of the error. */
  readonly url: string;
}

/** What a message says about one project. */
export interface PartWords {
  /** `1,000 new errors in group/shop` */
  readonly headline: string;
  /** Release of most facts, as `plainText`; null: several, or none. */
  readonly release: string | null;
  readonly errors: readonly ErrorWords[];
  /** All facts of the part. */
  readonly total: number;
  /** List of all errors of the part. */
  readonly url: string;
}

/** A message in words, before a channel gives it its form. Nothing in it is markup. */
export interface MessageWords {
  /** One line for a subject or notification; begins with the project where one error is all. */
  readonly subject: string;
  /** The same numbers as the subject. */
  readonly headline: string;
  /** Sentence of tests, heartbeats and troubles; null: the parts say all. */
  readonly note: string | null;
  /** `24 Nov 2026, 04:18 to 04:20 UTC`; null without facts. */
  readonly period: string | null;
  readonly parts: readonly PartWords[];
  /** The worst level of the named errors; null: none has one. */
  readonly level: Level | null;
}

const REPEAT = 'May be a repeat: an earlier attempt to send this message got no answer.';

/** Returns the note for receivers that cannot tell repeats by an id; null for a first attempt. */
export function repeatNote(mayRepeat: boolean): string | null {
  return mayRepeat ? REPEAT : null;
}

const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** `1 user`, `1,000 users` */
function amount(count: number, one: string, many = `${one}s`): string {
  return `${numbers.format(count)} ${count === 1 ? one : many}`;
}

/** Adjective before or after the noun, for each kind. */
const KIND_WORDS: Readonly<Record<FactKind, { readonly label: string; count(count: number, noun: boolean): string }>> =
  {
    new: { label: 'New error', count: (n, noun) => (noun ? amount(n, 'new error') : `${numbers.format(n)} new`) },
    regressed: {
      label: 'Regressed',
      count: (n, noun) => (noun ? amount(n, 'regressed error') : `${numbers.format(n)} regressed`),
    },
    escalated: {
      label: 'Escalated',
      count: (n, noun) => (noun ? amount(n, 'escalated error') : `${numbers.format(n)} escalated`),
    },
    unmuted: {
      label: 'No longer ignored',
      count: (n, noun) => `${noun ? amount(n, 'error') : numbers.format(n)} no longer ignored`,
    },
  };

function joined(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
}

/** `1,000 new errors, 2 regressed and 1 escalated` */
function countsInWords(counts: FactCounts): string {
  const present = FACT_KINDS.filter((kind) => counts[kind] > 0);
  return present.length === 0
    ? 'No errors'
    : joined(present.map((kind, at) => KIND_WORDS[kind].count(counts[kind], at === 0)));
}

function sumOf(counts: FactCounts): number {
  return FACT_KINDS.reduce((sum, kind) => sum + counts[kind], 0);
}

const UNMUTED_BY: Readonly<Record<UnmuteReason, string>> = {
  until: 'its time is over',
  events: 'it happened often enough',
  users: 'it affects enough users',
};

/** Returns why an error is reported, as a clause; null for new ones. */
function reasonOf(kind: FactKind, { users, spike, threshold, reason }: FactCause): string | null {
  if (kind === 'regressed') return 'was resolved and came back';
  if (reason !== undefined) return UNMUTED_BY[reason];
  if (users !== undefined) return `reached ${amount(users, 'user')}`;
  if (spike !== undefined) {
    const usual = spike.mean < 1 ? 'less than one' : numbers.format(spike.mean);
    return `${amount(spike.events, 'event')} in an hour, usually ${usual}`;
  }
  if (threshold === undefined) return null;
  const { events, minutes } = threshold;
  return `${amount(events, 'event')} in ${minutes === 1 ? 'a minute' : amount(minutes, 'minute')}`;
}

function errorWords(
  { fact, cause, release, environment, error, url }: NamedError,
  releaseOfPart: string | null,
): ErrorWords {
  const title = plainText(error.title, MAX_TITLE);
  const message = error.message === null || error.message.trim() === '' ? null : plainText(error.message, MAX_MESSAGE);
  const size = [amount(error.count, 'event'), ...(error.userCount === null ? [] : [amount(error.userCount, 'user')])];
  return {
    kind: fact,
    label: KIND_WORDS[fact].label,
    reason: reasonOf(fact, cause),
    title,
    // Titles are made of type and message, so a short message is there already.
    message: message !== null && title.endsWith(message) ? null : message,
    size: size.join(', '),
    places: [environment, release === releaseOfPart ? null : release, error.culprit].flatMap((text) =>
      text === null || text.trim() === '' ? [] : [plainText(text, MAX_DETAIL)],
    ),
    level: error.level,
    url,
  };
}

function partWords(part: ProjectPart): PartWords {
  return {
    headline: `${countsInWords(part.counts)} in ${part.project.path}`,
    release: part.release === null ? null : plainText(part.release, MAX_DETAIL),
    errors: part.errors.map((named) => errorWords(named, part.release)),
    total: sumOf(part.counts),
    url: part.url,
  };
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

/** `24 Nov 2026, 04:18 to 04:20 UTC` */
function periodInWords(since: number, until: number): string {
  const [fromDay, untilDay] = [day.format(since), day.format(until)];
  const [from, to] = [time.format(since), time.format(until)];
  if (fromDay !== untilDay) return `${fromDay}, ${from} to ${untilDay}, ${to} UTC`;
  return from === to ? `${fromDay}, ${from} UTC` : `${fromDay}, ${from} to ${to} UTC`;
}

function worstLevel(parts: readonly PartWords[]): Level | null {
  const present = new Set(parts.flatMap(({ errors }) => errors.map(({ level }) => level)));
  return LEVELS.find((level) => present.has(level)) ?? null;
}

function place(parts: AlertMessage['parts']): string {
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only.project.path : amount(parts.length, 'project');
}

/** Returns the only error of a message that is about a single one; else null. */
export function singleError({ parts }: MessageWords): ErrorWords | null {
  const [part] = parts;
  return parts.length === 1 && part?.total === 1 ? (part.errors[0] ?? null) : null;
}

function factsInWords(message: AlertMessage): MessageWords {
  const headline = `${countsInWords(totalCounts(message.parts))} in ${place(message.parts)}`;
  const parts = message.parts.map(partWords);
  const period = periodInWords(message.since, message.until);
  const words = { subject: headline, headline, note: null, period, parts, level: worstLevel(parts) };
  const single = singleError(words);
  if (single !== null) return { ...words, subject: `[${place(message.parts)}] ${single.label}: ${single.title}` };
  const release = parts.length === 1 ? (parts[0]?.release ?? null) : null;
  return release === null ? words : { ...words, subject: `${headline} (${release})` };
}

const NOTES: Readonly<Record<Exclude<AlertMessage['kind'], 'facts'>, string>> = {
  test: 'Test message',
  heartbeat: 'All is well',
  trouble: 'Alerts do not arrive',
};

/** Puts a message in words. */
export function messageWords(message: AlertMessage): MessageWords {
  if (message.kind === 'facts') return factsInWords(message);
  const where = message.parts.length === 0 ? 'errgate' : place(message.parts);
  const headline = `${NOTES[message.kind]}: ${where}`;
  const sentence = message.kind === 'test' ? `This is a test: alerts of ${where} arrive here.` : '';
  const note = plainText(message.note === '' ? sentence : message.note, MAX_NOTE);
  // Parts without facts name only the projects, which the headline does.
  const parts = message.parts.filter(({ counts }) => sumOf(counts) > 0).map(partWords);
  return {
    subject: `[${where}] ${NOTES[message.kind]}`,
    headline,
    note,
    period: null,
    parts,
    level: worstLevel(parts),
  };
}

/** `and 990 more`: how many facts a message does not name; null: none. `named`: the number that it does. */
export function moreInWords({ total }: PartWords, named: number): string | null {
  return total > named ? `and ${numbers.format(total - named)} more` : null;
}
