import type { AlertRule, FactKind, RuleDraft } from '../../api/alerts-api.ts';

type Level = AlertRule['only']['levels'][number];
type Tag = AlertRule['only']['tags'][number];

/** Fields of the form of a rule. */
export interface RuleFields {
  name: string;
  kinds: FactKind[];
  hasThreshold: boolean;
  events: number;
  minutes: number;
  hasUsers: boolean;
  affected: number;
  levels: Level[];
  environments: string;
  exceptEnvironments: string;
  releases: string;
  tags: string;
  contains: string;
  members: boolean;
  users: number[];
  allChannels: boolean;
  channels: number[];
  mode: AlertRule['how']['mode'];
  at: string;
  hasQuiet: boolean;
  from: string;
  until: string;
  zone: string;
}

/** Splits a text at commas and line breaks, without blanks and repeats. */
function words(text: string): string[] {
  const parts = text.split(/[,\n]/).map((part) => part.trim());
  return [...new Set(parts.filter((part) => part !== ''))];
}

function tagsIn(text: string): Tag[] {
  return words(text).map((part) => {
    const at = part.search(/[=:]/);
    return { key: part.slice(0, at).trim(), value: part.slice(at + 1).trim() };
  });
}

/** Returns the words of a text that are no tags. */
function wrongTags(text: string): string[] {
  return words(text).filter((part) => !/^[^=:]*[^=:\s]\s*[=:]\s*\S/.test(part));
}

/** Fields of a rule; `zone` is that of a rule without times. */
export function fieldsOf({ name, when, only, to, how }: RuleDraft, zone: string): RuleFields {
  const hasTimes = how.mode === 'daily' || how.quiet !== null;
  return {
    name,
    kinds: [...when.kinds],
    hasThreshold: when.threshold !== null,
    events: when.threshold?.events ?? 100,
    minutes: when.threshold?.minutes ?? 60,
    hasUsers: when.users !== null,
    affected: when.users ?? 50,
    levels: [...only.levels],
    environments: only.environments.join(', '),
    exceptEnvironments: only.except_environments.join(', '),
    releases: only.releases.join(', '),
    tags: only.tags.map(({ key, value }) => `${key} = ${value}`).join(', '),
    contains: only.contains,
    members: to.members,
    users: [...to.users],
    allChannels: to.channels === 'all',
    channels: to.channels === 'all' ? [] : [...to.channels],
    mode: how.mode,
    at: how.at,
    hasQuiet: how.quiet !== null,
    from: how.quiet?.from ?? '22:00',
    until: how.quiet?.to ?? '07:00',
    zone: hasTimes ? how.zone : zone,
  };
}

/** The rule that the fields describe. */
export function ruleOf(fields: RuleFields): Omit<RuleDraft, 'id' | 'enabled'> {
  return {
    name: fields.name.trim(),
    when: {
      kinds: fields.kinds,
      threshold: fields.hasThreshold ? { events: fields.events, minutes: fields.minutes } : null,
      users: fields.hasUsers ? fields.affected : null,
    },
    only: {
      environments: words(fields.environments),
      except_environments: words(fields.exceptEnvironments),
      levels: fields.levels,
      releases: words(fields.releases),
      tags: tagsIn(fields.tags),
      contains: fields.contains.trim(),
    },
    to: {
      members: fields.members,
      users: fields.users,
      channels: fields.allChannels ? 'all' : fields.channels,
    },
    how: {
      mode: fields.mode,
      at: fields.at,
      quiet: fields.hasQuiet ? { from: fields.from, to: fields.until } : null,
      zone: fields.zone.trim(),
    },
  };
}

/** Says what is missing in the fields; empty: nothing. */
export function problemOf(fields: RuleFields): string {
  if (fields.kinds.length === 0 && !fields.hasThreshold && !fields.hasUsers) return 'Choose what to report.';
  const { members, users, allChannels, channels } = fields;
  if (!members && users.length === 0 && !allChannels && channels.length === 0) return 'Choose who gets the messages.';
  const [wrong] = wrongTags(fields.tags);
  if (wrong !== undefined) return `“${wrong}” is no tag: write name = value.`;
  if (fields.hasQuiet && fields.from === fields.until) return 'Quiet hours need a beginning and another end.';
  return '';
}

/** What a new rule reports before anything is chosen: as the default, to the channels that there are. */
export function newRule(name: string, zone: string): RuleDraft {
  return {
    name,
    enabled: true,
    when: { kinds: ['new', 'regressed'], threshold: null, users: null },
    only: {
      environments: [],
      except_environments: ['development', 'dev', 'local', 'test'],
      levels: ['error', 'fatal'],
      releases: [],
      tags: [],
      contains: '',
    },
    to: { members: true, users: [], channels: 'all' },
    how: { mode: 'now', at: '09:00', quiet: null, zone },
  };
}
