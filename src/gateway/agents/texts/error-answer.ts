import { AppError } from '../../../domain/app-error.ts';
import type { TagSpread, TrackedErrorDetail } from '../../../domain/errors/tracked-error.ts';
import { suspicionsIn, suspicionsOf } from '../../../domain/events/suspicious-text.ts';
import type { TrackedEvent } from '../../../domain/events/tracked-event.ts';
import { errorUrl } from '../../api/shared/error-place.ts';
import { isoTime } from '../../http/iso-time.ts';
import type { AgentError } from '../agent-scope.ts';
import { AgentAnswer, type FinishedAnswer } from './agent-answer.ts';
import { markNames } from './mark-names.ts';
import { isOfPeople } from './of-people.ts';
import { addStack, SHORT_STACK } from './stack-lines.ts';
import { staleFact } from './stale-fact.ts';

/** Maximum bytes of the text of one error: about 1,500 tokens. */
export const MAX_ERROR_BYTES = 5_500;
const MAX_TAGS = 6;
const MAX_VALUES = 3;

/** Addresses, which a list of tags has no room for. */
const ADDRESSES = /^url(?:\.|$)/i;

/** What stored data can say about the senders of the events, in numbers and facts of errgate. */
export interface Provenance {
  /** Percent of the counted events that have the release of the latest one; null: unknown. */
  readonly same_release_percent: number | null;
  /** Whether a build told about that release; null: not known here. Anybody with the DSN can send any release. */
  readonly release_announced: boolean | null;
  readonly first_seen_today: boolean;
}

/** Returns the latest event; null when retention removed all. */
async function latestOf({ backend, call, errorId }: AgentError): Promise<TrackedEvent | null> {
  try {
    return await backend.latestEvent(call.project, errorId, call.signal);
  } catch (error) {
    if (error instanceof AppError && error.code === 'events_removed') return null;
    throw error;
  }
}

function shareOf(tags: readonly TagSpread[] | null, release: string | null): number | null {
  const spread = tags?.find(({ key }) => key === 'release');
  if (spread === undefined || spread.total === 0 || release === null) return null;
  const count = spread.values.find(({ value }) => value === release)?.count ?? 0;
  return Math.round((count / spread.total) * 100);
}

async function provenanceOf(
  { call, integratedErrors }: AgentError,
  { tags, firstSeen }: TrackedErrorDetail,
  release: string | null,
): Promise<Provenance> {
  const { deps, project } = call;
  const isKnown = release !== null && integratedErrors !== null;
  const today = isoTime(deps.clock.now()).slice(0, 10);
  return {
    same_release_percent: shareOf(tags, release),
    release_announced: isKnown ? (await deps.store.buildRelease(project.id, release)) !== null : null,
    first_seen_today: isoTime(firstSeen).startsWith(today),
  };
}

function provenanceLine({ same_release_percent: share, release_announced: announced, first_seen_today }: Provenance) {
  return [
    'Provenance:',
    share === null
      ? 'the share of events of the same release is not known;'
      : `${share} % of the counted events name the release of the latest one;`,
    announced === null ? '' : announced ? 'a build announced that release;' : 'no build announced that release;',
    first_seen_today ? 'the first event came today;' : '',
    'the client key of an event is not kept.',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** Numbers of a chart, with zeros in a row as one word: `22 × 0, 29, 1`. */
function series(numbers: readonly number[]): string {
  const words: string[] = [];
  let zeros = 0;
  for (const number of [...numbers, null]) {
    if (number === 0) {
      zeros += 1;
      continue;
    }
    if (zeros > 0) words.push(zeros === 1 ? '0' : `${zeros} × 0`);
    zeros = 0;
    if (number !== null) words.push(String(number));
  }
  return words.join(', ');
}

const counts = (points: TrackedErrorDetail['frequency']): number[] | null => points?.map(([, count]) => count) ?? null;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

const tagTexts = ({ key, values }: TagSpread): string[] => [key, ...values.map(({ value }) => value)];

function addTags(answer: AgentAnswer, tags: readonly TagSpread[], error: AgentError): void {
  const shown = tags.filter(({ key }) => !isOfPeople(key) && !ADDRESSES.test(key));
  for (const { key, values, total } of shown.slice(0, MAX_TAGS)) {
    const texts = values.slice(0, MAX_VALUES).map(({ value, count }) => `${value.slice(0, 60)} (${count} of ${total})`);
    answer.event('tag ', `${key.slice(0, 40)}: ${texts.join(', ')}`, 160);
  }
  if (shown.length > MAX_TAGS) {
    const more = `get_event ${error.argument} part="tags"`;
    answer.cut({ what: 'tags', shown: MAX_TAGS, total: shown.length, more });
  }
}

/** Writes the answer about one error. Throws `not_found` for an unknown one. */
export async function errorAnswer(error: AgentError): Promise<FinishedAnswer> {
  const { backend, call, errorId, argument, context } = error;
  const { project, signal } = call;
  const detail = await backend.get(project, errorId, signal);
  const latest = await latestOf(error);
  const event = latest?.event ?? null;
  const provenance = await provenanceOf(error, detail, event?.release ?? detail.lastRelease);
  const answer = new AgentAnswer(`get_stack_trace ${argument}`, MAX_ERROR_BYTES);
  const { status, level, count, userCount, firstSeen, lastSeen, statusDetails } = detail;
  const [hours, days, marks] = [counts(detail.frequency), counts(detail.frequency30d), markNames(detail.marks)];
  const page = errorUrl(context, detail.id);

  answer.fact(`Error ${detail.id} of ${project.path}: ${status}${level === null ? '' : `, level ${level}`}`);
  staleFact(answer, detail);
  answer.fact(
    [
      `${count} events`,
      ...(userCount === null ? [] : [`${userCount} users`]),
      ...(hours === null ? [] : [`${sum(hours)} in 24 hours`]),
      ...(days === null ? [] : [`${sum(days)} in 30 days`]),
    ].join(', '),
  );
  answer.fact(`First seen ${isoTime(firstSeen)}, last seen ${isoTime(lastSeen)}`);
  if (hours !== null) answer.fact(`Per hour, oldest first: ${series(hours)}`);
  if (days !== null) answer.fact(`Per day, oldest first: ${series(days)}`);
  if (marks.length > 0) answer.fact(`Marks: ${marks.join(', ')}`);
  if (detail.assignee !== null) answer.fact(`Assigned to ${detail.assignee.username}`);
  if (detail.mergedInto !== null) answer.fact(`Error ${detail.mergedInto} was merged into this one.`);
  answer.fact(provenanceLine(provenance));
  answer.fact(`Page: ${page}`);

  // Titles, tags and releases may be those of other events than the latest.
  const { title, message, culprit, firstRelease, lastRelease } = detail;
  answer.suspicious(suspicionsIn('message', [title, message, culprit]));
  if (event !== null) answer.suspicious(suspicionsOf(event));
  answer.suspicious(suspicionsIn('tags', (detail.tags ?? []).flatMap(tagTexts)));
  answer.suspicious(suspicionsIn('release', [firstRelease, lastRelease, statusDetails?.inRelease ?? null]));
  answer.event('title: ', detail.title, 300);
  if (detail.culprit !== null) answer.event('culprit: ', detail.culprit, 200);
  if (statusDetails?.inRelease !== undefined) answer.event('resolved in release: ', statusDetails.inRelease, 100);
  const releases = { firstRelease: detail.firstRelease ?? 'none', lastRelease: detail.lastRelease ?? 'none' };
  answer.event('releases: ', `first ${releases.firstRelease}, last ${releases.lastRelease}`, 200);
  if (event === null) answer.notice('Its events have passed their retention period: there is no stack trace.');
  else {
    answer.event(
      'latest event: ',
      `${event.event_id} ${event.timestamp}, environment ${event.environment ?? 'none'}, platform ${event.platform}`,
      200,
    );
    const { shown, total } = addStack(answer, event, SHORT_STACK);
    if (shown < total) answer.cut({ what: 'frames', shown, total, more: `get_stack_trace ${argument} frames="all"` });
  }
  addTags(answer, detail.tags ?? [], error);
  if (event !== null) {
    answer.fact(
      `More: get_event ${argument} part="breadcrumbs", "tags", "contexts" or "request"; list_events ${argument}`,
    );
  }
  return answer.finish(
    {
      ...{ id: detail.id, project: project.path, status, level, events: count, users: userCount, marks, page },
      ...{ first_seen: isoTime(firstSeen), last_seen: isoTime(lastSeen), per_hour: hours, per_day: days, provenance },
      ...{ latest_event: event?.event_id ?? null, assignee: detail.assignee?.username ?? null },
      merged_into: detail.mergedInto,
      event: answer.untrusted({ title: detail.title, culprit: detail.culprit, release: event?.release ?? null }),
    },
    { withLines: true },
  );
}
