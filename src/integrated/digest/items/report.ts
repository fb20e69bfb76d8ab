import { createHash } from 'node:crypto';
import type { UserReport } from '../../../domain/events/user-report.ts';
import { isRecord } from '../../../lib/own-property.ts';
import { normaliseEventId } from '../../intake/read/event-id.ts';
import type { JournalRecord } from '../../intake/journal-record.ts';
import type { DigestedItem } from '../digested-record.ts';
import type { DigestDeps } from '../digest-deps.ts';
import { rawText } from '../normalise/bounds/lenient-text.ts';
import { TEXT } from '../normalise/bounds/limits.ts';
import { normaliseEvent } from '../normalise/normalise-event.ts';
import { Notes } from '../normalise/bounds/notes.ts';
import { hideKeys } from '../scrub/hide-keys.ts';

/** Maximum characters of the comments of a report. */
const COMMENTS = { max: 4096, tolerance: 0 };
const ID_DIGITS = 32;

/** Digests a user report; else returns the reason why it is not stored. */
export function digestReport(
  deps: Pick<DigestDeps, 'scrubberFor' | 'projectPath' | 'inApp'>,
  record: JournalRecord,
  kind: UserReport['kind'],
  raw: Record<string, unknown>,
): DigestedItem | 'no_event' | 'empty_report' {
  const { projectId, keyId, receivedAt } = record;
  const given = kind === 'feedback' ? feedbackOf(raw) : raw;
  const about = kind === 'feedback' ? given.associated_event_id : (given.event_id ?? record.eventId);
  const eventId = normaliseEventId(about);
  const notes = new Notes();
  const text = {
    name: rawText(given.name, TEXT.userText, notes, 'name'),
    email: rawText(given.contact_email ?? given.email, TEXT.email, notes, 'email'),
    comments: rawText(given.message ?? given.comments, COMMENTS, notes, 'comments'),
    url: rawText(given.url, TEXT.url, notes, 'url'),
  };
  if (text.name === null && text.email === null && text.comments === null) {
    return 'empty_report';
  }
  if (eventId === null) {
    return 'no_event';
  }
  const own = kind === 'feedback' ? (normaliseEventId(raw.event_id) ?? record.eventId) : null;
  const content = JSON.stringify([eventId, kind, text.name, text.email, text.comments, text.url]);
  const id = own ?? createHash('sha256').update(content).digest('hex').slice(0, ID_DIGITS);
  const report = { id, kind, ...scrubbed(deps, record, text), receivedAt };
  return { outcome: null, report: { projectId, keyId, eventId, report } };
}

function feedbackOf(raw: Record<string, unknown>): Record<string, unknown> {
  const contexts = isRecord(raw.contexts) ? raw.contexts : {};
  return isRecord(contexts.feedback) ? contexts.feedback : {};
}

type ReportText = Pick<UserReport, 'name' | 'email' | 'comments' | 'url'>;

/** Scrubs a report like the extra data of an event. The mail address stays readable, for replies. */
function scrubbed(
  deps: Pick<DigestDeps, 'scrubberFor' | 'projectPath' | 'inApp'>,
  record: JournalRecord,
  text: ReportText,
): ReportText {
  const { projectId, receivedAt } = record;
  const { email, ...others } = text;
  const origin = { eventId: '', receivedAt, sentAt: null, clientIp: null };
  const result = normaliseEvent({ extra: others }, origin, deps.inApp);
  if (result.kind !== 'event') {
    throw new Error('an event without a type is one');
  }
  deps.scrubberFor(projectId, deps.projectPath(projectId)).afterGrouping(result.event);
  const { name, comments, url } = result.event.extra as Omit<ReportText, 'email'>;
  const hidden = (text: string | null): string | null => (text === null ? null : hideKeys(text));
  return { name: hidden(name), email: hidden(email), comments: hidden(comments), url: hidden(url) };
}
