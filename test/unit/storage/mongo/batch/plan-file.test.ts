import assert from 'node:assert/strict';
import { mongo } from 'mongoose';
import { PlanStore, encodePlan } from '../../../../../src/storage/mongo/batch/plan/plan-file.ts';
import { GUARDED, type Plan } from '../../../../../src/storage/mongo/batch/plan/plan.ts';
import { errorKey } from '../../../../../src/storage/mongo/documents/document-keys.ts';
import { tagTerm } from '../../../../../src/storage/mongo/documents/tag-terms.ts';
import { SimulatedDisk } from '../../../../support/simulated-disk.ts';
import { hexId } from '../../../../support/store-data.ts';

const CLAIM = { journalId: hexId('journal'), slot: 3, n: 12 };
const PATH = `/plans/${CLAIM.journalId}.plan`;

function plan(): Plan {
  const writes = Object.fromEntries(GUARDED.map((name) => [name, []])) as unknown as Plan['writes'];
  const write = { _id: errorKey(1, hexId('group hash')), p: 1, update: { $inc: { c: 2 } }, upsert: true };
  return { stored: 2, duplicates: 1, writes: { ...writes, errors: [write], outcomes: [write] } };
}

function texts(found: unknown): string {
  return JSON.stringify(found);
}

async function diskWith(content: Uint8Array): Promise<SimulatedDisk> {
  const disk = new SimulatedDisk();
  await disk.makeDir('/plans');
  await disk.replace(PATH, content);
  return disk;
}

describe('plans on disk', () => {
  it('come back as they were, to the claim they are for', async () => {
    const disk = new SimulatedDisk();
    await new PlanStore(disk, '/plans').write(CLAIM, plan());
    const store = new PlanStore(disk.restart('none'), '/plans');
    assert.equal(texts(await store.read(CLAIM)), texts(plan()));
    assert.equal(await store.read({ ...CLAIM, n: 13 }), null);
    assert.equal(await store.read({ ...CLAIM, slot: 4 }), null);
    await store.remove(CLAIM.journalId);
    assert.equal(await store.read(CLAIM), null);
  });

  it('are damaged, and nothing else, when any of their bytes is another one or missing', async () => {
    const content = Buffer.from(encodePlan(CLAIM, plan()));
    for (let at = 0; at < content.length; at += 1) {
      const flipped = Buffer.from(content);
      flipped[at] = flipped[at]! ^ 0x11;
      const found = await new PlanStore(await diskWith(flipped), '/plans').read(CLAIM);
      const isWhole = typeof found === 'object' && found !== null;
      assert.ok(!isWhole || texts(found.writes) === texts(plan().writes), `byte ${at}`);
      assert.equal(await new PlanStore(await diskWith(content.subarray(0, at)), '/plans').read(CLAIM), 'damaged');
    }
  });

  it('of an earlier program, which had no checksum, are read', async () => {
    const content = Buffer.from(encodePlan(CLAIM, plan()));
    const end = content.readInt32LE(0);
    const { crc: _crc, ...head } = mongo.BSON.deserialize(content.subarray(0, end));
    const old = Buffer.concat([mongo.BSON.serialize(head), content.subarray(end)]);
    assert.equal(texts(await new PlanStore(await diskWith(old), '/plans').read(CLAIM)), texts(plan()));
    const later = Buffer.concat([mongo.BSON.serialize({ ...head, format: 2 }), content.subarray(end)]);
    assert.equal(await new PlanStore(await diskWith(later), '/plans').read(CLAIM), 'damaged');
  });

  it('of an earlier program, whose terms of tags had a case, find them without', async () => {
    const planned = (...terms: string[]): Plan => {
      const update = { $inc: { 't.x.n': 1 }, $addToSet: { x: { $each: terms } } };
      const write = { _id: errorKey(1, hexId('group hash')), p: 1, update, upsert: true };
      return { ...plan(), writes: { ...plan().writes, errorTags: [write] } };
    };
    const key = tagTerm('OS', null);
    const store = new PlanStore(await diskWith(encodePlan(CLAIM, planned(key, `${key} iOS 17`))), '/plans');
    assert.equal(texts(await store.read(CLAIM)), texts(planned(key, tagTerm('OS', 'IOS 17'))));
  });

  it('that only the system had when their process was killed are durable once they were read', async () => {
    for (let kill = 0, seen = 0; ; kill += 1) {
      const first = new SimulatedDisk({ cutAt: kill });
      const whole = await Promise.race([
        new PlanStore(first, '/plans').write(CLAIM, plan()).then(() => true),
        first.dead.then(() => false),
      ]);
      const second = first.restart('all');
      const found = await new PlanStore(second, '/plans').read(CLAIM);
      if (found !== null) {
        seen += 1;
        assert.equal(texts(await new PlanStore(second.restart('none'), '/plans').read(CLAIM)), texts(plan()));
      }
      if (whole) {
        assert.ok(seen > 1);
        return;
      }
    }
  });
});
