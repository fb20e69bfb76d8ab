import assert from 'node:assert/strict';
import { Worker } from 'node:worker_threads';
import type { UploadToOpen } from '../../../../src/artifacts/bundles/opened-upload.ts';
import { readUpload } from '../../../../src/artifacts/uploads/read-upload.ts';

const UPLOAD = { path: '/nowhere', form: 'bundle', debugId: null, outDir: '/nowhere', roomBytes: 1 } as const;
/** Says which map it begins, then reads it for ever; ends at once when that map is left out. */
const STUCK = `
  const { parentPort, workerData } = require('node:worker_threads');
  const upload = { kind: 'sourcemaps', release: null, dist: null, files: 4, maps: [] };
  if (workerData.tooLarge.includes(3)) parentPort.postMessage({ kind: 'opened', upload });
  else {
    parentPort.postMessage({ kind: 'place', place: 3 });
    setInterval(() => undefined, 1000);
  }
`;

describe('the time to open an upload', () => {
  let started: UploadToOpen[];
  beforeEach(() => (started = []));

  const start = (workerData: UploadToOpen) => {
    started.push(workerData);
    return new Worker(STUCK, { eval: true, workerData });
  };

  it('refuses the upload when it is over, blames no map, and does not begin again', async () => {
    await assert.rejects(readUpload(UPLOAD, { mapLimitMs: 60_000, uploadLimitMs: 300, start }), {
      message:
        'The upload could not be opened within 1 minutes, the most that one may take: split it into smaller ones.',
    });
    assert.equal(started.length, 1);
  });

  it('leaves out the map alone that exceeds its own', async () => {
    const { files } = await readUpload(UPLOAD, { mapLimitMs: 3000, uploadLimitMs: 60_000, start });
    assert.equal(files, 4);
    assert.deepEqual(
      started.map(({ tooLarge }) => [...tooLarge]),
      [[], [3]],
    );
  });
});
