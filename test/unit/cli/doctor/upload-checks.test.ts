import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkUploads } from '../../../../src/cli/doctor/upload-checks.ts';
import { makeArtifact, makeArtifactMap, partsOf } from '../../../support/artifact-data.ts';
import { makeProject } from '../../../support/store-data.ts';
import { describeOnStores, type OpenedStore } from '../../../support/test-stores.ts';

const NOW = Date.UTC(2026, 5, 1);
const DAY = 86_400_000;

describeOnStores('doctor: uploads', (kind) => {
  const clock = { at: NOW, now: () => clock.at };
  let opened: OpenedStore;
  let dataDir: string;
  beforeEach(async () => {
    clock.at = NOW;
    opened = await kind.open(clock);
    dataDir = mkdtempSync(join(tmpdir(), 'errgate-doctor-'));
  });
  afterEach(async () => {
    await opened.dispose();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const check = async (projectMaxBytes = 1e9) => {
    const { status, message, advice } = await checkUploads(
      opened.store,
      { projectMaxBytes },
      { dataDir, now: clock.at },
    );
    return [status, message, ...(advice === null ? [] : [advice])].join('; ');
  };

  it('are well when there are none, and when all of their files are there', async () => {
    const { store } = opened;
    assert.equal(await check(), 'ok; none');
    const project = await makeProject(store);
    const bundle = makeArtifact(project, { size: 1 });
    const map = makeArtifactMap(bundle, { bytes: 1 });
    await store.putFile(bundle.file, partsOf('x'));
    await store.putFile(map.file!, partsOf('x'));
    await store.putBundle(bundle, [map, makeArtifactMap(bundle, { place: 1, file: null, problem: 'no map' })]);
    assert.equal(await check(), 'ok; 1 upload with 1.5 KiB, all files are there');
    assert.match(await check(1600), /^warn; nearly as large as 1\.6 KiB, .* \(1\.5 KiB\); raise ERRGATE_ARTIFACT_MAX/);
  });

  it('fail when a file that they name is missing, or was cut', async () => {
    const { store } = opened;
    const project = await makeProject(store);
    const bundle = makeArtifact(project, { size: 1 });
    const map = makeArtifactMap(bundle, { bytes: 5 });
    await store.putFile(bundle.file, partsOf('x'));
    await store.putBundle(bundle, [map]);
    const failure = new RegExp(`^fail; files are missing or cut of 1 upload, .* ${bundle.id}; upload them again`);
    assert.match(await check(), failure);
    await store.putFile(map.file!, partsOf('cut'));
    assert.match(await check(), failure);
    await store.putFile(map.file!, partsOf('whole'), 5);
    assert.match(await check(), /^ok; /);
  });

  it('are warned about when files belong to none for a day, as where nothing removes them', async () => {
    await opened.store.putFile('maps/ab/ab', partsOf('left'));
    assert.equal(await check(), 'ok; none');
    clock.at = NOW + DAY + 1;
    assert.match(await check(), /^warn; 1 file with 4 bytes belong to no upload since a day; .*errgate prune/);
  });

  it('fail when the folder in which they are opened cannot be used', async () => {
    if (process.getuid?.() === 0) {
      writeFileSync(join(dataDir, 'uploads'), '');
      chmodSync(join(dataDir, 'uploads'), 0o400);
    } else mkdirSync(join(dataDir, 'uploads'), { mode: 0o400 });
    assert.match(await check(), /^fail; no upload can be opened: .*; give .*uploads to the user/);
  });
});
