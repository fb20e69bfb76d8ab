import assert from 'node:assert/strict';
import { FrameReader, findFrame, readFrame } from '../../../../../src/integrated/intake/journal/frame-reader.ts';
import type { FrameRange } from '../../../../../src/integrated/intake/journal/frame-reader.ts';
import { decodeRecord, encodeRecord, stampMarker } from '../../../../../src/integrated/intake/journal/record-frame.ts';
import { record } from '../../../../support/journal-world.ts';
import { SimulatedDisk } from '../../../../support/simulated-disk.ts';

const MARKER = 0x1234abcd;
const PATH = '/d/file';

function frame(i: number, body: Buffer): Buffer {
  const buffers = encodeRecord(record(i, { body }));
  stampMarker(buffers[0]!, MARKER);
  return Buffer.concat(buffers);
}

async function diskWith(content: Buffer): Promise<{ disk: SimulatedDisk; range: FrameRange }> {
  const disk = new SimulatedDisk();
  await disk.makeDir('/d');
  const file = await disk.create(PATH);
  await file.append([content]);
  return { disk, range: { path: PATH, marker: MARKER, from: 0, to: content.length } };
}

/** Ids of the records, and how the walk ended. */
async function walk(disk: SimulatedDisk, range: FrameRange): Promise<(string | null)[]> {
  const reader = new FrameReader(disk, range);
  const seen: (string | null)[] = [];
  for (;;) {
    const next = reader.next();
    if (next === 'more') {
      await reader.fill();
    } else if (next === null || next === 'damaged') {
      return [...seen, next];
    } else {
      seen.push(decodeRecord(next.payload).eventId);
    }
  }
}

const bodies = [Buffer.from('{}'), Buffer.alloc(600 * 1024, 1), Buffer.alloc(0), Buffer.alloc(1300 * 1024, 2)];
const frames = bodies.map((body, i) => frame(i, body));
const ids = bodies.map((_, i) => record(i).eventId);

describe('frame reader', () => {
  it('reads records of any size across the borders of its chunks', async () => {
    const { disk, range } = await diskWith(Buffer.concat(frames));
    assert.deepEqual(await walk(disk, range), [...ids, null]);
  });

  it('stops at the first changed byte, wherever it is', async () => {
    const small = [0, 1, 2].map((i) => frame(i, Buffer.from(`{"n":${i}}`)));
    const whole = Buffer.concat(small);
    const second = small[0]!.length;
    for (let at = second; at < second + small[1]!.length; at += 1) {
      const { disk, range } = await diskWith(whole);
      disk.damage(PATH, at, Buffer.from([whole[at]! ^ 0x41]));
      assert.deepEqual(await walk(disk, range), [ids[0], 'damaged'], `byte ${at}`);
      assert.equal(await findFrame(disk, { ...range, from: second + 1 }), second + small[1]!.length);
    }
  });

  it('takes a torn end for damage, not for a record', async () => {
    const whole = Buffer.concat(frames.slice(0, 2));
    for (const cut of [1, 11, 12, 13, 4000, frames[1]!.length - 1]) {
      const { disk, range } = await diskWith(whole.subarray(0, frames[0]!.length + cut));
      assert.deepEqual(await walk(disk, range), [ids[0], 'damaged']);
      assert.deepEqual(await walk(disk, { ...range, to: whole.length }), [ids[0], 'damaged']);
    }
  });

  it('does not believe a length that nothing could have', async () => {
    const { disk, range } = await diskWith(frames[0]!);
    disk.damage(PATH, 4, Buffer.from([255, 255, 255, 255]));
    assert.equal(await readFrame(disk, range), 'damaged');
  });

  it('finds the next frame behind damage, across chunks, and none of another segment', async () => {
    const gap = Buffer.alloc(512 * 1024 - 2, 0xcd);
    const { disk, range } = await diskWith(Buffer.concat([gap, frames[0]!]));
    assert.equal(await findFrame(disk, range), gap.length);
    assert.equal(await findFrame(disk, { ...range, marker: MARKER + 1 }), null);
    assert.equal(await findFrame(disk, { ...range, from: gap.length + 1 }), null);
  });

  it('does not take a frame that a client put into a body for one of the journal', async () => {
    const forged = Buffer.concat(encodeRecord(record(99)));
    const { disk, range } = await diskWith(frame(0, forged));
    disk.damage(PATH, 20, Buffer.from([0]));
    assert.equal(await findFrame(disk, range), null);
  });
});
