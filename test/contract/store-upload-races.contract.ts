import assert from 'node:assert/strict';
import { AppError } from '../../src/domain/app-error.ts';
import { artifactBundles, artifactMaps } from '../../src/storage/records/kinds/artifact-kinds.ts';
import { ARTIFACT_RECORDS } from '../../src/storage/records/artifact-records.ts';
import type { Records } from '../../src/storage/records/records.ts';
import { makeArtifact, makeArtifactMap } from '../support/artifact-data.ts';
import { makeProject } from '../support/store-data.ts';
import type { RecordHarness } from './store-records.contract.ts';

const AWAY = { code: 'store_unavailable' };
const MAPS = 3;

/** Uploads that are written, written again and removed by several processes at once. */
export function uploadRacesContract(name: string, open: () => Promise<RecordHarness>): void {
  describe(`races of uploads: ${name}`, () => {
    let harness: RecordHarness;
    let records: Records;
    let projectId: number;

    beforeEach(async () => {
      harness = await open();
      records = harness.records;
      projectId = (await makeProject(harness.store)).id;
    });
    afterEach(() => harness.dispose());

    /** Records of another process, which does something before one of its writes. */
    const pausedAt = (at: number, pause: () => Promise<unknown>): Records => {
      let writes = 0;
      return {
        ...{ now: () => 0, get: records.get.bind(records), find: records.find.bind(records) },
        list: records.list.bind(records),
        async write(...args) {
          writes += 1;
          if (writes === at) await pause();
          return records.write(...args);
        },
      };
    };
    const bundleAt = (uploadedAt: number) => makeArtifact({ id: projectId }, { uploadedAt });
    const { id } = makeArtifact({ id: 0 });
    const writeAt = (uploadedAt: number, by = records) => {
      const bundle = bundleAt(uploadedAt);
      const maps = Array.from({ length: MAPS }, (_, place) => makeArtifactMap(bundle, { place }));
      return ARTIFACT_RECORDS.putBundle(by, bundle, maps);
    };
    const removal = (by = records) => ARTIFACT_RECORDS.removeBundle(by, projectId, id, undefined);
    const fail = () => Promise.reject(new AppError('store_unavailable', 'the store is away'));

    /** What the store has of the upload: whether it is complete, when it was uploaded, and its maps. */
    const state = async () => {
      const [bundle] = await records.list(artifactBundles, { projectId });
      const { length } = await records.list(artifactMaps, { projectId });
      return bundle === undefined
        ? { maps: length }
        : { at: bundle.uploadedAt, complete: bundle.complete, maps: length };
    };
    const wholeAt = (at: number) => ({ at, complete: true, maps: MAPS });

    it('that were there stay when writing them again fails', async () => {
      let writes = 0;
      const failing = (at: number): Records => ({
        ...{ now: () => 0, get: records.get.bind(records), find: records.find.bind(records) },
        list: records.list.bind(records),
        write(...args) {
          writes += 1;
          if (writes === at) throw new AppError('store_unavailable', 'the store is away');
          return records.write(...args);
        },
      });
      const bundle = makeArtifact({ id: projectId }, { uploadedAt: 1000 });
      const maps = [0, 1, 2].map((place) => makeArtifactMap(bundle, { place }));
      for (const at of [2, 3]) {
        writes = 0;
        await assert.rejects(ARTIFACT_RECORDS.putBundle(failing(at), bundle, maps), AWAY);
        assert.deepEqual(await records.list(artifactMaps, { projectId }), [], 'nothing is left of a new one');
        assert.deepEqual(await records.list(artifactBundles, { projectId }), []);
      }
      await ARTIFACT_RECORDS.putBundle(records, bundle, maps);
      const known = await records.list(artifactBundles, { projectId });
      const again = maps.map((map) => ({ ...map, uploadedAt: 2000 }));
      for (const at of [1, 2]) {
        writes = 0;
        await assert.rejects(ARTIFACT_RECORDS.putBundle(failing(at), { ...bundle, uploadedAt: 2000 }, again), AWAY);
        assert.equal((await records.list(artifactMaps, { projectId })).length, maps.length);
        assert.deepEqual(await records.list(artifactBundles, { projectId }), known);
      }
      await ARTIFACT_RECORDS.putBundle(records, { ...bundle, uploadedAt: 2000 }, again);
      assert.deepEqual(await records.list(artifactMaps, { projectId }), again);
      assert.equal((await records.list(artifactBundles, { projectId }))[0]?.uploadedAt, 2000);
    });

    it('that are removed while they are written are not there, and their writer hears it', async () => {
      for (const at of [2, 3]) {
        await assert.rejects(writeAt(1000, pausedAt(at, removal)), AWAY);
        assert.deepEqual(await state(), { maps: 0 }, `write ${at}`);
      }
      await writeAt(1000);
      assert.deepEqual(await state(), wholeAt(1000));
    });

    it('that are removed while they are written again are not there, and their writer hears it', async () => {
      for (const at of [1, 2]) {
        await writeAt(1000);
        await assert.rejects(writeAt(2000, pausedAt(at, removal)), AWAY);
        assert.deepEqual(await state(), { maps: 0 }, `write ${at}`);
      }
    });

    it('that are written again while they are removed are whole', async () => {
      for (const [at, removed] of [
        [1, false],
        [2, true],
        [3, true],
      ] as const) {
        await writeAt(1000);
        const again = () => writeAt(2000);
        assert.equal(await removal(pausedAt(at, again)), removed);
        assert.deepEqual(await state(), wholeAt(2000), `write ${at}`);
        await removal();
      }
    });

    it('that another process completed stay when the first one fails', async () => {
      for (const at of [2, 3]) {
        const completedByOther = async () => {
          await writeAt(2000);
          await fail();
        };
        await assert.rejects(writeAt(1000, pausedAt(at, completedByOther)), AWAY);
        assert.deepEqual(await state(), wholeAt(2000), `write ${at}`);
        await removal();
      }
    });

    it('that another process completed are not completed a second time by the first one', async () => {
      await assert.rejects(
        writeAt(
          1000,
          pausedAt(3, () => writeAt(2000)),
        ),
        AWAY,
      );
      assert.deepEqual(await state(), wholeAt(2000));
    });

    it('that two processes write again at once are whole', async () => {
      await writeAt(1000);
      await writeAt(
        2000,
        pausedAt(2, () => writeAt(3000)),
      );
      assert.deepEqual(await state(), wholeAt(2000));
    });

    it('whose removal was interrupted are not complete, and are removed by the next one', async () => {
      for (const at of [2, 3]) {
        await writeAt(1000);
        await assert.rejects(removal(pausedAt(at, fail)), AWAY);
        assert.equal((await state()).complete, false);
        assert.equal(await removal(), true);
        assert.deepEqual(await state(), { maps: 0 }, `write ${at}`);
      }
    });

    it('stay when they were used or uploaded again since they were seen', async () => {
      const removalAs = async (change: () => Promise<unknown>) => {
        await writeAt(1000);
        const [seen] = await ARTIFACT_RECORDS.listBundles(records, projectId);
        await change();
        const { uploadedAt, lastUsedAt, complete } = seen!;
        return ARTIFACT_RECORDS.removeBundle(records, projectId, id, { uploadedAt, lastUsedAt, complete });
      };
      assert.equal(await removalAs(() => ARTIFACT_RECORDS.markBundleUsed(records, projectId, id, 5000)), false);
      assert.equal(await removalAs(() => writeAt(2000)), false);
      assert.deepEqual(await state(), wholeAt(2000));
      assert.equal(await removalAs(() => Promise.resolve()), true);
      assert.deepEqual(await state(), { maps: 0 });
    });
  });
}
