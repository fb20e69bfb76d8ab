import assert from 'node:assert/strict';
import { uploadProjects } from '../../src/storage/records/kinds/artifact-kinds.ts';
import { projectLinks } from '../../src/storage/records/kinds/link-kinds.ts';
import { put } from '../../src/storage/records/writes.ts';
import { mongoRecords } from '../../src/storage/mongo/records/mongo-records.ts';
import { describeOnMongo } from '../support/mongo-engine.ts';
import { openEmptyMongo } from '../support/mongo-harness.ts';
import { recordsContract } from './store-records.contract.ts';
import { uploadRacesContract } from './store-upload-races.contract.ts';

describeOnMongo('MongoDB store: records', function (uri) {
  this.timeout(180_000);
  const open = async () => {
    const { store, context, close } = await openEmptyMongo(uri);
    return { store, records: mongoRecords(context), dispose: close };
  };
  recordsContract('MongoDB', open);
  uploadRacesContract('MongoDB', open);

  it('keep members that another version declares', async () => {
    const { context, close } = await openEmptyMongo(uri);
    const records = mongoRecords(context);
    const links = { projectId: 1, repository: null, issueTracker: null, sealedToken: 'a' };
    await records.write([put(projectLinks, links)]);
    const rows = context.collections.projectLinks;
    await rows.updateOne({ _id: 1 }, { $set: { later: 'kept' }, $unset: { repository: true } });
    await records.write([put(projectLinks, { ...links, sealedToken: 'b' })]);
    assert.deepEqual(await rows.findOne({ _id: 1 }), {
      ...{ _id: 1, repository: null, issueTracker: null, sealedToken: 'b', later: 'kept' },
    });
    assert.deepEqual(await records.get(projectLinks, { projectId: 1 }), { ...links, sealedToken: 'b' });
    await close();
  });

  it('of one kind are put in few commands', async () => {
    const { context, close } = await openEmptyMongo(uri);
    let commands = 0;
    context.connection.getClient().on('commandStarted', ({ commandName }) => {
      if (commandName === 'update') commands += 1;
    });
    const rows = Array.from({ length: 250 }, (_, at) => ({ projectId: at + 1 }));
    await mongoRecords(context).write(rows.map((row) => put(uploadProjects, row)));
    assert.deepEqual(await mongoRecords(context).list(uploadProjects, {}), rows);
    assert.equal(commands, 3);
    await close();
  });
});
