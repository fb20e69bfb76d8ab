import { setTimeout as wait } from 'node:timers/promises';

/** Answers of the REST API by their path. */
export type Answers = Readonly<Record<string, unknown>>;

/** Asks for a path; null unless the answer is 200. */
export type Ask = (path: string) => Promise<unknown>;

type Row = Readonly<Record<string, unknown>>;

const OF_INSTANCE = [
  ...['user', 'users', 'projects', 'groups', 'error_tracking/projects', 'personal_access_tokens'],
  ...['user/favourites', 'user/alert_settings'],
];
const OF_PROJECT = ['', '/members', '/members/all', '/invitations', '/access_tokens', '/audit_events?per_page=100'];
const OF_TRACKING = [
  ...['settings', 'client_keys', 'protection', 'releases', 'filter_values', 'outcomes', 'alerts', 'alert_channels'],
  ...['alert_deliveries', 'links', 'forwarding', 'views', 'discarded', 'artifacts', 'announced_releases', 'deploys'],
  ...[
    'user_reports',
    'errors/counts',
    'errors?status=all&per_page=100',
    'errors?status=all&sort=frequency&per_page=100',
  ],
  ...['errors?status=unresolved&sort=first_seen&per_page=100', 'errors?status=all&search=PaymentError'],
];
const OF_ERROR = [
  '',
  '/stack_trace',
  '/events?per_page=100',
  '/events/latest',
  '/users',
  '/notes',
  '/activity',
  '/alerts',
];

/**
 * Reads what users can see of a small instance: lists, details, every event, people, tokens and settings. Leaves out
 * what the release does not have.
 */
export async function readAnswers(ask: Ask): Promise<Answers> {
  const answers: Record<string, unknown> = {};
  const read = async (path: string): Promise<unknown> => {
    const body = await ask(path);
    if (body !== null) answers[path] = body;
    return body;
  };
  const rowsOf = (body: unknown): Row[] => (Array.isArray(body) ? (body as Row[]) : []);
  for (const path of OF_INSTANCE) await read(`/api/v4/${path}`);
  for (const { id: groupId } of rowsOf(answers['/api/v4/groups'])) {
    for (const path of ['', '/members', '/projects']) await read(`/api/v4/groups/${String(groupId)}${path}`);
  }
  for (const { id } of rowsOf(answers['/api/v4/projects'])) {
    const project = `/api/v4/projects/${String(id)}`;
    for (const path of OF_PROJECT) await read(project + path);
    for (const path of OF_TRACKING) await read(`${project}/error_tracking/${path}`);
    const errors = `${project}/error_tracking/errors`;
    for (const { id: errorId } of rowsOf(answers[`${errors}?status=all&per_page=100`])) {
      const error = `${errors}/${String(errorId)}`;
      for (const path of OF_ERROR) await read(error + path);
      for (const { event_id: eventId } of rowsOf(answers[`${error}/events?per_page=100`])) {
        await read(`${error}/events/${String(eventId)}`);
      }
    }
  }
  return answers;
}

/** Returns `ask` for a service, which asks again where it is told to wait. */
export function askService(url: string, token: string): Ask {
  return async (path) => {
    for (;;) {
      const answer = await fetch(url + path, { headers: { 'PRIVATE-TOKEN': token } });
      const text = await answer.text();
      if (answer.status === 200) return JSON.parse(text);
      if (answer.status !== 429) return null;
      await wait(Number(answer.headers.get('Retry-After') ?? 1) * 1000);
    }
  };
}

/** Members that reading itself changes: `until` of outcomes is the time of the answer. */
const READ_CHANGES = new Set(['last_used_at', 'last_activity_on', 'until']);

/**
 * Returns where an answer of a later release lacks something of an earlier one or says something else, one sentence for
 * each place. A later release may add members to objects, but no rows to lists.
 */
export function differences(before: unknown, now: unknown, at = ''): string[] {
  if (Array.isArray(before) && Array.isArray(now)) {
    if (before.length !== now.length) return [`${at}: ${before.length} rows became ${now.length}`];
    return before.flatMap((row, index) => differences(row, now[index], `${at}[${index}]`));
  }
  if (isObject(before) && isObject(now)) {
    return Object.entries(before)
      .filter(([name]) => !READ_CHANGES.has(name))
      .flatMap(([name, value]) => differences(value, now[name], `${at}.${name}`));
  }
  return Object.is(before, now) ? [] : [`${at}: ${short(before)} became ${short(now)}`];
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function short(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 80);
}
