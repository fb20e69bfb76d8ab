import type { Activity } from '../../api/triage-api.ts';
import { counted } from '../../lib/numbers.ts';
import { visibleExcerpt } from '../../lib/visible-text.ts';
import { statusText } from '../errors/status-text.ts';
import { KIND_NAMES } from './kind-names.ts';

/** Characters of a name, a release or an issue. */
const MAX_NAME = 80;

const REASONS = {
  until: 'the time had come',
  events: 'it happened often enough',
  users: 'it affected enough users',
} as const;

type Person = NonNullable<Activity['user']>;

const nameOf = ({ name, username }: Person): string => visibleExcerpt(name === '' ? username : name, MAX_NAME);

function trackerName(source: string): string {
  return Object.hasOwn(KIND_NAMES, source) ? KIND_NAMES[source as keyof typeof KIND_NAMES] : visibleExcerpt(source, 40);
}

function statusOf(status: 'resolved' | 'ignored', { status_details: details }: Activity): string {
  const text = statusText({ status, status_details: details });
  return text === 'ignored' || text === 'resolved' ? `${text} it` : text.replace(/^(resolved|ignored)/, '$1 it');
}

/** What happened, after the name of who did it: `resolved it in the next release`. */
function deedOf(entry: Activity): string {
  const { kind, assignee, user, release, reason, error_ids: ids, source, issue_id: issue } = entry;
  const errors = counted(ids?.length ?? 1, 'error');
  switch (kind) {
    case 'resolved':
    case 'ignored':
      return statusOf(kind, entry);
    case 'unresolved':
      return 'reopened it';
    case 'regressed':
      return `It came back${release === null ? '' : ` in ${visibleExcerpt(release, MAX_NAME)}`}`;
    case 'unmuted':
      return `No longer ignored${reason === null ? '' : `: ${REASONS[reason]}`}`;
    case 'assigned':
      if (assignee === null) return 'assigned it';
      return assignee.id === user?.id ? 'took it on' : `assigned it to ${nameOf(assignee)}`;
    case 'unassigned':
      return assignee === null ? 'removed the assignee' : `removed ${nameOf(assignee)} as assignee`;
    case 'note_added':
      return 'wrote a note';
    case 'note_removed':
      return 'deleted a note';
    case 'merged':
      return `merged ${errors} into it`;
    case 'unmerged':
      return `separated ${errors} from it`;
    case 'imported': {
      const from = source === null ? '' : ` from ${trackerName(source)}`;
      return `Imported${from}${issue === null ? '' : ` (${visibleExcerpt(issue, MAX_NAME)})`}`;
    }
    case 'issue_linked':
      return `linked ${issueOf(entry)}`;
    case 'issue_unlinked':
      return `removed the link to ${issueOf(entry)}`;
  }
}

function issueOf({ issue_title: title, issue_url: url }: Activity): string {
  const name = (title ?? '') === '' ? (url ?? '') : (title ?? '');
  return name === '' ? 'an issue' : visibleExcerpt(name, MAX_NAME);
}

/** Who did it where no person of this installation did. */
function doerOf({ kind, source, issue_url: issue }: Activity): string {
  if (issue !== null && (kind === 'resolved' || kind === 'unresolved')) {
    const [, number] = /\/(\d+)$/.exec(issue) ?? [];
    return number === undefined ? 'The linked issue' : `GitLab issue #${number}`;
  }
  return source === null ? 'errgate' : trackerName(source);
}

/** Kinds that happen by themselves: their texts are sentences. */
const BY_ITSELF: ReadonlySet<Activity['kind']> = new Set(['regressed', 'unmuted', 'imported']);

/** Names the agent through which a person acted, by its access token; empty: none. */
export function throughAgent({ agent }: Pick<Activity, 'agent'>): string {
  return agent === null ? '' : `through an agent (${visibleExcerpt(agent, MAX_NAME)})`;
}

/** Says an entry of the activity log. */
export function activityText(entry: Activity): string {
  const { kind, user } = entry;
  const deed = deedOf(entry);
  if (BY_ITSELF.has(kind)) return deed;
  const doer = user === null ? doerOf(entry) : nameOf(user);
  return [doer, throughAgent(entry), deed].filter((part) => part !== '').join(' ');
}
