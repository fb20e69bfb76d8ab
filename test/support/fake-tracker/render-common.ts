import { firstSeen, lastSeen, type FakeEvent, type FakeIssue } from './world.ts';

export type Json = Record<string, unknown>;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export const iso = (at: number): string => new Date(at).toISOString();
/** Formats a time without milliseconds, as trackers print times of events. */
export const isoSeconds = (at: number): string => iso(at).replace(/\.\d+Z$/, 'Z');

/** `[epoch seconds, count]` of aligned buckets, oldest first; the last one includes now. */
export function statistics(issue: FakeIssue, now: number, unit: 'hour' | 'day', buckets: number): [number, number][] {
  const width = unit === 'hour' ? HOUR : DAY;
  const newest = Math.floor(now / width) * width;
  return Array.from({ length: buckets }, (_, index) => {
    const start = newest - (buckets - 1 - index) * width;
    return [start / 1000, issue.events.filter(({ at }) => at >= start && at < start + width).length];
  });
}

export function metadataOf(issue: FakeIssue): Json {
  if (issue.type === null) return { title: issue.title };
  return { type: issue.type, value: issue.message ?? '', filename: 'app/views.py', function: 'show' };
}

/** Members of an issue that all trackers have. */
export function issueCore(issue: FakeIssue): Json {
  return {
    id: issue.id,
    title: issue.title,
    culprit: issue.culprit,
    level: issue.level,
    status: issue.status,
    type: issue.type === null ? 'default' : 'error',
    shortId: issue.shortId,
    metadata: metadataOf(issue),
    count: String(issue.events.length),
    firstSeen: iso(firstSeen(issue)),
    lastSeen: iso(lastSeen(issue)),
    numComments: 0,
  };
}

export interface PlainFrame {
  readonly filename: string;
  readonly absPath: string;
  readonly module: string;
  readonly function: string;
  readonly lineNo: number;
  readonly inApp: boolean;
  readonly before: readonly string[];
  readonly line: string;
  readonly after: readonly string[];
}

/** Stack of every fake event: oldest call first, the failing frame last. */
export const FRAMES: readonly PlainFrame[] = [
  {
    filename: 'framework/run.py',
    absPath: '/lib/framework/run.py',
    module: 'framework.run',
    function: 'main',
    lineNo: 3,
    inApp: false,
    before: ['import app', ''],
    line: 'app.show(request)',
    after: [],
  },
  {
    filename: 'app/views.py',
    absPath: '/srv/app/views.py',
    module: 'app.views',
    function: 'show',
    lineNo: 10,
    inApp: true,
    before: ['def show(request):', '    # why'],
    line: '    raise ValueError("<b>")',
    after: ['', 'def hide():'],
  },
];

/** Source lines around a frame's line, with their numbers. */
export function contextLines({ before, line, after, lineNo }: PlainFrame): [number, string][] {
  return [...before, line, ...after].map((text, index) => [lineNo - before.length + index, text]);
}

function apiFrame(frame: PlainFrame): Json {
  return {
    filename: frame.filename,
    absPath: frame.absPath,
    module: frame.module,
    package: null,
    platform: null,
    instructionAddr: null,
    symbolAddr: null,
    function: frame.function,
    rawFunction: null,
    symbol: null,
    context: contextLines(frame),
    lineNo: frame.lineNo,
    colNo: null,
    inApp: frame.inApp,
    trust: null,
    errors: null,
    vars: { secret: null, count: 3 },
  };
}

/** Entries of every kind that errgate reads, and some that it must ignore. */
export function entriesOf(issue: FakeIssue, event: FakeEvent): Json[] {
  const breadcrumb = {
    type: 'default',
    category: 'query',
    level: 'info',
    message: 'select 1',
    timestamp: isoSeconds(event.at - 1000),
    data: null,
    event_id: null,
  };
  const request = {
    method: 'POST',
    url: 'https://shop.example.test/pay',
    query: [['page', '2']],
    fragment: null,
    data: { card: null },
    headers: [['Accept', '*/*']],
    cookies: [],
    env: null,
    inferredContentType: 'application/json',
  };
  const body: Json =
    issue.type === null
      ? { type: 'message', data: { formatted: issue.message ?? issue.title, message: null, params: null } }
      : {
          type: 'exception',
          data: {
            values: [
              {
                type: issue.type,
                value: issue.message,
                module: 'builtins',
                mechanism: { type: 'generic', handled: true },
                threadId: null,
                stacktrace: {
                  frames: FRAMES.map(apiFrame),
                  framesOmitted: null,
                  registers: null,
                  hasSystemFrames: true,
                },
                rawStacktrace: null,
              },
            ],
            hasSystemFrames: true,
            excOmitted: null,
          },
        };
  return [
    body,
    { type: 'breadcrumbs', data: { values: [breadcrumb] } },
    { type: 'request', data: request },
    { type: 'debugmeta', data: { images: [] } },
    { type: 'made-up-later', data: 7 },
  ];
}

export function tagsOf(issue: FakeIssue, event: FakeEvent): { key: string; value: string }[] {
  const tags = [{ key: 'level', value: issue.level }];
  if (event.environment !== null) tags.push({ key: 'environment', value: event.environment });
  if (event.release !== null) tags.push({ key: 'release', value: event.release });
  if (event.user !== null) tags.push({ key: 'user', value: `email:${event.user}@people.example.test` });
  return [...tags, ...event.tags.map(([key, value]) => ({ key, value }))];
}

/** Tags with their values, most frequent first. */
export function spreads(issue: FakeIssue): { key: string; total: number; values: [string, number][] }[] {
  const keys = new Map<string, Map<string, number>>();
  for (const event of issue.events) {
    for (const { key, value } of tagsOf(issue, event)) {
      const counts = keys.get(key) ?? new Map<string, number>();
      counts.set(value, (counts.get(value) ?? 0) + 1);
      keys.set(key, counts);
    }
  }
  return [...keys].map(([key, counts]) => ({
    key,
    total: [...counts.values()].reduce((sum, count) => sum + count, 0),
    values: [...counts].sort((a, b) => b[1] - a[1]),
  }));
}
