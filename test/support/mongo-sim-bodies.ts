import assert from 'node:assert/strict';
import { BodyBlock } from '../../src/lib/bodies/body-block.ts';
import { decodeText } from '../../src/lib/bodies/payload-codec.ts';
import { blockOf, type EventBlockDocument } from '../../src/storage/mongo/documents/block-document.ts';
import { eventIdOf } from '../../src/storage/mongo/documents/document-keys.ts';
import type { EventDocument, SlotDocument } from '../../src/storage/mongo/documents/documents.ts';
import { binaryHex, type SimBody } from './mongo-sim-records.ts';
import { isPrunable } from './mongo-sim-retention.ts';
import type { SimWorld } from './mongo-sim-world.ts';

/**
 * Checks that each counted event has its body, and that each block has an event. The body is of the same time as the
 * stored event. The exception are rows of an abandoned batch: they keep their attributes, and get the body of the batch
 * that takes them over.
 */
export function checkBodies(world: SimWorld): void {
  const all = <T>(name: string) => [...world.db.of(name).values()] as unknown as T[];
  const slots = all<SlotDocument>('slots');
  const blocks = new Map(all<EventBlockDocument>('eventBlocks').map((block) => [binaryHex(block._id), block]));
  const takenOver = slots.some(({ x }) => x.length > 0);
  const used = new Set<string>();
  for (const event of all<EventDocument>('events')) {
    const { _id, p, d, at } = event;
    const eventId = eventIdOf(_id);
    const blockId = d === undefined ? null : blockOf(p, d);
    if (blockId !== null) used.add(binaryHex(blockId));
    if (d === undefined) {
      assert.ok(isPrunable(event), 'an event has no body');
      continue;
    }
    const block = blockId === null ? undefined : blocks.get(binaryHex(blockId));
    assert.ok(blockId === null || block !== undefined, 'the block of an event is gone');
    const json = block === undefined ? decodeText(d.buffer) : new BodyBlock(block.d.buffer).find(eventId);
    assert.ok(json !== null, 'a block does not have the body of its event');
    const body = JSON.parse(json.toString('utf8')) as SimBody;
    assert.equal(body.event_id, eventId, 'the body of another event');
    assert.ok(takenOver || body.at === at, 'another body of the same event');
  }
  assert.equal(world.retention.deletedOpen, 0, 'a block of an open batch was deleted');
  for (const [id, { s, n }] of blocks) {
    const open = slots.some((slot) => slot._id === s && slot.n === n && slot.open);
    assert.ok(open || used.has(id), 'a block without an event is left');
  }
}
