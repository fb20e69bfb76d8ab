import assert from 'node:assert/strict';
import { startFakeTracker, type FakeTracker } from '../../support/fake-tracker/fake-tracker.ts';
import type { PersonalityName } from '../../support/fake-tracker/personality.ts';
import { readRecordings, type Recorded } from '../../support/fake-tracker/recorded.ts';
import type { FakeProject, FakeStatus } from '../../support/fake-tracker/world.ts';

const NOW = Date.UTC(2026, 10, 23, 5, 10);
const READ = ['project:read', 'event:read', 'org:read'];

interface Held {
  readonly folder: string;
  readonly name: PersonalityName;
  readonly organization: string;
  readonly projects: readonly (readonly [slug: string, id: string])[];
  /** Scopes of the tokens by the names that the recordings have for them. */
  readonly tokens: Readonly<Record<string, readonly string[]>>;
}

const HELD: readonly Held[] = [
  {
    folder: 'urgentry-0.2.10',
    name: 'Urgentry',
    organization: 'urgentry-org',
    projects: [
      ['default', 'default-project'],
      ['web-shop', '70facf4ffe880a6673d4f3ca59f932ce'],
    ],
    tokens: {
      valid: [...READ, 'event:write', 'org:query:read'],
      'read-only': ['project:read', 'org:read'],
      'org-read-only': ['org:read'],
    },
  },
  {
    folder: 'glitchtip-5.2-two-slugs',
    name: 'GlitchTip 5.2',
    organization: 'acme-inc',
    projects: [
      ['landing-page', '1'],
      ['web-shop', '2'],
      ['equal-counts', '3'],
      ['new-name', '4'],
      ['empty', '5'],
    ],
    tokens: {
      valid: [...READ, 'event:write'],
      'read-only': READ,
      'without-project-read': ['event:read'],
    },
  },
];

/** What recorded issues have and the fake is filled with. */
interface RecordedIssue {
  readonly id?: string;
  readonly count?: unknown;
  readonly title: string;
  readonly culprit?: string | null;
  readonly level: string;
  readonly status: FakeStatus;
  readonly metadata?: { readonly type?: string; readonly value?: string } | null;
  readonly project?: { readonly slug?: string } | null;
}

/** Kinds of the members of an object, and of the first item of a list; what programs send themselves is left out. */
const FREE = new Set(['packages', 'contexts', 'context', 'entries', 'options', 'metadata', 'sdk', 'features', 'stats']);
function kinds(value: unknown): Record<string, string> {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  if (one === null || typeof one !== 'object' || Array.isArray(one)) return {};
  return Object.fromEntries(
    Object.entries(one as Record<string, unknown>)
      .filter(([name]) => !FREE.has(name))
      .map(([name, member]) => [name, member === null ? 'null' : Array.isArray(member) ? 'array' : typeof member]),
  );
}

/** Members that errgate reads: the fake has them whenever the real one does, and of the same kind. */
const READ_MEMBERS =
  /^(id|slug|name|organization|status|title|culprit|level|count|userCount|firstSeen|lastSeen|permalink|project|shortId|type|tags|topValues|key|totalValues|eventID|event_id|groupID|group_id|projectID|project_id|dateCreated|date_created|dateReceived|date_received|platform|message|user|detail|code|auth|version)$/;

function assertSameForm(actual: unknown, real: unknown): void {
  const [fake, recorded] = [kinds(actual), kinds(real)];
  assert.equal(Array.isArray(actual), Array.isArray(real), 'a list or not');
  for (const [name, kind] of Object.entries(recorded)) {
    if (!READ_MEMBERS.test(name)) continue;
    assert.ok(name in fake || kind === 'null', `${name} is missing`);
    if (kind !== 'null' && fake[name] !== 'null') assert.equal(fake[name], kind, `kind of ${name}`);
  }
  // A member that the real one does not have must not be there to be read.
  for (const name of Object.keys(fake)) {
    const mayLack = /^(release|user|userReport|nextEventID|previousEventID)$/.test(name);
    if (READ_MEMBERS.test(name) && Object.keys(recorded).length > 0 && !mayLack) {
      assert.ok(name in recorded, `${name} is made up`);
    }
  }
}

const header = (recorded: Recorded, name: string): string | undefined =>
  recorded.headers.find(([key]) => key.toLowerCase() === name)?.[1];

/** Puts every issue and event that the recordings name into the fake's world. */
function fill(tracker: FakeTracker, held: Held, recordings: readonly Recorded[]): void {
  const { world } = tracker;
  const projects = held.projects.map(([slug, id]) => world.addProject(held.organization, slug, id));
  const bySlug = new Map(projects.map((project): [string, FakeProject] => [project.slug, project]));
  for (const [name, scopes] of Object.entries(held.tokens)) world.addToken(name, scopes);
  const known = new Set<string>();
  const events = new Map<string, string>();
  for (const { body, request, status } of recordings) {
    if (status !== 200) continue;
    const path = /\/issues\/([0-9a-f]+)\/events\/([0-9a-f]{32})\//.exec(request.path);
    if (path !== null && !path[2]!.startsWith('ffff') && body !== null && !Array.isArray(body))
      events.set(path[1]!, path[2]!);
  }
  const rows = recordings.flatMap(({ body }) => (Array.isArray(body) ? (body as unknown[]) : [body]));
  for (const row of rows as (RecordedIssue | null)[]) {
    const project = bySlug.get(row?.project?.slug ?? '');
    if (row?.id === undefined || row.count === undefined || project === undefined || known.has(row.id)) continue;
    known.add(row.id);
    const id = events.get(row.id);
    world.addIssue(project, {
      id: row.id,
      title: row.title,
      type: row.metadata?.type ?? null,
      message: row.metadata?.value ?? row.title,
      culprit: row.culprit ?? '',
      level: row.level,
      status: row.status,
      events: [
        ...Array.from({ length: 5 }, (_, index) => ({ at: NOW - known.size * 60_000 - index * 1000 })),
        {
          at: NOW - known.size * 60_000,
          environment: 'staging',
          release: 'shop@2.0.0',
          user: '1',
          tags: [['region', 'eu']],
        },
        {
          at: NOW - known.size * 50_000,
          environment: 'production',
          release: 'shop@1.0.0',
          user: '2',
          tags: [['region', 'us']],
          ...(id === undefined ? {} : { id }),
        },
      ],
    });
  }
}

/** Cursors of a GlitchTip point at its own rows: the one that the fake gives for the second page stands for them. */
async function withOwnCursor({ origin }: FakeTracker, path: string, headers: Record<string, string>): Promise<string> {
  const encoded = /&cursor=(?!garbage|0)[^&]+/.exec(path)?.[0];
  if (encoded === undefined) return path;
  const first = await fetch(origin + path.replace(encoded, ''), { headers });
  await first.text();
  const next = /rel="next"; results="true"; cursor="([^"]+)"/.exec(first.headers.get('link') ?? '')?.[1];
  return next === undefined ? path : path.replace(encoded, `&cursor=${encodeURIComponent(next)}`);
}

for (const held of HELD) {
  describe(`the fake ${held.name} against every recorded answer in ${held.folder}`, () => {
    const recordings = readRecordings(held.folder);
    let tracker: FakeTracker;
    before(async () => {
      tracker = await startFakeTracker(held.name, { now: NOW, lessons: 1000 });
      fill(tracker, held, recordings);
    });
    after(async () => {
      await tracker.close();
    });
    it('has recordings to be held to', () => assert.ok(recordings.length > 100));

    for (const recorded of recordings) {
      const { method, path, body, token } = recorded.request;
      it(`${recorded.file}: ${method} ${path.slice(0, 80)} → ${recorded.status}`, async () => {
        const authorization: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
        const response = await fetch(tracker.origin + (await withOwnCursor(tracker, path, authorization)), {
          method,
          redirect: 'manual',
          headers: {
            ...authorization,
            ...(body === null ? {} : { 'content-type': 'application/json' }),
          },
          ...(body === null ? {} : { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        assert.equal(response.status, recorded.status, text.slice(0, 200));
        for (const name of ['x-sentry-error', 'allow', 'location']) {
          assert.equal(response.headers.get(name) ?? undefined, header(recorded, name), name);
        }
        assert.equal(response.headers.has('link'), header(recorded, 'link') !== undefined, 'has Link');
        const type = (full: string | null | undefined): string | undefined => full?.split(';')[0];
        assert.equal(type(response.headers.get('content-type')), type(header(recorded, 'content-type')));
        if (recorded.body === null || typeof recorded.body === 'string') return;
        assertSameForm(JSON.parse(text), recorded.body);
      });
    }
  });
}
