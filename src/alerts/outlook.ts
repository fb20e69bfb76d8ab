import type { Conversation, Destination } from '../domain/alerts/alert-delivery.ts';
import type { AlertStore } from '../domain/ports/stores/alert-store.ts';
import type { Outlook } from '../domain/ports/alert-setup.ts';
import { type Audience, channelsOf, listenersOf, type ProjectAudience } from './routing/audience.ts';
import { gapEnd, gatheredAt, newConversation, readyAt } from './sending/pace.ts';
import { quietUntil } from './routing/zoned-time.ts';
import { HOUR_MS } from '../domain/durations.ts';

/** Deliveries that are looked at for the number in the last hour, which is at most six. */
const RECENT = 10;

export interface OutlookParts {
  readonly store: Pick<AlertStore, 'listConversations' | 'listDeliveries'>;
  readonly audience: Audience;
  readonly now: number;
}

type Shown = Pick<Outlook, 'state' | 'nextAt' | 'reason'>;

const off = (reason: string): Shown => ({ state: 'off', nextAt: null, reason });
const IDLE: Shown = { state: 'idle', nextAt: null, reason: '' };

/** Returns what each destination of a project does and waits for: channels by id, then people. */
export async function outlookOf(project: ProjectAudience, parts: OutlookParts): Promise<Outlook[]> {
  const rows = new Map((await parts.store.listConversations()).map((row) => [row.destination, row]));
  const used = new Set(project.rules.flatMap((rule) => channelsOf(rule, project).map(({ id }) => id)));
  const found: Outlook[] = [];
  for (const { id, name, enabled, disabledReason } of project.channels) {
    const destination: Destination = `channel:${id}`;
    const row = rows.get(destination) ?? newConversation(destination, 0);
    let shown = await shownOf(row, null, project, parts);
    if (!enabled) shown = off(disabledReason ?? 'It is switched off.');
    else if (!used.has(id) && shown.state === 'idle') shown = off('No rule sends to it.');
    found.push({ ...common(row, name), ...shown });
  }
  const people = new Set(project.rules.flatMap((rule) => listenersOf(rule, project)));
  for (const { user, mail } of people) {
    const destination: Destination = `user:${user.id}`;
    const row = rows.get(destination) ?? newConversation(destination, 0);
    const person = await parts.audience.person(user.id);
    const quiet = person === null ? null : quietUntil(person.preferences.zone, person.preferences.quiet, parts.now);
    let shown = await shownOf(row, quiet, project, parts);
    if (user.email === null) shown = off('No e-mail address: it is set in their profile.');
    else if (mail === 'off') shown = off('The person has switched mail off.');
    found.push({ ...common(row, user.name), ...shown });
  }
  return found;
}

function common({ destination, lastSentAt, failingSince, pending }: Conversation, name: string) {
  return { destination, name, lastSentAt, failingSince, lastAnswer: pending?.lastAnswer ?? null };
}

async function shownOf(
  row: Conversation,
  quiet: number | null,
  project: ProjectAudience,
  parts: OutlookParts,
): Promise<Shown> {
  const { now } = parts;
  const { pending, notBefore, destination } = row;
  if (pending !== null) {
    if (pending.attempts === 0) return { state: 'sending', nextAt: pending.nextAt, reason: 'A message is on its way.' };
    const reason = `Attempt ${pending.attempts} failed; the next one follows at ${utc(pending.nextAt, now)}.`;
    return { state: 'retrying', nextAt: pending.nextAt, reason };
  }
  const gathered = gatheredAt(row);
  const ready = readyAt(row, now);
  if (gathered === null || ready === null) return IDLE;
  const nextAt = Math.max(ready, quiet ?? 0, now);
  const waits = (why: string): Shown => ({
    state: 'waiting',
    nextAt,
    reason: `Waits until ${utc(nextAt, now)}: ${why}.`,
  });
  if (quiet !== null && quiet >= ready) return waits('quiet hours of the person');
  if (notBefore !== null && notBefore >= ready) return waits('its rule gathers messages, or has quiet hours');
  if (gapEnd(row, now) > gathered) return waits(await sentLately(destination, project, parts));
  return { state: 'gathering', nextAt, reason: `Gathers what comes together until ${utc(nextAt, now)}.` };
}

async function sentLately(destination: Destination, { project }: ProjectAudience, { store, now }: OutlookParts) {
  const query = { projectId: project.id, destination, limit: RECENT, after: null };
  const deliveries = await store.listDeliveries(query);
  const count = deliveries.filter(({ at, message }) => at > now - HOUR_MS && message.kind !== 'test').length;
  if (count === 0) return 'minimum interval between messages has not passed';
  return `${count} ${count === 1 ? 'message' : 'messages'} in the last hour`;
}

/** Returns `14:30 UTC`, with the date unless it is within twelve hours. */
function utc(at: number, now: number): string {
  const text = new Date(at).toISOString();
  const date = at - now < 12 * HOUR_MS ? '' : `${text.slice(0, 10)} `;
  return `${date}${text.slice(11, 16)} UTC`;
}
