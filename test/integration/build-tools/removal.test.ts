import assert from 'node:assert/strict';
import { pruneUploads, surplusOf } from '../../../src/artifacts/uploads/prune-uploads.ts';
import type { ArtifactBundle } from '../../../src/domain/artifacts/artifact.ts';
import { makeArtifact, makeArtifactMap, partsOf } from '../../support/artifact-data.ts';
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
    problems: [],
    ...members,
  });
  const surplus = (...bundles: readonly ArtifactBundle[]) => surplusOf(bundles, LIMITS, NOW).map(({ id }) => id);

  it('are those that were unused for long, by their upload or their last use', () => {
    const old = { uploadedAt: NOW - 91 * DAY };
    assert.deepEqual(surplus(bundle('a', old), bundle('b', { ...old, lastUsedAt: NOW - DAY }), bundle('c', {})), ['a']);
  });

  it('are those that were interrupted, after a day', () => {
    const interrupted = { complete: false, uploadedAt: NOW - 2 * DAY };
    assert.deepEqual(surplus(bundle('a', interrupted), bundle('b', { complete: false })), ['a']);
  });

  it('are the least recently used above the bytes of a project', () => {
    const of = (id: string, at: number) => bundle(id, { storedBytes: 4000, uploadedAt: NOW - at });
    assert.deepEqual(surplus(of('a', 3 * HOUR), of('b', HOUR), of('c', 2 * HOUR)), ['a']);
  });
});

describeOnStores('removal of uploads', (kind) => {
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
      const there = () => store.knownFiles([...files, 'chunks/ab/old', 'chunks/ab/new']);

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
