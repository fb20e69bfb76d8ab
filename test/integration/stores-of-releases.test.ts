import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Protection } from '../../src/domain/ingest/protection.ts';
import { openStore } from '../../src/storage/open/open-store.ts';
import { pendingMigration } from '../../src/storage/open/pending-migration.ts';
import { startApp, type RunningApp } from '../support/app.ts';
import { callErrgate } from '../support/cli-call.ts';
import { itInFullRun } from '../support/full-run.ts';
import { describeOnMongoInFullRun, MONGO_URI, TestDatabases } from '../support/mongo-engine.ts';
import { askService, differences, type Answers } from '../support/releases/answers.ts';
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

/** Answers about alerts come from parts that only a whole service has. */
const NEEDS_SERVICE = /alert/;

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
  const paths = Object.keys(answers).filter((path) => !NEEDS_SERVICE.test(path));
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

/** Opens the store, and checks that everything that its release answered is answered, and that passwords are known. */
async function assertAnswers(fixture: PlacedFixture): Promise<void> {
  const app = await appOn(fixture);
  try {
    const now = await answersNow(app, fixture);
    const before = Object.fromEntries(Object.keys(now).map((path) => [path, fixture.answers[path]]));
    assert.ok(Object.keys(now).length > 150);
    assert.deepEqual(differences(before, now), []);
    const body = { username: 'ada', password: PASSWORD };
    assert.equal((await app.ask('POST', '/-/session', { body })).status, 200);
  } finally {
    await app.close();
  }
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
      await assertAnswers(fixture);
      assert.deepEqual(await pendingMigration(fixture), []);
    });

    if (store === 'sqlite') {
      itInFullRun('is backed up, restored at another path, and copied to MongoDB, and answers as before', async () => {
        const copy = await placeFixture(release, 'sqlite');
        const databases = MONGO_URI === undefined ? null : new TestDatabases(MONGO_URI);
        try {
          const run = async (args: readonly string[], env = copy.env) => {
            const { code, stderr } = await callErrgate(args, env);
            assert.equal(code, 0, stderr);
          };
          const file = join(copy.dataDir, 'kept', 'of-release.db');
          mkdirSync(join(copy.dataDir, 'kept'));
          await run(['backup', file]);
          const dataDir = join(copy.dataDir, 'another', 'place');
          await run(['restore', file], { ...copy.env, ERRGATE_DATA_DIR: dataDir });
          await assertAnswers({ ...fixture, dataDir });
          if (databases === null) return;
          const url = databases.create();
          await run(['copy-store', '--to', url], { ...copy.env, ERRGATE_DATA_DIR: dataDir });
          await assertAnswers({ ...fixture, dataDir, url });
        } finally {
          await databases?.dropAll();
          await copy.remove();
        }
      });
    }

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
        const ask = askService(service.url, fixture.token);
        for (const path of Object.keys(fixture.answers).filter((each) => NEEDS_SERVICE.test(each))) {
          assert.deepEqual(differences(fixture.answers[path], await ask(path), path), []);
        }
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
