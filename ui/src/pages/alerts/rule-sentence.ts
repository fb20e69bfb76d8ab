import type { AlertRule } from '../../api/alerts-api.ts';
import { listed } from '../../lib/listed.ts';
import { counted } from '../../lib/numbers.ts';
import { visibleExcerpt } from '../../lib/visible-text.ts';

/** Names behind the ids of a rule. */
export interface RuleNames {
  /** Number of members from Developer up. */
  readonly members: number;
  /** Names of members, by user id. */
  readonly users: ReadonlyMap<number, string>;
  /** Names of the channels that are on, by id. */
  readonly channels: ReadonlyMap<number, string>;
  /** Whether mail is configured; without it people get no messages. */
  readonly mail: boolean;
}

type Rule = Omit<AlertRule, 'id' | 'name' | 'enabled'>;

const LEVELS = ['debug', 'info', 'warning', 'error', 'fatal'] as const;

/** Maximum characters of a name that somebody entered. */
const MAX_NAME = 60;
const named = (name: string) => visibleExcerpt(name, MAX_NAME);

/** What the errors are or have: `new or regressed`, and the numbers that they reach. */
function reached({ threshold, users }: Rule['when']): string[] {
  return [
    ...(threshold === null
      ? []
      : [`have ${counted(threshold.events, 'event')} in ${counted(threshold.minutes, 'minute')}`]),
    ...(users === null ? [] : [`affect ${counted(users, 'user')}`]),
  ];
}

function levels(given: readonly string[]): string {
  const places = given.map((level) => LEVELS.findIndex((known) => known === level)).sort((a, b) => a - b);
  if (places.length === 0 || places.length === LEVELS.length) return '';
  const [lowest = 0] = places;
  const isUpwards = places.length > 1 && places.length === LEVELS.length - lowest;
  const names = places.map((place) => LEVELS[place] ?? '');
  return isUpwards ? ` of level ${LEVELS[lowest]} and up` : ` of level ${listed(names, 'or')}`;
}

/** Groups tags by their name, because one of the values is enough: `plan = pro or free`. */
function tagWords(tags: Rule['only']['tags']): string[] {
  const names = [...new Set(tags.map(({ key }) => key))];
  return names.map((name) => {
    const values = tags.filter(({ key }) => key === name).map(({ value }) => named(value));
    return `${named(name)} = ${listed(values, 'or')}`;
  });
}

function restrictions({ environments, except_environments, releases, tags, contains, ...only }: Rule['only']): string {
  return [
    levels(only.levels),
    contains === '' ? '' : ` that contain “${named(contains)}”`,
    releases.length === 0 ? '' : ` in release ${listed(releases.map(named), 'or')}`,
    tags.length === 0 ? '' : ` with ${listed(tagWords(tags))}`,
    environments.length === 0 ? '' : `, only in ${listed(environments.map(named), 'or')},`,
    except_environments.length === 0 ? '' : `, except in ${listed(except_environments.map(named))},`,
  ]
    .join('')
    .replace(',,', ',');
}

/** Returns the channels of a rule that get messages, by name. */
function channelsOf({ channels }: Rule['to'], names: RuleNames): string[] {
  const chosen = channels === 'all' ? [...names.channels.keys()] : channels;
  return chosen.map((id) => names.channels.get(id)).filter((name) => name !== undefined);
}

function peopleOf({ members, users }: Rule['to'], names: RuleNames): string[] {
  const further = users.map((id) => names.users.get(id)).filter((name) => name !== undefined);
  return [...(members ? [counted(names.members, 'member')] : []), ...further.map(named)];
}

function recipients(to: Rule['to'], names: RuleNames): string {
  const people = peopleOf(to, names);
  const channels = channelsOf(to, names);
  const sent = channels.length === 0 ? [] : [`sent to ${listed(channels.map(named))}`];
  if (people.length === 0) return sent[0] ?? 'sent to nobody';
  return listed(
    names.mail ? [`mailed to ${listed(people)}`, ...sent] : [...sent, 'mailed to members as soon as mail is set up'],
  );
}

const MODES = {
  now: () => '',
  hourly: () => 'gathered for an hour and ',
  daily: ({ at, zone }: Rule['how']) => `gathered and daily at ${at} (${zone}) `,
} as const;

/**
 * Says what a rule reports, where and how: `New and regressed errors of level error and up, except in dev, are mailed to
 * 4 members.`
 */
export function ruleSentence({ when, only, to, how }: Rule, names: RuleNames): string {
  const numbers = reached(when);
  const { kinds } = when;
  if (kinds.length + numbers.length === 0) return 'Nothing is reported.';
  const isPlain = numbers.length === 0 && kinds.length > 0;
  const subject = isPlain ? `${listed(kinds)} errors` : 'errors';
  const are = kinds.length === 0 ? [] : [`are ${listed(kinds, 'or')}`];
  const condition = isPlain ? '' : ` when they ${listed([...are, ...numbers], 'or')}`;
  const text = `${subject}${restrictions(only)} are ${MODES[how.mode](how)}${recipients(to, names)}${condition}.`;
  const quiet =
    how.quiet === null ? '' : ` Not between ${how.quiet.from} and ${how.quiet.to} (${how.zone}): they wait.`;
  return text.charAt(0).toUpperCase() + text.slice(1) + quiet;
}

/** Whether a rule reaches anybody at present. */
export function reaches(rule: Rule, names: RuleNames): boolean {
  return channelsOf(rule.to, names).length > 0 || (names.mail && peopleOf(rule.to, names).length > 0);
}

/** Says what rules report that reach somebody at present: the sentence of one, or of several their number. */
export function reportSentence(rules: readonly Rule[], names: RuleNames): string {
  const now = rules.map((rule) => (names.mail ? rule : { ...rule, to: { ...rule.to, members: false, users: [] } }));
  const [first] = now;
  if (first === undefined) return '';
  if (now.length === 1) return ruleSentence(first, names);
  const to: Rule['to'] = {
    members: now.some((rule) => rule.to.members),
    users: [...new Set(now.flatMap((rule) => rule.to.users))],
    channels: [...names.channels.keys()].filter((id) =>
      now.some(({ to: { channels } }) => channels === 'all' || channels.includes(id)),
    ),
  };
  return `Errors that match one of ${now.length} rules are ${recipients(to, names)}.`;
}
