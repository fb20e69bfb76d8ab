import assert from 'node:assert/strict';
import { startFakeTracker, type FakeTracker } from '../../support/fake-tracker/fake-tracker.ts';
import type { PersonalityName } from '../../support/fake-tracker/personality.ts';
import { readRecordings, type Recorded } from '../../support/fake-tracker/recorded.ts';
import { differences, learnShape, newShape, type Shape } from '../../support/fake-tracker/recorded-shape.ts';
import { fillFromRecordings, isIssue, rowsOf } from '../../support/fake-tracker/recorded-world.ts';

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
  {
    folder: 'glitchtip-5.2',
    name: 'GlitchTip 5.2',
    organization: 'bench',
    projects: [['bench', '1']],
    tokens: { valid: [...READ, 'event:write', 'team:read'] },
  },
];

/** What decides the form of an answer: the route without its names, the method and the status. */
function formOf({ request, status }: Recorded, name: PersonalityName): string {
  const route = new URL(request.path, 'http://recorded').pathname
    .replace(/\/(projects|organizations)\/[^/]+/g, '/$1/{}')
    .replace(/\/projects\/\{\}\/[^/]+/, '/projects/{}/{}')
    .replace(/\/issues\/[^/]+/, '/issues/{}')
    .replace(/\/events\/[^/]+/, '/events/{}')
    // An issue has one form below its organization and alone, and where an Urgentry answers with it for a part.
    .replace('/organizations/{}/issues/{}', '/issues/{}')
    .replace(/\/tags\/$/, name === 'Urgentry' ? '/' : '$&');
  return `${name} ${status} ${request.method} ${route}`;
}

/** The forms of all answers, from every recording of the tracker. */
function learnForms(): Map<string, Shape> {
  const forms = new Map<string, Shape>();
  const shared = new Map(HELD.map(({ name }) => [name, new Map<string, Shape>()]));
  for (const { folder, name } of HELD) {
    for (const recorded of readRecordings(folder)) {
      const form = formOf(recorded, name);
      const shape = forms.get(form) ?? newShape();
      forms.set(form, shape);
      learnShape(shape, recorded.body, shared.get(name)!);
    }
  }
  return forms;
}

const header = (recorded: Recorded, name: string): string | undefined =>
  recorded.headers.find(([key]) => key.toLowerCase() === name)?.[1];

/** A `Link` with addresses, cursors and numbers taken out. */
const linkShape = (link: string | null | undefined): string =>
  (link ?? 'none').replace(/<[^>]*>/g, '<>').replace(/cursor="[^"]+"/g, 'cursor=""');

/** The way from the first page to the recorded one, by the name of the recording. */
function stepsTo(file: string): ('next' | 'previous')[] {
  const page = /page-(\d)/.exec(file)?.[1];
  if (page !== undefined) return Array.from({ length: Number(page) - 1 }, () => 'next');
  return file.includes('previous') ? ['next', 'previous'] : [];
}

/** Cursors of a GlitchTip point at its own rows: those that the fake gives on the same way stand for them. */
async function withOwnCursor({ origin }: FakeTracker, file: string, path: string, headers: Record<string, string>) {
  const recordedCursor = /&cursor=(?!0)[^&]+/.exec(path)?.[0];
  if (recordedCursor === undefined) return path;
  let own = path.replace(recordedCursor, '');
  for (const step of stepsTo(file)) {
    const page = await fetch(origin + own, { headers });
    await page.text();
    const link = new RegExp(`rel="${step}"; results="true"; cursor="([^"]+)"`).exec(page.headers.get('link') ?? '');
    own = path.replace(recordedCursor, `&cursor=${encodeURIComponent(link?.[1] ?? 'none')}`);
  }
  return stepsTo(file).length === 0 ? path : own;
}

/** Fewest rows of a page that nobody asked to be short. */
const PAGE = 50;

/** Whether a list has every row that fits, and is no page of it: the order of rows that are equal is not recorded. */
const isWhole = (path: string, rows: readonly unknown[]): boolean =>
  rows.length < PAGE && !/[?&](?:limit|per_page|cursor|sort)=/.test(path);

/** Which neighbours an event names. */
function neighbours(event: unknown): unknown[] {
  const { nextEventID, previousEventID } = event as Record<string, unknown>;
  return [nextEventID, previousEventID].map((id) => (typeof id === 'string' ? 'an event' : id));
}

const idsOf = (rows: unknown): unknown[] => (rows as { id?: unknown }[]).map(({ id }) => id);

/** Answers of a state that the fake has no part of: a quota that is used up. Tests of errgate serve them as they are. */
const OF_A_STATE = new Set(['issues-organization-rate-limited.json']);

const FORMS = learnForms();

for (const held of HELD) {
  describe(`the fake ${held.name} against every recorded answer in ${held.folder}`, () => {
    const recordings = readRecordings(held.folder);
    let filled: FakeTracker;
    let fresh: FakeTracker;
    /** Starts the tracker with these projects. */
    async function start(projects: Held['projects']): Promise<FakeTracker> {
      const tracker = await startFakeTracker(held.name, { now: NOW, lessons: 1000 });
      for (const [slug, id] of projects) tracker.world.addProject(held.organization, slug, id);
      for (const [name, scopes] of Object.entries(held.tokens)) tracker.world.addToken(name, scopes);
      return tracker;
    }
    before(async () => {
      fresh = await start(held.projects.slice(0, 1));
      filled = await start(held.projects);
      fillFromRecordings(filled.world, recordings);
    });
    after(async () => {
      await fresh.close();
      await filled.close();
    });
    it('has recordings to be held to', () => assert.ok(recordings.length > 40));

    for (const recorded of recordings.filter(({ file }) => !OF_A_STATE.has(file))) {
      const { method, path, body, token } = recorded.request;
      it(`${recorded.file}: ${method} ${path.slice(0, 80)} → ${recorded.status}`, async () => {
        const tracker = recorded.file.startsWith('fresh-') ? fresh : filled;
        // States changed between the recordings.
        for (const row of rowsOf(recorded).filter(isIssue)) {
          const issue = tracker.world.issueById(row.id);
          if (issue !== undefined && method === 'GET') issue.status = row.status;
        }
        const authorization: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
        const response = await fetch(
          tracker.origin + (await withOwnCursor(tracker, recorded.file, path, authorization)),
          {
            method,
            redirect: 'manual',
            headers: {
              ...authorization,
              ...(body === null ? {} : { 'content-type': 'application/json' }),
            },
            ...(body === null ? {} : { body: JSON.stringify(body) }),
          },
        );
        const text = await response.text();
        assert.equal(response.status, recorded.status, text.slice(0, 200));
        for (const name of ['x-sentry-error', 'allow', 'location', 'retry-after', 'content-type']) {
          assert.equal(response.headers.get(name) ?? undefined, header(recorded, name), name);
        }
        assert.equal(linkShape(response.headers.get('link')), linkShape(header(recorded, 'link')));
        assert.equal(response.headers.has('x-hits'), header(recorded, 'x-hits') !== undefined, 'has X-Hits');
        if (recorded.body === null || typeof recorded.body === 'string') return;
        const answer: unknown = JSON.parse(text);
        if (recorded.status >= 400) {
          assert.deepEqual(answer, recorded.body);
          return;
        }
        assert.deepEqual(differences(FORMS.get(formOf(recorded, held.name))!, answer), []);
        assert.deepEqual(neighbours(answer), neighbours(recorded.body), 'neighbours of an event');
        if (!Array.isArray(recorded.body)) return;
        assert.equal((answer as unknown[]).length === 0, recorded.body.length === 0, 'an empty list or not');
        if (!isWhole(path, recorded.body) || !rowsOf(recorded).every(isIssue)) return;
        const found = new Set(idsOf(answer));
        assert.deepEqual(
          idsOf(recorded.body).filter((id) => !found.has(id)),
          [],
          'rows that are not found',
        );
      });
    }
  });
}
