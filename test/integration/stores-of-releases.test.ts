import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Protection } from '../../src/domain/ingest/protection.ts';
import { openStore } from '../../src/storage/open/open-store.ts';
import { pendingMigration } from '../../src/storage/open/pending-migration.ts';
import { startApp, type RunningApp } from '../support/app.ts';
import { callErrgate } from '../support/cli-call.ts';
import { describeOnMongoInFullRun } from '../support/mongo-engine.ts';
import { differences, type Answers } from '../support/releases/answers.ts';
import { PASSWORD, PENDING } from '../support/releases/fill-release.ts';
import {
  fixtureReleases,
  placeFixture,
  type FixtureStore,
  type PlacedFixture,
} from '../support/releases/release-fixture.ts';
import { startServiceHere } from '../support/service-here.ts';
import { eventually } from '../support/service-process.ts';
import type { StoreKind } from '../support/test-stores.ts';

/** Releases of the changelog, newest first. */
const RELEASES = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## \[(\d+\.\d+\.\d+)\]/gm)].map(
  ([, name]) => name,
);

describe('stores of releases', () => {
  it('are kept of every release in the changelog: `npm run store-fixture` makes one', () => {
    assert.deepEqual(fixtureReleases().sort(), [...RELEASES].sort());
  });
});

const NO_LIMIT = { events: null, sessions: null };
/** Protection of a service without settings, as the fixtures were made. */
const AS_INSTALLED: Protection = {
  scrubbing: { enabled: true, scrubIps: false, sensitiveFields: [], safeFields: [] },
  limits: { key: NO_LIMIT, project: NO_LIMIT, instance: NO_LIMIT, spikeGuard: null },
};

/** Opens the store, as the first start of this version does, at the time when its answers were read. */
async function appOn(fixture: PlacedFixture): Promise<RunningApp> {
  const clock = { now: () => fixture.readAt };
  const open = () => openStore({ url: fixture.url, dataDir: fixture.dataDir, migrate: true, clock });
  const kind: StoreKind = {
    ...{ name: 'a release', shared: false },
    async open() {
      const store = await open();
      return { store, other: open, dispose: () => store.close() };
    },
    forProcesses: () => ({ env: fixture.env, remove: () => Promise.resolve() }),
  };
  const app = await startApp(kind, { protection: () => AS_INSTALLED });
  app.clock.at = fixture.readAt;
  return app;
}

async function answersNow(app: RunningApp, { answers, token }: PlacedFixture): Promise<Answers> {
  const now: Record<string, unknown> = {};
  const paths = Object.keys(answers);
  // A few at a time: more would wait for connections on a slow machine.
  for (let from = 0; from < paths.length; from += 8) {
    await Promise.all(
      paths.slice(from, from + 8).map(async (path) => {
        const answer = await app.get(path, token);
        now[path] = answer.status === 200 ? answer.json() : `status ${answer.status}`;
      }),
    );
  }
  return now;
}

function describeRelease(release: string, store: FixtureStore, mongoUri?: string): void {
  describe(`the ${store} store of ${release}`, function () {
    this.timeout(120_000);
    let fixture: PlacedFixture;

    before(async () => {
      fixture = await placeFixture(release, store, mongoUri);
    });
    after(() => fixture.remove());

    it('opens, and answers as before', async () => {
      const app = await appOn(fixture);
      try {
        assert.deepEqual(differences(fixture.answers, await answersNow(app, fixture)), []);
        const body = { username: 'ada', password: PASSWORD };
        assert.equal((await app.ask('POST', '/-/session', { body })).status, 200, 'passwords are known');
      } finally {
        await app.close();
      }
      assert.deepEqual(await pendingMigration(fixture), []);
    });

    it('takes in what the release had acknowledged and not stored', async () => {
      const checked = await callErrgate(['migrate'], fixture.env);
      assert.equal(checked.code, 0, checked.stderr);
      const service = await startServiceHere(fixture.dataDir, fixture.env);
      try {
        const path = `/api/v4/projects/${fixture.projectId}/error_tracking/errors?status=all&search=${PENDING.type}`;
        const [found, ...others] = await eventually(
          () => service.get(path) as Promise<{ readonly count: number }[]>,
          ([error]) => (error?.count ?? 0) >= PENDING.events,
        );
        assert.deepEqual([found?.count, others.length], [PENDING.events, 0]);
      } finally {
        await service.end('SIGTERM');
      }
    });
  });
}

for (const release of fixtureReleases()) {
  describeRelease(release, 'sqlite');
  describeOnMongoInFullRun(`a database of ${release}`, (uri) => describeRelease(release, 'mongodb', uri));
}
