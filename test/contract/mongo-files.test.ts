import assert from 'node:assert/strict';
import { mongo } from 'mongoose';
import { partsOf } from '../support/artifact-data.ts';
import { pruneUploads } from '../../src/artifacts/uploads/prune-uploads.ts';
import { describeOnMongo } from '../support/mongo-engine.ts';
import { openEmptyMongo, type OpenedMongo } from '../support/mongo-harness.ts';

const DAY = 86_400_000;

describeOnMongo('MongoDB store: parts of files', function (uri) {
  this.timeout(60_000);
  let opened: OpenedMongo;
  beforeEach(async () => {
    opened = await openEmptyMongo(uri);
  });
  afterEach(() => opened.close());

  const part = (files_id: mongo.ObjectId, n: number) => ({
    ...{ _id: new mongo.ObjectId(), files_id, n },
    data: new mongo.Binary(Buffer.from('half')),
  });

  it('go when a killed process began to write or to remove their file, and stay otherwise', async () => {
    const { store, context } = opened;
    const { fileParts } = context.collections;
    const now = Date.now();
    const idAt = (at: number) => mongo.ObjectId.createFromTime(Math.floor(at / 1000));
    // More than one page of them, some of whose first parts are gone already.
    const old = Array.from({ length: 40 }, (_, day) => idAt(now - (day + 2) * DAY));
    await fileParts.insertMany(old.flatMap((id, at) => Array.from({ length: 60 }, (_, n) => part(id, n + (at % 2)))));
    const writing = idAt(now - DAY / 2);
    await fileParts.insertOne(part(writing, 0));
    await store.putFile('chunks/ab/whole', partsOf('whole'));
    await store.removeUnfinished(now - DAY);
    const left = await fileParts.distinct('files_id');
    assert.equal(left.length, 2);
    assert.ok(left.some((id) => id.equals(writing)));
    assert.equal(Buffer.from((await store.readFile('chunks/ab/whole'))!).toString(), 'whole');
    // What is whole stays whatever its age.
    await store.removeUnfinished(now + DAY);
    assert.equal((await fileParts.distinct('files_id')).length, 1);
    assert.equal(Buffer.from((await store.readFile('chunks/ab/whole'))!).toString(), 'whole');
  });

  it('of names that two writers left twice are all swept, beyond the first page', async () => {
    const { store, context } = opened;
    const [old, recent] = [new Date(Date.now() - DAY), new Date()];
    const names = Array.from({ length: 501 }, (_, at) => `chunks/ab/${String(at).padStart(4, '0')}`);
    const rows = [names[0]!, ...names].map((filename, at) => ({
      ...{ _id: new mongo.ObjectId(), length: 1, chunkSize: 1, filename },
      uploadDate: at < 2 || at > 500 ? old : recent,
    }));
    await context.collections.fileParts.insertMany(rows.map(({ _id }) => part(_id, 0)));
    await context.collections.files.insertMany(rows);
    const clock = { now: () => Date.now() };
    const { files } = await pruneUploads({ store, limits: { unusedDays: 90, projectMaxBytes: 1 }, clock });
    assert.equal(files, 2);
    const known = await store.knownFiles([names[0]!, names[1]!, names[500]!]);
    assert.deepEqual(known, [{ name: names[1], bytes: 1 }]);
  });
});
