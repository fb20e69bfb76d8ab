import type { Destination } from '../../domain/alerts/alert-delivery.ts';
import type { AlertFact } from '../../domain/alerts/alert-fact.ts';
import type { AlertRule, RuleTiming } from '../../domain/alerts/alert-rule.ts';
import { HOUR_MS } from '../../domain/durations.ts';
import { type Audience, channelsOf, type Listener, listenersOf, type ProjectAudience } from './audience.ts';
import type { ErrorFacets } from './rule-match.ts';
import { mismatch, needsFacets } from './rule-match.ts';
import { nextTimeOfDay, quietUntil } from './zoned-time.ts';

/** Where one fact goes. */
export interface Route {
  /** Earliest time by destination; null: at once. */
  readonly to: ReadonlyMap<Destination, number | null>;
  /** Why it goes nowhere, as a sentence; null when `to` is not empty. */
  readonly silence: string | null;
}

/** What routing asks about errors beside the facts. */
export interface RoutedErrors {
  facets(audience: ProjectAudience, errorId: string): Promise<ErrorFacets | null>;
  /** User id; null: none. */
  assignee(audience: ProjectAudience, errorId: string): Promise<number | null>;
}

/** Rules that a reason names; the others are like them. */
const MAX_NAMED_RULES = 3;
/** Maximum characters of a reason. */
const MAX_REASON = 500;

const nowhere = (silence: string): Route => ({ to: new Map(), silence: silence.slice(0, MAX_REASON) });

/** Returns where a fact goes by the rules of its project at present. */
export async function routeFact(
  fact: AlertFact,
  audience: Audience,
  errors: RoutedErrors,
  now: number,
): Promise<Route> {
  const project = await audience.project(fact.projectId);
  if (project === null) return nowhere('The project was deleted.');
  if (!project.active) return nowhere('Error tracking of this project is switched off.');
  if (project.rules.length === 0) return nowhere('No rule of this project is switched on.');
  const matched: AlertRule[] = [];
  const mismatches: string[] = [];
  for (const rule of project.rules) {
    const reason = await mismatchOf(rule, fact, project, errors);
    if (reason === null) matched.push(rule);
    else mismatches.push(`The rule "${rule.name}" ${reason}.`);
  }
  if (matched.length === 0) return nowhere(listed(mismatches));
  const to = new Map<Destination, number | null>();
  for (const rule of matched) {
    const held = heldUntil(rule.how, now);
    for (const destination of await destinationsOf(rule, fact, project, errors)) {
      const earlier = to.get(destination);
      to.set(destination, earlier === null || held === null ? null : Math.min(earlier ?? held, held));
    }
  }
  return to.size === 0 ? nowhere(withoutRecipient(matched, project, audience.mail)) : { to, silence: null };
}

async function mismatchOf(
  rule: AlertRule,
  fact: AlertFact,
  project: ProjectAudience,
  errors: RoutedErrors,
): Promise<string | null> {
  if (!needsFacets(rule, fact)) return mismatch(rule, fact, null);
  return mismatch(rule, fact, await errors.facets(project, fact.errorId));
}

async function destinationsOf(
  rule: AlertRule,
  fact: AlertFact,
  project: ProjectAudience,
  errors: RoutedErrors,
): Promise<Destination[]> {
  const destinations: Destination[] = channelsOf(rule, project).map(({ id }): Destination => `channel:${id}`);
  for (const { user, mail } of listenersOf(rule, project)) {
    if (user.email === null || mail === 'off') continue;
    if (mail === 'mine' && (await errors.assignee(project, fact.errorId)) !== user.id) continue;
    destinations.push(`user:${user.id}`);
  }
  return destinations;
}

function listed(reasons: readonly string[]): string {
  const more = reasons.length - MAX_NAMED_RULES;
  const rest = more > 0 ? [`${more} more ${more === 1 ? 'rule does' : 'rules do'} not apply.`] : [];
  return [...reasons.slice(0, MAX_NAMED_RULES), ...rest].join(' ');
}

function withoutRecipient(rules: readonly AlertRule[], project: ProjectAudience, mail: boolean): string {
  const [rule] = rules;
  const people = rules.flatMap((each) => listenersOf(each, project));
  const noPeople = mail ? withoutPeople(people) : 'mail is not configured';
  const noChannel =
    project.channels.length === 0 ? 'the project has no channel' : 'no channel that it names is switched on';
  return `The rule "${rule?.name ?? ''}" applies, but nobody receives it: ${noPeople}, and ${noChannel}.`;
}

function withoutPeople(people: readonly Listener[]): string {
  if (people.length === 0) return 'it names no member';
  if (people.every(({ user }) => user.email === null)) return 'no member that it names has a mail address';
  if (people.every(({ mail }) => mail === 'off')) return 'all members that it names have switched mail off';
  return 'the members that it names have switched mail off, have no address, or want only their own errors';
}

/** Returns the earliest time at which a rule lets a fact of now be sent; null: at once. */
function heldUntil({ mode, at, quiet, zone }: RuleTiming, now: number): number | null {
  let due = now;
  if (mode === 'hourly') due = (Math.floor(now / HOUR_MS) + 1) * HOUR_MS;
  if (mode === 'daily') due = nextTimeOfDay(zone, at, now);
  due = quietUntil(zone, quiet, due) ?? due;
  return due > now ? due : null;
}
