import assert from 'node:assert/strict';
import { createFrameMapper } from '../../../../src/compose/frame-mapper.ts';
import { GROUPED_AS_SENT } from '../../../../src/domain/events/grouped-as-sent.ts';
import { AppError } from '../../../../src/domain/app-error.ts';
import { indexSourceMap } from '../../../../src/artifacts/maps/index-source-map.ts';
import type { Frame, NormalisedEvent } from '../../../../src/domain/events/event.ts';
import { createMappingDigester, createRecordDigester } from '../../../../src/integrated/digest/digest-record.ts';
import type { DigestedRecord } from '../../../../src/integrated/digest/digested-record.ts';
import { groupV2 } from '../../../../src/integrated/digest/group/v2/group.ts';
import { keysOf } from '../../../../src/integrated/digest/keys-of.ts';
import { scrubbersFor } from '../../../../src/integrated/digest/scrub/scrubbers-for.ts';
import { damagedMap, mapFixture, MemoryMaps } from '../../../support/map-source.ts';
import { CAPTURE_NAMES, captureRecord, NO_RULES, record } from './digest-support.ts';

const MAIN = 'ba8a4972-c35b-41a6-a12c-705aa1d5f43d';
const CART = 'd3e78fc3-9d1d-4655-8803-fa284dfd4d32';
const recorded = (JSON.parse(mapFixture('event.json').toString()) as { event: Record<string, unknown> }).event;

const deps = {
  group: groupV2,
  scrubberFor: scrubbersFor(
    { enabled: true, scrubIps: false, sensitiveFields: [], safeFields: [], projects: {} },
    () => undefined,
  ),
  inApp: NO_RULES,
  userSalt: 'salt',
  projectPath: () => null,
};

function digesters(maps: MemoryMaps) {
  const mapper = createFrameMapper({ integrated: { inAppInclude: [], inAppExclude: [] } }, maps);
  const mapped = createMappingDigester(deps, mapper);
  return { plain: createRecordDigester(deps), mapped: (body: object) => mapped(record(JSON.stringify(body))) };
}

function eventIn({ event }: DigestedRecord) {
  assert.ok(event);
  return { ...event, payload: JSON.parse(event.payload) as NormalisedEvent };
}

function bothMaps(): MemoryMaps {
  const maps = new MemoryMaps();
  maps.addScript('index-BvYxf9r-.js', MAIN);
  maps.addScript('cart-zUTjjcmR.js', CART);
  return maps;
}

describe('records with original places', () => {
  it('are grouped, titled and searched by them, and keep what was sent', async () => {
    const { mapped } = digesters(bothMaps());
    const event = eventIn(await mapped(recorded));
    assert.equal(event.culprit, 'readCost(src/cart.js)');
    assert.deepEqual(event.terms?.files, ['src/cart.js', 'src/cart.js', 'src/main.js']);
    assert.deepEqual(event.terms.functions, ['readCost', 'price', 'start']);
    const [frame] = event.payload.exceptions[0]?.frames ?? [];
    assert.deepEqual([frame?.filename, frame?.raw?.abs_path], ['src/main.js', recordedFile(0)]);
  });

  it('name the keys of the event as it was sent, so that an earlier error goes on', async () => {
    const { plain, mapped } = digesters(bothMaps());
    const sent = eventIn(plain(record(JSON.stringify(recorded))));
    const event = eventIn(await mapped(recorded));
    assert.notEqual(event.groupHash, sent.groupHash);
    const { groupHash, groupingVersion, formerGroupHashes = [] } = sent;
    assert.deepEqual(event.sentGroupHashes, [{ groupHash, groupingVersion }, ...formerGroupHashes]);
    assert.equal(event.formerGroupHashes, undefined);
  });

  it('of which a part is mapped have the keys of the event as it was sent, and show the rest', async () => {
    const maps = new MemoryMaps();
    maps.addScript('cart-zUTjjcmR.js', CART);
    maps.add({ debugId: MAIN, bytes: damagedMap('index-BvYxf9r-.js') });
    const { plain, mapped } = digesters(maps);
    const sent = eventIn(plain(record(JSON.stringify(recorded))));
    const event = eventIn(await mapped(recorded));
    const keys = ({ groupHash, groupingVersion, formerGroupHashes, sentGroupHashes }: typeof event) => {
      return { groupHash, groupingVersion, formerGroupHashes, sentGroupHashes };
    };
    assert.deepEqual(keys(event), keys(sent));
    assert.equal(event.culprit, 'readCost(src/cart.js)');
    assert.deepEqual(event.terms?.functions, ['readCost', 'price', 'c']);
    const frames = event.payload.exceptions[0]?.frames ?? [];
    assert.deepEqual(frames.map(({ raw }) => raw !== undefined), [false, true, true]); // prettier-ignore
    assert.match(frames[0]?.unmapped ?? '', /missing or damaged; upload it again$/);
    assert.ok(event.payload.notes.includes(GROUPED_AS_SENT));
    assert.equal(keysOf(42, event.payload)[0]?.groupHash, event.groupHash, 'an export finds the key');
  });

  it('are one error over two builds with other names and places', async () => {
    const maps = bothMaps();
    const { mapped } = digesters(maps);
    const first = eventIn(await mapped(recorded));
    // The next build: the same sources behind another prefix of code, other names and other ids.
    const script = mapFixture('cart-zUTjjcmR.js').toString();
    const renamed = script.replace('function e(e)', 'function q(e)').replace('function t(e)', 'function w(e)');
    const map = JSON.parse(mapFixture('cart-zUTjjcmR.js.map').toString()) as Record<string, unknown>;
    const built = indexSourceMap(
      Buffer.from(JSON.stringify({ version: 3, sections: [{ offset: { line: 0, column: 40 }, map }] })),
      Buffer.from(' '.repeat(40) + renamed),
    );
    assert.ok('index' in built);
    const next = 'e0000000-0000-4000-8000-000000000001';
    maps.add({ debugId: next, bytes: built.index });
    const text = JSON.stringify({ ...recorded, release: 'shop@1.0.1' })
      .replaceAll('cart-zUTjjcmR', 'cart-Qz71aTx0')
      .replace(CART, next)
      .replace('"function":"e"', '"function":"q"')
      .replace('"function":"t"', '"function":"w"')
      .replace('"colno":381', '"colno":421')
      .replace('"colno":409', '"colno":449');
    const after = eventIn(await mapped(JSON.parse(text) as object));
    assert.equal(after.payload.exceptions[0]?.frames?.at(-1)?.raw?.function, 'w');
    assert.equal(after.groupHash, first.groupHash);
    assert.equal(after.culprit, first.culprit);
  });

  it('are as without maps for projects that have none, and for all that SDKs send without ids', async () => {
    const { plain, mapped } = digesters(new MemoryMaps());
    assert.deepEqual(await mapped(recorded), plain(record(JSON.stringify(recorded))));
    const other = digesters(bothMaps());
    for (const name of CAPTURE_NAMES) {
      const taken = captureRecord(name);
      if (taken === null) continue;
      const body = JSON.parse(Buffer.from(taken.body).toString()) as Record<string, unknown>;
      if (body.debug_meta !== undefined || body.platform === 'javascript' || body.platform === 'node') continue;
      const digested = other.mapped(body);
      assert.ok(!(digested instanceof Promise), `${name} waits for nothing`);
    }
  });

  it('hide secrets in source lines of the map', async () => {
    const maps = new MemoryMaps();
    const { mapped } = digesters(maps);
    const source = 'const password = "hunter2-hunter2";\nfail();';
    const built = { version: 3, sources: ['a.ts'], sourcesContent: [source], names: [], mappings: 'AACA' };
    const result = indexSourceMap(Buffer.from(JSON.stringify(built)), null);
    assert.ok('index' in result);
    maps.add({ release: 'r', url: '~/a.js', bytes: result.index });
    const frames = [{ filename: 'https://shop.example/a.js', lineno: 1, colno: 1 }];
    const body = {
      platform: 'javascript',
      release: 'r',
      exception: { values: [{ type: 'E', stacktrace: { frames } }] },
    };
    const [frame] = eventIn(await mapped(body)).payload.exceptions[0]?.frames ?? [];
    assert.equal(frame?.context_line, 'fail();');
    assert.equal(frame.pre_context.length, 1);
    assert.ok(!frame.pre_context[0]?.includes('hunter2'), frame.pre_context[0]);
  });

  it('have a bounded number of source lines, and the group of the event with all of them', async () => {
    const maps = new MemoryMaps();
    const lines = Array.from({ length: 600 }, (_, n) => `call${n}(${'x'.repeat(300)})`);
    // Column n of the script is line n of its source.
    const mappings = `AAAA${',CACA'.repeat(599)}`;
    const map = { version: 3, sources: ['a.ts'], sourcesContent: [lines.join('\n')], names: [], mappings };
    const result = indexSourceMap(Buffer.from(JSON.stringify(map)), null);
    assert.ok('index' in result);
    maps.add({ release: 'r', url: '~/a.js', bytes: result.index });
    const frame = (n: number) => ({
      ...{ filename: 'https://shop.example/a.js', function: `handler${n}`, lineno: 1, colno: n + 1 },
    });
    const values = Array.from({ length: 10 }, (_, at) => {
      return {
        type: 'E',
        value: 'v',
        stacktrace: { frames: Array.from({ length: 60 }, (_, n) => frame(60 * at + n)) },
      };
    });
    const event = eventIn(
      await digesters(maps).mapped({ platform: 'javascript', release: 'r', exception: { values } }),
    );
    const stacks = event.payload.exceptions.map(({ frames }) => frames ?? []);
    const withLines = (stack: readonly Frame[]) =>
      stack.flatMap(({ pre_context: before }, at) => (before.length > 0 ? [at] : []));
    const ends = Array.from({ length: 50 }, (_, at) => (at < 25 ? at : at + 10));
    assert.deepEqual(withLines(stacks[9]!), ends, 'cause and entry of the shown exception');
    assert.deepEqual(withLines(stacks[8]!), ends);
    assert.deepEqual(stacks.slice(0, 8).flatMap(withLines), []);
    assert.match(stacks[9]?.[30]?.context_line ?? '', /^call570\(/);
    assert.ok(JSON.stringify(event.payload).length < 700_000, String(JSON.stringify(event.payload).length));
    assert.equal(keysOf(42, event.payload)[0]?.groupHash, event.groupHash);
  });

  it('reject when the store does not answer', async () => {
    const maps = bothMaps();
    const away = new AppError('store_unavailable', 'the store does not answer');
    maps.mapsByDebugId = () => Promise.reject(away);
    await assert.rejects(async () => digesters(maps).mapped(recorded), away);
  });
});

function recordedFile(index: number): unknown {
  const { values } = recorded.exception as {
    values: readonly { stacktrace: { frames: readonly { filename: string }[] } }[];
  };
  return values[0]?.stacktrace.frames[index]?.filename;
}
