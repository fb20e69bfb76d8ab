import assert from 'node:assert/strict';
import { AppError } from '../../../../src/domain/app-error.ts';
import {
  describeError,
  listQuarantine,
  quarantineName,
  readQuarantine,
  writeQuarantine,
} from '../../../../src/integrated/quarantine/quarantine-file.ts';
import type { QuarantineHeader } from '../../../../src/integrated/quarantine/quarantine-file.ts';
import { SimulatedDisk } from '../../../support/simulated-disk.ts';

const DIR = '/q';

function header(quarantinedAt: number): QuarantineHeader {
  return { reason: 'digest_failed', error: 'TypeError', quarantinedAt, projectId: 1, eventId: null, receivedAt: 5 };
}

describe('quarantine file', () => {
  it('survives a power cut as it was written, and once', async () => {
    const disk = new SimulatedDisk();
    const name = quarantineName('ab'.repeat(16), 4711);
    const content = Buffer.from('one\ntwo\0three');
    const entry = await writeQuarantine(disk, DIR, name, header(7), content);
    await writeQuarantine(disk, DIR, name, header(7), content);
    const after = disk.restart('none');
    assert.deepEqual(await listQuarantine(after, DIR), [entry]);
    assert.deepEqual(await readQuarantine(after, DIR, name), { entry, content });
    assert.equal(entry.bytes, content.length);
  });

  it('lists the oldest first and leaves out what is not whole', async () => {
    const disk = new SimulatedDisk();
    assert.deepEqual(await listQuarantine(disk, DIR), []);
    for (const at of [30, 10, 20]) {
      await writeQuarantine(disk, DIR, quarantineName('cd'.repeat(16), at), header(at), Buffer.from('content'));
    }
    const half = quarantineName('ee'.repeat(16), 1);
    await writeQuarantine(disk, DIR, half, header(1), Buffer.from('content'));
    disk.truncate(`${DIR}/${half}`, (await disk.size(`${DIR}/${half}`)) - 1);
    await disk.create(`${DIR}/replay.json`);
    const empty = await disk.create(`${DIR}/${quarantineName('ff'.repeat(16), 1)}`);
    await empty.append([Buffer.from('not json\n')]);
    assert.deepEqual(
      (await listQuarantine(disk, DIR)).map((entry) => entry.quarantinedAt),
      [10, 20, 30],
    );
    assert.equal(await readQuarantine(disk, DIR, half), null);
  });
});

describe('describeError', () => {
  it('keeps our own words and nothing of unknown messages', () => {
    assert.equal(
      describeError(new AppError('ingest_invalid', 'The level is no text.')),
      'ingest_invalid: The level is no text.',
    );
    let parsing: unknown;
    try {
      JSON.parse('{"password": hunter2');
    } catch (error) {
      parsing = error;
    }
    assert.match(describeError(parsing), /^SyntaxError at /);
    assert.ok(!describeError(parsing).includes('hunter2'));
    const tricky = new Error('first line\n    at hunter2 (of the message)');
    assert.ok(!describeError(tricky).includes('hunter2'));
    const renamed = new TypeError('hunter2\n    at hunter2');
    renamed.name = 'Other';
    assert.ok(!describeError(renamed).includes('hunter2'));
    assert.match(describeError(Object.assign(new Error('x'), { code: 'EIO' })), /^Error \(EIO\) at /);
    assert.equal(describeError('hunter2'), 'string');
  });
});
