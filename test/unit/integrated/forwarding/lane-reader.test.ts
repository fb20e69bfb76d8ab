import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LaneReader } from '../../../../src/integrated/forwarding/lane-reader.ts';
import { laneDir } from '../../../../src/integrated/forwarding/spool-paths.ts';
import { SpoolWriter } from '../../../../src/integrated/forwarding/spool-writer.ts';
import type { JournalRecord } from '../../../../src/integrated/intake/journal-record.ts';
import { nodeJournalFiles as files } from '../../../../src/integrated/intake/journal/node-files.ts';
import { forwardRecord } from '../../../support/forward-records.ts';
import { silentLogger } from '../../../support/journal-world.ts';

describe('spool of requests to be forwarded', () => {
  let dir = '';
  let dropped = 0;
  let low: string | null = null;
  const writers: SpoolWriter[] = [];

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'errgate-spool-'));
    dropped = 0;
    low = null;
  });
  afterEach(async () => {
    for (const writer of writers.splice(0)) await writer.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const lane = () => laneDir(dir, 1, 'events');
  const open = () => LaneReader.open(files, lane());
  const segments = () => readdirSync(join(lane(), 'segments'));
  const write = (maxBytes = 1024 * 1024): SpoolWriter => {
    const writer = new SpoolWriter({
      ...{ files, dir, durability: 'power-loss', maxBytes, logger: silentLogger },
      diskLow: async () => low,
      onDropped: (count) => (dropped += count),
    });
    writers.push(writer);
    return writer;
  };

  async function readAll(reader: LaneReader): Promise<number[]> {
    const ids: number[] = [];
    for (let entry = await reader.next(); entry !== null; entry = await reader.next()) {
      ids.push(numberOf(entry.record));
      reader.finish(entry);
    }
    return ids;
  }

  it('gives back what was written, in order, while the writer goes on', async () => {
    const writer = write();
    const reader = await open();
    assert.equal(await reader.next(), null);
    await writer.take([forwardRecord(1), forwardRecord(2)]);
    assert.deepEqual(await readAll(reader), [1, 2]);
    await writer.take([forwardRecord(3)]);
    assert.deepEqual(await readAll(reader), [3]);
    assert.equal(await reader.waitingBytes(), 0);
    const record = forwardRecord(4, { clientIp: null }, { encoding: 'gzip', via: 'a, b', userAgent: null });
    await writer.take([record]);
    const entry = await reader.next();
    assert.deepEqual({ ...entry?.record, body: null }, { ...record, body: null });
    assert.deepEqual(Buffer.from(entry?.record.body ?? []), record.body);
  });

  it('goes on behind what is finished after a restart, and repeats what is not', async () => {
    const writer = write();
    await writer.take([1, 2, 3, 4].map((i) => forwardRecord(i)));
    const first = await open();
    const entries = [await first.next(), await first.next(), await first.next()];
    for (const entry of [entries[0], entries[2]]) {
      assert.ok(entry !== null && entry !== undefined);
      first.finish(entry);
    }
    await first.save();
    assert.deepEqual(await readAll(await open()), [2, 3, 4]);
  });

  it('removes finished segments and never uses their numbers again', async () => {
    const writer = write(1024);
    for (let i = 1; i <= 5; i += 1) await writer.take([forwardRecord(i)]);
    const reader = await open();
    assert.deepEqual(await readAll(reader), [1, 2, 3, 4, 5]);
    await reader.save();
    assert.ok(segments().length <= 1);
    const again = write(1024);
    await again.take([forwardRecord(6)]);
    assert.deepEqual(await readAll(await open()), [6]);
  });

  it('keeps lanes and projects apart', async () => {
    const writer = write();
    await writer.take([
      forwardRecord(1),
      forwardRecord(2, {}, { hasEvent: false }),
      forwardRecord(3, { projectId: 2 }),
    ]);
    assert.deepEqual(await readAll(await open()), [1]);
    assert.deepEqual(await readAll(await LaneReader.open(files, laneDir(dir, 1, 'other'))), [2]);
    assert.deepEqual(await readAll(await LaneReader.open(files, laneDir(dir, 2, 'events'))), [3]);
  });

  it('waits for a write on its way, and skips a torn end once the writer has gone on', async () => {
    const writer = write();
    await writer.take([forwardRecord(1), forwardRecord(2)]);
    const reader = await open();
    const path = join(lane(), 'segments', segments()[0] ?? '');
    truncateSync(path, (await files.size(path)) - 5);
    assert.deepEqual(await readAll(reader), [1]);
    assert.equal(await reader.next(), null);
    await write().take([forwardRecord(3)]);
    assert.deepEqual(await readAll(reader), [3]);
  });

  it('goes on behind damage', async () => {
    const writer = write();
    await writer.take([forwardRecord(1)]);
    const path = join(lane(), 'segments', segments()[0] ?? '');
    appendFileSync(path, 'rubbish between two requests');
    await writer.take([forwardRecord(2)]);
    await writer.close();
    await write().take([forwardRecord(3)]);
    assert.deepEqual(await readAll(await open()), [1, 2, 3]);
  });

  it('gives up the oldest segment, also of requests that are being sent', async () => {
    const writer = write(1024);
    for (let i = 1; i <= 3; i += 1) await writer.take([forwardRecord(i)]);
    const reader = await open();
    const held = await reader.next();
    assert.ok(held !== null);
    const before = await reader.waitingBytes();
    assert.equal(await reader.dropOldest(), 1);
    assert.equal(held.finished, true);
    assert.ok((await reader.waitingBytes()) < before);
    assert.equal(await reader.dropOldest(), 1);
    assert.deepEqual(await readAll(reader), [3]);
    assert.equal(reader.dropped, 2);
    assert.equal((await open()).dropped, 2);
  });

  it('drops and counts what a full disk does not take, and goes on afterwards', async () => {
    const writer = write();
    low = 'the disk is almost full';
    await writer.take([forwardRecord(1), forwardRecord(2)]);
    assert.equal(dropped, 2);
    low = null;
    await writer.take([forwardRecord(3)]);
    assert.deepEqual(await readAll(await open()), [3]);
  });

  it('begins a new segment when the folder was removed under it', async () => {
    const writer = write();
    await writer.take([forwardRecord(1)]);
    rmSync(join(dir, '1'), { recursive: true });
    await writer.take([forwardRecord(2)]);
    assert.equal(dropped, 0);
    assert.deepEqual(await readAll(await open()), [2]);
  });
});

function numberOf({ eventId }: JournalRecord): number {
  return Number.parseInt(eventId ?? '', 16);
}
