import assert from 'node:assert/strict';
import { startFakeTracker, type FakeTracker } from '../../support/fake-tracker/fake-tracker.ts';
import { recordedAnswers, type Recorded } from '../../support/fake-tracker/recorded.ts';
import type { FakeProject } from '../../support/fake-tracker/world.ts';

const NOW = Date.UTC(2026, 10, 20, 19);
const TOKEN = 'a'.repeat(64);

/** Contents that depend on the program that failed, not on the tracker. */
const FREE = new Set(['packages', 'contexts', 'context', 'entries', 'tags', 'options', 'metadata', 'sdk']);

/** The keys of a value with the kinds of theirs; a list shows its first item. */
function shape(value: unknown): unknown {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? [] : [shape(value[0])];
  if (typeof value !== 'object') return typeof value;
  const entries = Object.entries(value as Record<string, unknown>).filter(([key]) => !FREE.has(key));
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, shape(item)]));
}

/** A `Link` with addresses, cursors and numbers taken out. */
function linkShape(link: string | undefined): string | undefined {
  return link?.replace(/<[^>]*>/g, '<>').replace(/cursor="[^"]+"/g, 'cursor=""');
}

const header = (recorded: Recorded, name: string): string | undefined =>
  recorded.headers.find(([key]) => key.toLowerCase() === name)?.[1];

/** Everything in the recorded shape is also in the fake's. */
function assertCovers(actual: unknown, expected: unknown, path: string): void {
  if (Array.isArray(expected)) {
    if (expected.length > 0) assertCovers((actual as unknown[])[0], expected[0], `${path}[]`);
  } else if (expected !== null && typeof expected === 'object') {
    for (const [key, value] of Object.entries(expected)) {
      assert.ok(actual !== null && typeof actual === 'object' && key in actual, `${path}.${key} is missing`);
      if (value !== null) assertCovers((actual as Record<string, unknown>)[key], value, `${path}.${key}`);
    }
  }
}

function fill(tracker: FakeTracker): FakeProject {
  const { world } = tracker;
  const bench = world.addProject('bench', 'bench', '1');
  world.addToken(TOKEN, ['project:read', 'team:read', 'event:read', 'event:write', 'org:read']);
  const events = (count: number, from: number) =>
    Array.from({ length: count }, (_, index) => ({
      at: NOW - from - index * 60_000,
      environment: 'prod',
      release: 'app@1.0.0',
      user: '7',
      id: index === 0 && from === 66 * 1000 ? '14d582b0f14e495f963bab72ccf0e5aa' : undefined!,
    })).map(({ id, ...rest }) => ((id as string | undefined) === undefined ? rest : { ...rest, id }));
  for (let id = 1; id <= 67; id += 1) {
    const isMessage = id % 5 === 3 && id !== 67;
    world.addIssue(bench, {
      id: String(id),
      title: isMessage ? 'hello world' : id === 52 ? '*fmt.wrapError: outer: bad thing 12345' : 'RuntimeError: outer',
      type: isMessage ? null : 'RuntimeError',
      message: isMessage ? 'hello world' : 'outer',
      culprit: '',
      status: id === 42 ? 'ignored' : 'unresolved',
      events: events(id === 67 ? 1 : 1 + (id % 7), id * 1000),
    });
  }
  return bench;
}

describe('the fake GlitchTip against recorded answers of a real one', () => {
  let tracker: FakeTracker;
  before(async () => {
    tracker = await startFakeTracker('GlitchTip 5.2', { now: NOW, lessons: 10 });
    fill(tracker);
  });
  after(async () => {
    await tracker.close();
  });

  // Client keys of the tracker are never asked for.
  for (const recorded of recordedAnswers.filter(({ file }) => file !== 'project-keys.json')) {
    const { method, path, body, token } = recorded.request;
    it(`${recorded.file}: ${method} ${path.slice(0, 70)} → ${recorded.status}`, async () => {
      // A cursor of the real one points at its own rows; any page after the first has the same shape.
      const first = await fetch(`${tracker.origin}/api/0/projects/bench/bench/issues/?query=is:unresolved&limit=5`, {
        headers: { authorization: `Bearer ${TOKEN}` },
      });
      const cursor = /rel="next"; results="true"; cursor="([^"]+)"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
      const response = await fetch(
        tracker.origin + path.replace(/cursor=[^&]+/, `cursor=${encodeURIComponent(cursor)}`),
        {
          method,
          headers: {
            ...(token === null ? {} : { authorization: `Bearer ${token === 'valid' ? TOKEN : token}` }),
            'content-type': 'application/json',
          },
          ...(body === null ? {} : { body: JSON.stringify(body) }),
        },
      );
      const text = await response.text();
      assert.equal(response.status, recorded.status);
      assert.equal(response.headers.get('content-type'), header(recorded, 'content-type'));
      assert.equal(linkShape(response.headers.get('link') ?? undefined), linkShape(header(recorded, 'link')));
      assert.equal(response.headers.has('x-hits'), header(recorded, 'x-hits') !== undefined);
      if (typeof recorded.body === 'string') {
        assert.equal(text, recorded.body);
        return;
      }
      const answer: unknown = JSON.parse(text);
      if (recorded.file === 'settings-public.json') {
        assertCovers(recorded.body, answer, 'settings');
      } else if (/issues-page-2|issue-[234]-|issue-[234].json|tags/.test(recorded.file)) {
        assertCovers(answer, shape(recorded.body), 'body');
      } else {
        assert.deepEqual(shape(answer), shape(recorded.body));
      }
    });
  }

  it('has frames with the fields of the recorded ones', async () => {
    const response = await fetch(`${tracker.origin}/api/0/issues/67/events/latest/`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    const frameOf = (event: any) => event.entries[0].data.values[0].stacktrace.frames[0]; // eslint-disable-line @typescript-eslint/no-explicit-any
    const real = recordedAnswers.find(({ file }) => file === 'issue-1-latest-event.json')!;
    assertCovers(frameOf(await response.json()), shape(frameOf(real.body)), 'frame');
  });
});
