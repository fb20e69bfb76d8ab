import assert from 'node:assert/strict';
import {
  encodeSegmentHeader,
  listSegments,
  markerOf,
  readSegmentHeader,
  segmentPath,
} from '../../../../../src/integrated/intake/journal/segment.ts';
import { SimulatedDisk } from '../../../../support/simulated-disk.ts';

const HEADER = encodeSegmentHeader({ id: '0a'.repeat(16), ends: [[3, 100]] });

async function read(content: Buffer) {
  const disk = new SimulatedDisk();
  await disk.makeDir('/j/segments');
  const file = await disk.create(segmentPath('/j', 4));
  await file.append([content]);
  return readSegmentHeader(disk, segmentPath('/j', 4));
}

describe('segment header', () => {
  it('is read as it was written', async () => {
    const header = await read(Buffer.concat([HEADER, Buffer.from('records')]));
    assert.deepEqual(header, {
      id: '0a'.repeat(16),
      ends: [[3, 100]],
      marker: 0x0a0a0a0a,
      bytes: HEADER.length,
    });
  });

  it('is torn when the file ends within it, at every byte', async () => {
    for (let length = 0; length < HEADER.length; length += 1) {
      assert.equal(await read(HEADER.subarray(0, length)), 'torn');
    }
  });

  it('is damaged when a byte of it changed, unless the length grew beyond the file', async () => {
    for (let at = 0; at < HEADER.length; at += 1) {
      const changed = Buffer.from(HEADER);
      changed[at]! ^= 0x40;
      const header = await read(changed);
      // A longer length (bytes 8 to 11) looks like a file that was cut short.
      assert.ok(header === 'damaged' || (header === 'torn' && at >= 8 && at < 12), `byte ${at}`);
    }
  });

  it('never gives the marker that an empty file holds', () => {
    assert.equal(markerOf('00000000ffff'), 1);
  });
});

describe('listSegments', () => {
  it('lists numbers in order and leaves other files alone', async () => {
    const disk = new SimulatedDisk();
    await disk.makeDir('/j/segments');
    for (const name of ['000000000012.seg', '000000000002.seg', 'notes.txt', '7.seg']) {
      await disk.create(`/j/segments/${name}`);
    }
    assert.deepEqual(await listSegments(disk, '/j'), [2, 12]);
    assert.deepEqual(await listSegments(disk, '/elsewhere'), []);
  });
});
