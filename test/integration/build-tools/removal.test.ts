import assert from 'node:assert/strict';
import { pruneUploads, surplusOf } from '../../../src/artifacts/uploads/prune-uploads.ts';
import type { ArtifactBundle } from '../../../src/domain/artifacts/artifact.ts';
import { MAX_BUNDLES } from '../../../src/domain/ports/stores/artifact-store.ts';
import { makeArtifact, makeArtifactMap, partsOf } from '../../support/artifact-data.ts';
import { FrailStore } from '../../support/frail-store.ts';
import { makeProject } from '../../support/store-data.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 5, 1);
const LIMITS = { unusedDays: 90, projectMaxBytes: 10_000 };

describe('uploads beyond the limits', () => {
  const bundle = (id: string, members: Partial<ArtifactBundle>): ArtifactBundle => ({
    ...makeArtifact({ id: 1 }, { id, uploadedAt: NOW }),
    complete: true,
    maps: 1,
    problems: [],
    ...members,
  });
  const surplus = (...bundles: readonly ArtifactBundle[]) => surplusOf(bundles, LIMITS, NOW).map(({ id }) => id);

  it('are those that were unused for long, by their upload or their last use', () => {
    const old = { uploadedAt: NOW - 91 * DAY };
    assert.deepEqual(surplus(bundle('a', old), bundle('b', { ...old, lastUsedAt: NOW - DAY }), bundle('c', {})), ['a']);
  });

  it('are those that were interrupted, after three days', () => {
    const interrupted = { complete: false, uploadedAt: NOW - 3 * DAY - 1 };
    assert.deepEqual(surplus(bundle('a', interrupted), bundle('b', { complete: false })), ['a']);
  });

  describe('above the bytes of a project', () => {
    const of = (id: string, storedBytes: number, at: number, members: Partial<ArtifactBundle> = {}) =>
      bundle(id, { storedBytes, uploadedAt: NOW - at, ...members });
    const used = (at: number) => ({ lastUsedAt: NOW - at });

    it('are the oldest', () => {
      assert.deepEqual(surplus(of('a', 4000, 3 * HOUR), of('b', 4000, HOUR), of('c', 4000, 2 * HOUR)), ['a']);
    });

    it('are all that rank below the first one without room, not only those that are too large', () => {
      const [newest, large, small] = [of('a', 3000, HOUR), of('b', 8000, 2 * HOUR), of('c', 1000, 3 * HOUR)];
      assert.deepEqual(surplus(newest, large, small), ['b', 'c']);
      assert.deepEqual(surplus(of('a', 3000, HOUR), of('b', 7000, 2 * HOUR), small), ['c']);
    });

    it('are builds that nothing used, however many, and not the release that is used', () => {
      const release = of('release', 1000, 30 * DAY, used(23 * HOUR));
      const branches = Array.from({ length: 51 }, (_, at) => of(`branch ${at}`, 1000, at * 60_000));
      const gone = surplus(...branches, release);
      assert.deepEqual(
        gone,
        branches.slice(9).map(({ id }) => id),
      );
    });

    it('are those that were used long ago before those that were uploaded since', () => {
      const old = of('old', 4000, 40 * DAY, used(8 * DAY));
      assert.deepEqual(surplus(old, of('a', 4000, 7 * DAY), of('b', 4000, HOUR)), ['old']);
      assert.deepEqual(surplus({ ...old, ...used(6 * DAY) }, of('a', 4000, 7 * DAY), of('b', 4000, HOUR)), ['a']);
    });

    it('are native debug files first', () => {
      const debug = of('debug', 4000, HOUR, { kind: 'debug' });
      assert.deepEqual(surplus(debug, of('a', 4000, 80 * DAY), of('b', 4000, 2 * HOUR)), ['debug']);
      assert.deepEqual(surplus(debug, of('a', 6000, 80 * DAY)), []);
    });

    it('are not those that were uploaded just now, when those in use would fill the space', () => {
      const inUse = Array.from({ length: 10 }, (_, at) => of(`used ${at}`, 1000, 20 * DAY, used((at + 1) * HOUR)));
      assert.deepEqual(surplus(of('new', 1500, 0), ...inUse), ['used 8', 'used 9']);
      assert.deepEqual(
        surplus(of('new', 4500, 0), ...inUse),
        inUse.slice(5).map(({ id }) => id),
      );
      assert.deepEqual(surplus(...inUse), []);
    });

    it('are the oldest above the number of uploads of a project', () => {
      const many = Array.from({ length: MAX_BUNDLES + 2 }, (_, at) => of(`${at}`, 1, at, at % 2 === 0 ? used(at) : {}));
      assert.deepEqual(surplus(...many), [`${MAX_BUNDLES - 1}`, `${MAX_BUNDLES + 1}`]);
    });
  });
});

describeOnStores('removal of uploads', (kind) => {
  it('leaves one that was used since those to remove were chosen', async () => {
    const clock = { at: NOW, now: () => clock.at };
    const opened = await kind.open(clock);
    const { store } = opened;
    try {
      const project = await makeProject(store);
      const bundle = makeArtifact(project, { uploadedAt: NOW });
      await store.putBundle(bundle, [makeArtifactMap(bundle)]);
      clock.at = NOW + 91 * DAY;
      const frail = new FrailStore(store);
      frail.delay = async (method) => {
        if (method === 'bundleUses') await store.markBundleUsed(project.id, bundle.id, clock.at);
      };
      const pruned = await pruneUploads({ store: frail.store, limits: LIMITS, clock });
      assert.deepEqual([pruned.uploads, pruned.keptUploads, pruned.keptBytes], [0, 1, 1500]);
      assert.equal((await store.mapsOfBundle(project.id, bundle.id)).length, 1);
    } finally {
      await opened.dispose();
    }
  });

  it('removes old chunks, and files that no row names any more', async () => {
    const clock = { at: NOW, now: () => clock.at };
    const opened = await kind.open(clock);
    const { store } = opened;
    try {
      const project = await makeProject(store);
      const prune = () => pruneUploads({ store, limits: LIMITS, clock });
      const kept = makeArtifact(project, { uploadedAt: NOW });
      const gone = makeArtifact(project, { id: '0a'.repeat(20), file: 'bundles/0a/0a', uploadedAt: NOW });
      const maps = [makeArtifactMap(kept), makeArtifactMap(gone, { file: 'maps/0b/0b' })];
      const files = [kept.file, maps[0]!.file!, gone.file, maps[1]!.file!];
      for (const name of [...files, 'chunks/ab/old']) await store.putFile(name, partsOf('x'));
      await store.putBundle(kept, [maps[0]!]);
      await store.putBundle(gone, [maps[1]!]);
      await store.removeBundle(project.id, gone.id);
      const there = async () =>
        (await store.knownFiles([...files, 'chunks/ab/old', 'chunks/ab/new'])).map(({ name }) => name);

      clock.at = NOW + HOUR / 2;
      assert.deepEqual(await prune(), { uploads: 0, files: 0, keptUploads: 1, keptBytes: 1500 });
      assert.deepEqual(await there(), [...files, 'chunks/ab/old'], 'their rows may still be written');

      clock.at = NOW + 3 * HOUR;
      await store.putFile('chunks/ab/new', partsOf('x'));
      assert.equal((await prune()).files, 3);
      assert.deepEqual(await there(), [kept.file, maps[0]!.file, 'chunks/ab/new']);

      clock.at = NOW + 91 * DAY;
      assert.deepEqual(await prune(), { uploads: 1, files: 3, keptUploads: 0, keptBytes: 0 });
      assert.deepEqual([await store.listBundles(project.id), await there()], [[], []]);
    } finally {
      await opened.dispose();
    }
  });
});
