import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OldIssue, OldState, OldTracker } from './old-tracker.ts';

/** Errors of several levels, platforms, releases and users, which the programs of the SDKs do not vary. */
const ERRORS = 24;
const LEVELS = ['fatal', 'error', 'warning', 'info'] as const;
const PLATFORMS = ['python', 'javascript', 'go', 'java', 'ruby', 'csharp'] as const;

/** State of every so many issues; the others stay as they are. */
const STATES: readonly (readonly [every: number, state: OldState])[] = [
  [5, 'resolved'],
  [7, 'ignored'],
  [11, 'resolved_next'],
  [13, 'reopened'],
  [6, 'commented'],
];

/** Sends 1 to 4 events of each error to the DSN. Returns their number. */
export async function sendVaried(dsn: string): Promise<number> {
  let sent = 0;
  for (let index = 0; index < ERRORS; index += 1) {
    for (let time = 0; time <= index % 4; time += 1) {
      await sendEvent(dsn, variedEvent(index, time));
      sent += 1;
    }
  }
  return sent;
}

function variedEvent(index: number, time: number): object {
  return {
    level: LEVELS[index % LEVELS.length],
    platform: PLATFORMS[index % PLATFORMS.length],
    release: `shop@2.${time}.${index}`,
    environment: index % 2 === 0 ? 'production' : 'staging',
    user: { id: `user-${index + time}` },
    ...(index % 3 === 0 ? { transaction: `/varied/${index}` } : {}),
    exception: {
      values: [
        {
          type: `Varied${index}Error`,
          value: `varied ${index} failed`,
          stacktrace: {
            frames: [
              { function: 'main', filename: 'main.py', module: 'main', lineno: 1, in_app: true },
              {
                function: `varied_${index}`,
                filename: `varied_${index}.py`,
                module: 'varied',
                lineno: 7,
                in_app: true,
              },
            ],
          },
        },
      ],
    },
  };
}

async function sendEvent(dsn: string, event: object): Promise<void> {
  const { username, pathname, origin } = new URL(dsn);
  const id = randomUUID().replaceAll('-', '');
  const lines = [{ event_id: id }, { type: 'event' }, { event_id: id, timestamp: Date.now() / 1000, ...event }];
  const answer = await fetch(`${origin}/api${pathname}/envelope/?sentry_key=${username}&sentry_version=7`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-sentry-envelope' },
    body: lines.map((line) => JSON.stringify(line)).join('\n'),
  });
  if (!answer.ok) throw new Error(`the tracker answered an event with ${answer.status}: ${await answer.text()}`);
  // Keeps the order of the events, from which the first release is taken.
  await sleep(20);
}

/** Gives issues the states that people give them. */
export async function setStates(tracker: OldTracker, issues: readonly OldIssue[]): Promise<void> {
  for (const [place, { id }] of [...issues].sort((a, b) => (a.id < b.id ? -1 : 1)).entries()) {
    const [, state] = STATES.find(([every]) => place % every === every - 1) ?? [];
    if (state === undefined) continue;
    await tracker.setState(id, state);
    // A comment on an issue of each state.
    if (place % 2 === 0 && state !== 'commented') await tracker.setState(id, 'commented');
  }
}
