/**
 * Microseconds and bytes per event body, alone and in blocks: `node --import=tsx bench/micro-blocks.ts`. Counts this
 * process only. The bodies are the event of the benchmark, and events of the recorded SDKs with ids, times and some
 * lines that differ: of one SDK each, as a project has them, and of all SDKs in one project, the least alike.
 */
import { randomBytes } from 'node:crypto';
import { zstdCompressSync } from './measure/zstd.ts';
import { groupV2 } from '../src/integrated/digest/group/v2/group.ts';
import { BlockPacker, BodyBlock, encodeBlock, type Body, type ReceivedBody } from '../src/lib/bodies/body-block.ts';
import { encodeText } from '../src/lib/bodies/payload-codec.ts';
import { CAPTURE_NAMES, captureRecord, digester, record } from '../test/unit/integrated/digest/digest-support.ts';
import { eventBody } from './measure/event-body.ts';
import { machineName } from './measure/machine.ts';
import { median } from './measure/statistics.ts';

const RUNS = 9;
const EVENTS = 2000;

const digest = digester({ group: groupV2 });
const newId = () => randomBytes(16).toString('hex');
const any = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T;

function benchEvent(index: number): string {
  const eventId = newId();
  const text = eventBody(new Date(1.79e12 + index * 300), eventId, index % 50, (index * 7) % 1000);
  return digest(record(text, { eventId })).event?.payload ?? '';
}

/** Gives a recorded event ids, times and some line numbers of its own. */
function varied(json: string): string {
  const ids = new Map<string, string>();
  const other = (id: string) => {
    const known = ids.get(id) ?? randomBytes(id.length / 2).toString('hex');
    ids.set(id, known);
    return known;
  };
  return json
    .replace(/\b(?:[0-9a-f]{32}|[0-9a-f]{16})\b/g, other)
    .replace(/\d\d:\d\d:\d\d\.\d+/g, () => new Date(Math.random() * 8.64e7).toISOString().slice(11, 23))
    .replace(/"lineno":\d+/g, (line) => (Math.random() < 0.2 ? `"lineno":${Math.floor(Math.random() * 500)}` : line));
}

const recorded = CAPTURE_NAMES.flatMap((name) => {
  const source = captureRecord(name);
  const json = source === null ? null : (digest(source).event?.payload ?? null);
  return json === null ? [] : [{ sdk: name.split('-')[0] ?? name, json }];
});
const sdks = [...new Set(recorded.map(({ sdk }) => sdk))];
const ofSdk = (sdk: string) => recorded.filter((each) => each.sdk === sdk);
const bodies = {
  'the event of the benchmark': Array.from({ length: EVENTS }, (_, index) => [0, benchEvent(index)] as const),
  'events of one SDK in each project': Array.from({ length: EVENTS }, (_, index) => {
    const project = index % sdks.length;
    return [project, varied(any(ofSdk(sdks[project] ?? '')).json)] as const;
  }),
  'events of all SDKs in one project': Array.from({ length: EVENTS }, () => [0, varied(any(recorded).json)] as const),
};

function measure(work: () => number): readonly [microseconds: number, bytes: number] {
  let bytes = 0;
  const runs = Array.from({ length: RUNS }, () => {
    const before = process.cpuUsage();
    bytes = work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / EVENTS;
  });
  return [median(runs), bytes / EVENTS];
}

function inBlocks(
  list: readonly (readonly [number, string])[],
  encode: (members: readonly Body[]) => Uint8Array,
): number {
  let bytes = 0;
  const packer = new BlockPacker<ReceivedBody>(
    (_, members) => (bytes += encode(members).length),
    ({ json }) => (bytes += encodeText(json).length),
  );
  for (const [project, json] of list) packer.add(project, { eventId: json.slice(13, 45), receivedAt: 0, json });
  packer.finish();
  return bytes;
}

console.log(machineName());
for (const [name, list] of Object.entries(bodies)) {
  const figures: Record<string, readonly [number, number]> = {
    alone: measure(() => list.reduce((sum, [, json]) => sum + encodeText(json).length, 0)),
    'in blocks': measure(() => inBlocks(list, encodeBlock)),
  };
  if (zstdCompressSync !== null) {
    const compress = zstdCompressSync;
    figures['in blocks, zstd'] = measure(() =>
      inBlocks(list, (members) => compress(members.map(({ eventId, json }) => eventId + json).join('\n'))),
    );
  }
  const first = list.filter(([project]) => project === 0).slice(0, 16);
  const block = encodeBlock(first.map(([, json]) => ({ eventId: json.slice(13, 45), json })));
  const wanted = first.at(-1)?.[1].slice(13, 45) ?? '';
  const [read] = measure(() => {
    for (let turn = 0; turn < EVENTS; turn += 1) new BodyBlock(block).find(wanted);
    return 0;
  });
  const raw = list.reduce((sum, [, json]) => sum + Buffer.byteLength(json), 0) / EVENTS;
  console.log(`${name}, ${raw.toFixed(0)} bytes of JSON: reading one of a block of 16 takes ${read.toFixed(0)} µs`);
  for (const [form, [microseconds, bytes]] of Object.entries(figures)) {
    console.log(`  ${form}: ${microseconds.toFixed(1)} µs, ${bytes.toFixed(0)} bytes`);
  }
}
