import assert from 'node:assert/strict';
import {
  BLOCK_WINDOW_MS,
  BlockPacker,
  BodyBlock,
  encodeBlock,
  MAX_BLOCK_BODIES,
  MAX_BLOCK_CHARACTERS,
  MIN_BLOCK_BODIES,
  type ReceivedBody,
} from '../../../../src/lib/bodies/body-block.ts';
import { encodeText } from '../../../../src/lib/bodies/payload-codec.ts';
import { DAY, hexId, HOUR, NOON } from '../../../support/store-data.ts';

/** Makes a body whose JSON has a number of characters. */
function body(name: string, characters = 100): ReceivedBody {
  return { eventId: hexId(name), receivedAt: NOON, json: JSON.stringify('x'.repeat(characters - 2)) };
}

function bodies(name: string, count: number, characters?: number): ReceivedBody[] {
  return Array.from({ length: count }, (_, index) => body(`${name} ${index}`, characters));
}

/** Packs bodies of projects, in the given order. */
function pack(given: readonly (readonly [projectId: number, body: ReceivedBody])[]) {
  const blocks: { projectId: number; members: readonly ReceivedBody[] }[] = [];
  const alone: ReceivedBody[] = [];
  const packer = new BlockPacker<ReceivedBody>(
    (projectId, members) => blocks.push({ projectId, members: [...members] }),
    (member) => alone.push(member),
  );
  for (const [projectId, each] of given) packer.add(projectId, each);
  const early = blocks.length;
  packer.finish();
  return { blocks, sizes: blocks.map(({ members }) => members.length), alone, early };
}

const ofProject = (projectId: number, given: readonly ReceivedBody[]) =>
  given.map((each) => [projectId, each] as const);

describe('BlockPacker', () => {
  it('ends a block with its 64th body, at once', () => {
    const given = bodies('a', 2 * MAX_BLOCK_BODIES + MIN_BLOCK_BODIES);
    const { blocks, sizes, alone, early } = pack(ofProject(1, given));
    assert.deepEqual(sizes, [64, 64, MIN_BLOCK_BODIES]);
    assert.equal(early, 2);
    assert.deepEqual(
      blocks.flatMap(({ members }) => members),
      given,
    );
    assert.deepEqual(alone, []);
  });

  it('ends a block before the body that would exceed 64 KB', () => {
    const tenth = Math.floor(MAX_BLOCK_CHARACTERS / 10);
    assert.deepEqual(pack(ofProject(1, bodies('a', 20, tenth))).sizes, [10, 10]);
    assert.deepEqual(pack(ofProject(1, bodies('a', 20, tenth + 1))).sizes, [9, 9]);
    const exact = bodies('a', 16, MAX_BLOCK_CHARACTERS / 16);
    assert.deepEqual(pack(ofProject(1, [...exact, ...bodies('b', 9, 2)])).sizes, [16, 9]);
  });

  it('leaves a body of 64 KB or more alone, and the block open', () => {
    const large = [body('large', MAX_BLOCK_CHARACTERS), body('larger', 2 * MAX_BLOCK_CHARACTERS)];
    const [before, after] = [bodies('a', 5), bodies('b', 5)];
    const { blocks, alone } = pack(ofProject(1, [...before, ...large, ...after]));
    assert.deepEqual(blocks, [{ projectId: 1, members: [...before, ...after] }]);
    assert.deepEqual(alone, large);
    const most = body('most', MAX_BLOCK_CHARACTERS - 1);
    assert.deepEqual(pack(ofProject(1, [most, ...before, ...bodies('c', 3)])).sizes, [1, 8]);
  });

  it('leaves fewer than eight bodies alone', () => {
    const few = bodies('few', MIN_BLOCK_BODIES - 1);
    assert.deepEqual(pack(ofProject(1, few)).alone, few);
    const enough = [...few, body('one more')];
    assert.deepEqual(pack(ofProject(1, enough)), {
      blocks: [{ projectId: 1, members: enough }],
      sizes: [8],
      alone: [],
      early: 0,
    });
    assert.deepEqual(pack(ofProject(1, bodies('a', 70))).alone.length, 6);
    assert.deepEqual(pack([]), { blocks: [], sizes: [], alone: [], early: 0 });
  });

  it('keeps projects apart, however their bodies come', () => {
    const [one, two, few] = [bodies('one', 70), bodies('two', 9), bodies('few', 3)];
    const mixed = one.flatMap((each, index) => [
      [1, each] as const,
      ...ofProject(2, two.slice(index, index + 1)),
      ...ofProject(3, few.slice(index, index + 1)),
    ]);
    const { blocks, alone } = pack(mixed);
    assert.deepEqual(blocks, [
      { projectId: 1, members: one.slice(0, 64) },
      { projectId: 2, members: two },
    ]);
    assert.deepEqual(new Set(alone), new Set([...one.slice(64), ...few]));
  });

  it('puts only bodies of one day into a block, however they come', () => {
    const days = Array.from({ length: 3 }, (_, day) =>
      bodies(`day ${day}`, 10).map((each, index) => ({ ...each, receivedAt: NOON + day * DAY + index * HOUR })),
    );
    const mixed = Array.from({ length: 10 }, (_, index) => days.flatMap((each) => each[index] ?? [])).flat();
    const { blocks, alone } = pack(ofProject(1, mixed));
    assert.deepEqual(
      blocks.map(({ members }) => members),
      days,
    );
    assert.deepEqual(alone, []);
    const weekly = bodies('weekly', 20).map((each, index) => ({ ...each, receivedAt: NOON + index * 7 * DAY }));
    assert.deepEqual(pack(ofProject(1, weekly)), { blocks: [], sizes: [], alone: weekly, early: 0 });
    assert.equal(BLOCK_WINDOW_MS, DAY);
  });

  it('begins again after its end', () => {
    const sizes: number[] = [];
    const packer = new BlockPacker<ReceivedBody>(
      (_, members) => sizes.push(members.length),
      () => assert.fail(),
    );
    for (let round = 0; round < 2; round += 1) {
      for (const each of bodies('a', 10)) packer.add(1, each);
      packer.finish();
    }
    packer.finish();
    assert.deepEqual(sizes, [10, 10]);
  });
});

describe('BodyBlock', () => {
  const TEXTS = [
    '',
    'a\nb',
    'a\r\nb',
    '\r',
    '\u2028\u2029\u0085\v\f',
    'ü',
    '漢字',
    '🚀\n',
    '"\\"',
    '\ud800',
    '\0',
    'x'.repeat(9e4),
  ];
  const members = TEXTS.map((text, index) => ({ eventId: hexId(`text ${index}`), json: JSON.stringify({ text }) }));
  const block = new BodyBlock(encodeBlock(members));

  it('finds each body by its event id, with any text', () => {
    for (const [index, text] of TEXTS.entries()) {
      const found = block.find(hexId(`text ${index}`));
      assert.deepEqual(JSON.parse(found?.toString('utf8') ?? 'null'), { text });
    }
  });

  it('names its event ids in order', () => {
    assert.deepEqual(
      block.eventIds(),
      members.map(({ eventId }) => eventId),
    );
  });

  it('has no body of another event, also where the text of one looks like it', () => {
    assert.equal(block.find(hexId('another')), null);
    const wanted = hexId('wanted');
    const others = [`"${wanted}"`, `"\\n${wanted}{}"`, `{"event_id":"${wanted}"}`];
    const misleading = others.map((json, index) => ({ eventId: hexId(`other ${index}`), json }));
    assert.equal(new BodyBlock(encodeBlock(misleading)).find(wanted), null);
  });

  it('finds the first of two bodies with one event id', () => {
    const twice = ['1', '2'].map((json) => ({ eventId: hexId('twice'), json }));
    const found = new BodyBlock(encodeBlock([body('before'), ...twice, body('after')]));
    assert.equal(found.find(hexId('twice'))?.toString(), '1');
    assert.equal(found.eventIds().length, 4);
  });

  it('is nothing but what `encodeBlock` wrote', () => {
    const encoded = Buffer.from(encodeBlock(bodies('a', 64)));
    const damaged = [
      Buffer.alloc(0),
      Buffer.of(9),
      Buffer.concat([Buffer.of(2), encoded.subarray(1)]),
      Buffer.concat([encoded.subarray(0, 1), Buffer.alloc(encoded.length, 0xff)]),
    ];
    for (const [index, bytes] of damaged.entries()) assert.throws(() => new BodyBlock(bytes), String(index));
    assert.throws(() => new BodyBlock(encodeText('no event id')).find(hexId('a 0')));
  });

  it('is much smaller than its bodies alone', () => {
    const similar = Array.from({ length: 16 }, (_, index) => {
      const words = Array.from({ length: 60 }, (_each, word) => hexId(`word ${word}`, 8));
      return { eventId: hexId(`similar ${index}`), json: JSON.stringify({ index, words }) };
    });
    const alone = similar.reduce((sum, { json }) => sum + encodeText(json).length, 0);
    assert.ok(encodeBlock(similar).length * 4 < alone);
  });
});
