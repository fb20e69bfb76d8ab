import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileArea } from '../../src/storage/sqlite/files/file-area.ts';
import { partsOf } from '../support/artifact-data.ts';
import { describeOnMongo } from '../support/mongo-engine.ts';
import { openEmptyMongo } from '../support/mongo-harness.ts';

describe('files of the embedded store whose content cannot be read', () => {
  let folder: string;
  let files: FileArea;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'errgate-files-'));
    files = new FileArea(folder, { now: () => Date.now() });
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('count as lost, and other files are read', async () => {
    await files.putFile('maps/ab/whole', partsOf('whole'));
    // A folder fails to be read whatever the rights of the process are.
    await mkdir(join(folder, 'maps', 'ab', 'broken'), { recursive: true });
    assert.equal(await files.readFile('maps/ab/broken'), null);
    assert.equal(Buffer.from((await files.readFile('maps/ab/whole')) ?? []).toString(), 'whole');
    const known = await files.knownFiles(['maps/ab/broken', 'maps/ab/whole']);
    assert.deepEqual(known, [{ name: 'maps/ab/whole', bytes: 5 }]);
  });
});

describeOnMongo('files of a MongoDB store whose parts are gone', function (uri) {
  this.timeout(60_000);

  it('count as lost until they are written again, and the store as there', async () => {
    const { context, store, close } = await openEmptyMongo(uri);
    try {
      await store.putFile('maps/ab/broken', partsOf('broken'));
      await context.collections.fileParts.deleteMany({});
      assert.equal(await store.readFile('maps/ab/broken'), null);
      assert.deepEqual(await store.knownFiles(['maps/ab/broken']), []);
      await store.putFile('maps/ab/broken', partsOf('mended'));
      assert.equal(Buffer.from((await store.readFile('maps/ab/broken')) ?? []).toString(), 'mended');
      assert.equal(await context.collections.files.countDocuments({}), 1);
    } finally {
      await close();
    }
  });
});
