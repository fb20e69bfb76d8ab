import { brotliCompressSync, deflateRawSync, deflateSync, gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { type Capture, captures } from './ingest-captures.ts';

/** Type of the valid events among broken items; each of them must be stored. */
export const NEIGHBOUR_TYPE = 'FuzzNeighbourError';

export interface FuzzRequest {
  readonly path: 'envelope' | 'store';
  readonly headers: Readonly<Record<string, string>>;
  readonly wire: Buffer;
  /** Body that the service reads; null when the compressed bytes are damaged and cannot be inflated. */
  readonly inflated: Buffer | null;
  /** Whether the request has the project's own key; other requests are not counted. */
  readonly known: boolean;
  /** Number of valid events in the request, which must be stored if it is answered 200. */
  readonly neighbours: number;
  readonly chunked: boolean;
}

/** Change to the bytes of a body; positions are shares of its length. */
interface Mutation {
  readonly kind: 'flip' | 'set' | 'delete' | 'repeat' | 'insert' | 'cut';
  readonly at: number;
  readonly span: number;
  readonly bytes: Buffer;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('flip', 'set', 'delete', 'repeat', 'insert', 'cut'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  span: fc.integer({ min: 1, max: 60 }),
  bytes: fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 12 }).map((raw) => Buffer.from(raw)),
    fc
      .constantFrom(
        '\n',
        '\r\n',
        '{',
        '}',
        '"',
        '\\',
        '\0',
        '[[[[',
        '{"type":"event"}\n',
        '1e999',
        '-',
        'NaN',
        '\u2028',
      )
      .map((text) => Buffer.from(text)),
  ),
});

function mutate(body: Buffer, { kind, at, span, bytes }: Mutation): Buffer {
  const start = Math.floor(at * body.length);
  const end = Math.min(body.length, start + span);
  const before = body.subarray(0, start);
  switch (kind) {
    case 'flip':
      return Buffer.concat([before, body.subarray(start, end).map((byte) => byte ^ span), body.subarray(end)]);
    case 'set':
      return Buffer.concat([before, bytes, body.subarray(Math.min(body.length, start + bytes.length))]);
    case 'delete':
      return Buffer.concat([before, body.subarray(end)]);
    case 'repeat':
      return Buffer.concat([body.subarray(0, end), body.subarray(start, end), body.subarray(end)]);
    case 'insert':
      return Buffer.concat([before, bytes, body.subarray(start)]);
    case 'cut':
      return before;
  }
}

type Encoding = '' | 'gzip' | 'deflate' | 'deflate-raw' | 'br';
const encoding: fc.Arbitrary<Encoding> = fc.constantFrom<Encoding>('', '', '', 'gzip', 'deflate', 'deflate-raw', 'br');

function encode(body: Buffer, as: Encoding): { wire: Buffer; header: Record<string, string> } {
  switch (as) {
    case '':
      return { wire: body, header: {} };
    case 'gzip':
      return { wire: gzipSync(body), header: { 'Content-Encoding': 'gzip' } };
    case 'deflate':
      return { wire: deflateSync(body), header: { 'Content-Encoding': 'deflate' } };
    case 'deflate-raw':
      return { wire: deflateRawSync(body), header: { 'Content-Encoding': 'deflate' } };
    case 'br':
      return { wire: brotliCompressSync(body), header: { 'Content-Encoding': 'br' } };
  }
}

export interface FuzzTarget {
  readonly projectId: number;
  readonly key: string;
}

const auth = (key: string): Record<string, string> => ({
  'X-Sentry-Auth': `Sentry sentry_version=7, sentry_client=fuzz/1.0, sentry_key=${key}`,
});

/** Body of a capture with the key and project of the target. */
function addressed(capture: Capture, { projectId, key }: FuzzTarget): Buffer {
  return Buffer.from(
    capture.body.toString('latin1').replaceAll('glet_abc123', key).replaceAll('/api/42"', `/api/${projectId}"`),
    'latin1',
  );
}

function mutatedCapture(target: FuzzTarget): fc.Arbitrary<FuzzRequest> {
  // Skips the largest captures, which would mostly test the network; smaller ones cover the same members.
  const all = captures()
    .map((capture) => ({ path: pathOf(capture.path), body: addressed(capture, target) }))
    .filter(({ body }) => body.length < 20_000);
  return fc
    .tuple(fc.constantFrom(...all), fc.array(mutation, { minLength: 1, maxLength: 4 }), encoding, fc.boolean())
    .map(([{ path, body }, mutations, as, chunked]) => {
      const inflated = mutations.reduce(mutate, body);
      const { wire, header } = encode(inflated, as);
      return { path, headers: { ...auth(target.key), ...header }, wire, inflated, known: true, neighbours: 0, chunked };
    });
}

/** Damages the compressed bytes of valid requests. */
function damagedWire(target: FuzzTarget): fc.Arbitrary<FuzzRequest> {
  const all = captures()
    .map((capture) => ({ path: pathOf(capture.path), body: addressed(capture, target) }))
    .filter(({ body }) => body.length < 20_000);
  const change = mutation.filter(({ kind }) => kind !== 'insert' && kind !== 'repeat');
  return fc.tuple(fc.constantFrom(...all), change).map(([{ path, body }, one]) => {
    const wire = mutate(gzipSync(body), one);
    return {
      path,
      headers: { ...auth(target.key), 'Content-Encoding': 'gzip' },
      wire,
      inflated: gunzipped(wire),
      known: true,
      neighbours: 0,
      chunked: false,
    };
  });
}

function gunzipped(wire: Buffer): Buffer | null {
  try {
    return gunzipSync(wire);
  } catch {
    return null;
  }
}

function pathOf(address: string): 'envelope' | 'store' {
  return address.includes('/store/') ? 'store' : 'envelope';
}

const MEMBERS =
  'event_id timestamp level platform logger release environment server_name transaction tags extra modules contexts user request exception breadcrumbs threads message logentry stacktrace fingerprint sdk type'.split(
    ' ',
  );
const oddEvent = fc
  .array(fc.tuple(fc.constantFrom(...MEMBERS), fc.jsonValue({ maxDepth: 3 })), { maxLength: 8 })
  .map((members) => Object.fromEntries(members) as Record<string, unknown>);

const ITEM_TYPES =
  'event transaction session sessions user_report feedback client_report attachment check_in log span statsd profile replay_event unheard_of'.split(
    ' ',
  );
const payload = fc.oneof(
  oddEvent.map((event) => Buffer.from(JSON.stringify(event))),
  fc.json({ maxDepth: 3 }).map((text) => Buffer.from(text)),
  fc.json({ maxDepth: 3 }).map((text) => Buffer.from(text.slice(0, Math.floor(text.length / 2)))),
  fc.uint8Array({ maxLength: 200 }).map((raw) => Buffer.from(raw)),
);
type Item = { readonly type: string; readonly payload: Buffer } | { readonly neighbour: string };
const item: fc.Arbitrary<Item> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constantFrom(...ITEM_TYPES), payload }) },
  { weight: 1, arbitrary: fc.uuid().map((id) => ({ neighbour: id.replaceAll('-', '') })) },
);

/** Envelopes with items of declared length in any order: a broken item must not affect the others. */
function oddEnvelope(target: FuzzTarget): fc.Arbitrary<FuzzRequest> {
  return fc.tuple(fc.array(item, { maxLength: 8 }), encoding, fc.boolean()).map(([items, as, chunked]) => {
    const parts: Buffer[] = [Buffer.from('{}\n')];
    for (const one of items) {
      const bytes = 'neighbour' in one ? neighbourEvent(one.neighbour) : one.payload;
      const type = 'neighbour' in one ? 'event' : one.type;
      parts.push(Buffer.from(`${JSON.stringify({ type, length: bytes.length })}\n`), bytes, Buffer.from('\n'));
    }
    const inflated = Buffer.concat(parts);
    const { wire, header } = encode(inflated, as);
    const neighbours = items.filter((one) => 'neighbour' in one).length;
    return {
      path: 'envelope',
      headers: { ...auth(target.key), ...header },
      wire,
      inflated,
      known: true,
      neighbours,
      chunked,
    };
  });
}

function neighbourEvent(id: string): Buffer {
  return Buffer.from(
    JSON.stringify({
      event_id: id,
      platform: 'python',
      exception: { values: [{ type: NEIGHBOUR_TYPE, value: 'kept' }] },
    }),
  );
}

function oddStore(target: FuzzTarget): fc.Arbitrary<FuzzRequest> {
  return fc.tuple(payload, encoding, fc.boolean()).map(([inflated, as, chunked]) => {
    const { wire, header } = encode(inflated, as);
    return {
      path: 'store',
      headers: { ...auth(target.key), ...header },
      wire,
      inflated,
      known: true,
      neighbours: 0,
      chunked,
    };
  });
}

/** Header values that client libraries allow. */
const headerText = fc.string({ unit: 'grapheme-ascii', maxLength: 60 });

function oddHeaders(target: FuzzTarget): fc.Arbitrary<FuzzRequest> {
  const body = Buffer.from('{"message":"odd headers"}');
  return fc
    .tuple(headerText, headerText, headerText, fc.constantFrom('envelope' as const, 'store' as const), fc.boolean())
    .map(([kind, encoded, key, path, known]) => ({
      path,
      headers: {
        ...(known ? auth(target.key) : { 'X-Sentry-Auth': `Sentry sentry_key=${key}` }),
        // An unknown encoding is refused; an unknown type has no effect.
        ...(known ? { 'Content-Type': `x-${kind}`, 'Content-Encoding': `x-${encoded}` } : {}),
      },
      wire: body,
      inflated: null,
      known,
      neighbours: 0,
      chunked: false,
    }));
}

/** Invalid requests of every kind, addressed to the target. */
export function fuzzRequest(target: FuzzTarget): fc.Arbitrary<FuzzRequest> {
  return fc.oneof(
    { weight: 4, arbitrary: mutatedCapture(target) },
    { weight: 1, arbitrary: damagedWire(target) },
    { weight: 3, arbitrary: oddEnvelope(target) },
    { weight: 2, arbitrary: oddStore(target) },
    { weight: 1, arbitrary: oddHeaders(target) },
  );
}
