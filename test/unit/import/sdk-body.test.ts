import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { groupV2 } from '../../../src/integrated/digest/group/v2/group.ts';
import { eventFromApi } from '../../../src/import/sdk-body/api-event.ts';
import { eventFromRaw } from '../../../src/import/sdk-body/raw-event.ts';
import type { RemoteEvent } from '../../../src/import/tracker-reader.ts';
import { ownGrouping, SourceWorld } from '../../support/fake-source/source-world.ts';
import type { SdkBody, SourceEvent } from '../../support/fake-source/source-records.ts';
import { apiEvent, storedByGlitchTip, storedBySentry } from '../../support/fake-source/stored-event.ts';
import {
  CAPTURE_NAMES,
  captureRecord,
  digester,
  EVENT_ID,
  record,
  RECEIVED_AT,
} from '../integrated/digest/digest-support.ts';

const digest = digester({ group: groupV2 });
const NOW = RECEIVED_AT + 60_000;
const project = new SourceWorld('sentry').addProject('shop', { id: '42' });

const keyOf = (body: SdkBody): string => {
  const { event } = digest(record(JSON.stringify(body)));
  if (event === null) throw new Error('not digested');
  return event.groupHash;
};

/** An event of an SDK, with the key that the live event has. */
interface Sent {
  readonly name: string;
  readonly body: SdkBody;
  readonly key: string;
  readonly hasStack: boolean;
}

const captured: Sent[] = CAPTURE_NAMES.flatMap((name) => {
  const journaled = captureRecord(name);
  if (journaled === null) return [];
  const text = Buffer.from(journaled.body).toString('utf8');
  const body = JSON.parse(text) as SdkBody;
  const { event } = digest(journaled);
  if (event === null) return [];
  return [{ name, body, key: event.groupHash, hasStack: text.includes('"exception"') && text.includes('"frames"') }];
});

const made = (name: string, body: SdkBody): Sent => ({ name, body, key: keyOf(body), hasStack: true });

/** Frames of Rust, recorded with sentry 0.49.5: per line in_app, function, crate and place. */
const panics = readFileSync(new URL('../../fixtures/rust-0.49.5/panics.txt', import.meta.url), 'utf8')
  .split(/^== /m)
  .slice(1)
  .map((text, index) => {
    const [value = '', ...lines] = text.trimEnd().split('\n');
    const frames = lines.map((line) => {
      const [mark, name, crate, place = '-'] = line.split('\t');
      const [, path = '', lineno = ''] = /^(.+):(\d+)$/.exec(place) ?? [];
      return {
        function: name,
        in_app: mark === '+',
        ...(crate === '-' ? {} : { package: crate }),
        ...(path === '' ? {} : { abs_path: path, filename: path.split('/').at(-1), lineno: Number(lineno) }),
      };
    });
    return made(`rust-0.49.5/${index}`, {
      platform: 'native',
      sdk: { name: 'sentry.rust' },
      exception: { values: [{ type: 'panic', value, stacktrace: { frames } }] },
    });
  });

/** Minified script in a browser: frames have the URL and no source. */
const script = (name: string, frames: object[]): Sent =>
  made(`browser-11/${name}`, {
    platform: 'javascript',
    sdk: { name: 'sentry.javascript.browser' },
    exception: { values: [{ type: 'ReferenceError', value: 'basket is not defined', stacktrace: { frames } }] },
  });
const scripts = [
  script('stack', [
    {
      filename: 'https://shop.example.com/static/vendor.91c0.js',
      function: 'dispatch',
      lineno: 2,
      colno: 40112,
      in_app: true,
    },
    {
      filename: 'https://shop.example.com/static/main.4f2a.js',
      function: 'render',
      lineno: 11,
      colno: 18231,
      in_app: true,
    },
    { filename: 'https://shop.example.com/static/main.4f2a.js', function: 'n', lineno: 7, colno: 9120, in_app: true },
  ]),
  script('stack without in_app', [
    { filename: 'https://cdn.jsdelivr.net/npm/lib.js', function: '?', lineno: 2, colno: 40 },
    { filename: 'https://shop.example.com/main.js', function: 'checkout', lineno: 1, colno: 18 },
  ]),
];

const events = [...captured, ...panics, ...scripts];

const kept = (body: SdkBody): SourceEvent => ({
  id: EVENT_ID,
  at: RECEIVED_AT,
  receivedAt: RECEIVED_AT,
  hash: ownGrouping(body),
  body,
});

/** What comes over the wire. */
const wire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const joins = (event: RemoteEvent | null, key: string): boolean =>
  event !== null && [event.body, ...event.variants].some((body) => keyOf(body) === key);

/** Share of events that join, printed by SDK; the names of those that do not. */
function share(title: string, of: readonly Sent[], read: (sent: Sent) => RemoteEvent | null): string[] {
  const lost = of.filter((sent) => !joins(read(sent), sent.key)).map(({ name }) => name);
  const sdks = [...new Set(of.map(({ name }) => name.split('/')[0] ?? ''))];
  const shares = sdks.map((sdk) => {
    const own = of.filter(({ name }) => name.startsWith(`${sdk}/`));
    return `${sdk} ${own.filter(({ name }) => !lost.includes(name)).length}/${own.length}`;
  });
  console.log(`      ${title}: ${of.length - lost.length} of ${of.length} join (${shares.join(', ')})`);
  return lost;
}

describe('events of trackers as SDKs sent them', () => {
  const withStack = events.filter(({ hasStack }) => hasStack);
  const others = events.filter(({ hasStack }) => !hasStack);

  it('has events of eight SDKs, with and without a stack', () => {
    const sdks = new Set(events.map(({ name }) => name.split('-')[0]));
    assert.deepEqual([...sdks].sort(), ['browser', 'go', 'java', 'node', 'php', 'python', 'ruby', 'rust']);
    assert.ok(withStack.length >= 15 && others.length >= 5, `${withStack.length}, ${others.length}`);
  });

  it('have the group key of the live event, as Sentry stores them', () => {
    const read = ({ body }: Sent): RemoteEvent | null => eventFromRaw(wire(storedBySentry(kept(body), project)), NOW);
    assert.deepEqual(share('stored by Sentry, exceptions with stack', withStack, read), []);
    assert.deepEqual(share('stored by Sentry, others', others, read), []);
  });

  it('have it although rules of the server decided which frames are of the application', () => {
    const store = (body: SdkBody) => storedBySentry(kept(body), project, { outRule: true });
    const untouched = withStack.filter(({ body, key }) => keyOf(store(body)) === key);
    assert.ok(untouched.length < withStack.length / 2, `as stored, ${untouched.length} of ${withStack.length} join`);
    const read = ({ body }: Sent): RemoteEvent | null => eventFromRaw(wire(store(body)), NOW);
    assert.deepEqual(share('with rules for in_app, exceptions with stack', withStack, read), []);
    // The shape of the API has lost what was sent: some join by the rules for events without in_app.
    const shaped = ({ body }: Sent): RemoteEvent | null => eventFromApi(wire(apiEvent(store(body), '1', '42')), NOW);
    const lost = share('the same in the shape of the API', withStack, shaped);
    assert.ok(lost.length <= withStack.length / 2, lost.join());
  });

  it('have it in the form as sent where source maps were applied', () => {
    const read = ({ body }: Sent): RemoteEvent | null =>
      eventFromRaw(wire(storedBySentry(kept(body), project, { mapped: true })), NOW);
    assert.deepEqual(share('mapped by Sentry, exceptions with stack', withStack, read), []);
    const browser = withStack.find(({ name }) => name.startsWith('browser'));
    assert.ok(browser !== undefined);
    const event = read(browser);
    assert.equal(event?.variants.length, 1);
    assert.notEqual(keyOf(event.body), browser.key, 'the body is the mapped form');
    assert.equal(keyOf(event.variants[0] ?? {}), browser.key);
  });

  it('have it although a rule of the server gave another fingerprint', () => {
    const read = ({ body }: Sent): RemoteEvent | null =>
      eventFromRaw(wire(storedBySentry(kept(body), project, { ruleFingerprint: ['database'] })), NOW);
    assert.deepEqual(share('with a rule, all', events, read), []);
    const own = { ...(withStack[0]?.body ?? {}), fingerprint: ['own', '{{ default }}'] };
    const event = eventFromRaw(wire(storedBySentry(kept(own), project, { ruleFingerprint: ['database'] })), NOW);
    assert.ok(joins(event, keyOf(own)));
  });

  it('have it as GlitchTip stores them', () => {
    const read = ({ body }: Sent): RemoteEvent | null =>
      eventFromRaw(wire(storedByGlitchTip(kept(body), project)), NOW);
    assert.deepEqual(share('stored by GlitchTip, exceptions with stack', withStack, read), []);
    // GlitchTip drops threads, of which the key of such a message is made: likeness joins them.
    const threaded = others.filter(({ body }) => body.threads !== undefined).map(({ name }) => name);
    assert.ok(threaded.length > 0 && threaded.length < others.length / 2, threaded.join());
    assert.deepEqual(share('stored by GlitchTip, others', others, read), threaded);
  });

  it('mostly have it in the shape of the API, where in_app is the decision of the tracker', () => {
    const read = ({ body }: Sent): RemoteEvent | null =>
      eventFromApi(wire(apiEvent(storedBySentry(kept(body), project), '1', '42')), NOW);
    assert.deepEqual(share('in the shape of the API, exceptions with stack', withStack, read), []);
    assert.deepEqual(share('in the shape of the API, others', others, read), []);
  });

  const raw = (members: object): RemoteEvent => {
    const event = eventFromRaw(
      { event_id: EVENT_ID, timestamp: RECEIVED_AT / 1000, platform: 'python', ...members },
      NOW,
    );
    assert.ok(event !== null);
    return event;
  };
  const framesOf = (event: RemoteEvent): Record<string, unknown>[] => {
    const { values } = event.body.exception as { values: { stacktrace: { frames: Record<string, unknown>[] } }[] };
    return values[0]?.stacktrace.frames ?? [];
  };

  it('restore in_app and names of functions as they were sent', () => {
    const frame = (data: object, members: object = {}): object => ({ function: 'f', in_app: true, data, ...members });
    const frames = [
      frame({ orig_in_app: -1 }),
      frame({ orig_in_app: 0 }),
      frame({ orig_in_app: 1 }, { in_app: false }),
      frame({}),
      frame({ client_in_app: null, orig_in_app: 1 }),
      frame({ client_in_app: false }),
      frame({}, { function: 'short', raw_function: 'short::h0123456789abcdef' }),
    ];
    const undone = framesOf(raw({ exception: { values: [{ type: 'E', stacktrace: { frames } }] } }));
    assert.deepEqual(
      undone.map((one) => one.in_app),
      [undefined, false, true, true, undefined, false, true],
    );
    assert.equal(undone.at(-1)?.function, 'short::h0123456789abcdef');
    assert.ok(undone.every((one) => !('data' in one) && !('raw_function' in one)));
  });

  it('leave out what the tracker made', () => {
    const { body } = raw({
      title: 'E: no',
      culprit: 'made in server',
      metadata: { type: 'E' },
      message: 'E no made for search',
      type: 'error',
      hashes: ['a'],
      key_id: 1,
      exception: { values: [{ type: 'E', value: 'no' }] },
      tags: [
        ['region', 'eu'],
        ['environment', 'production'],
        ['level', 'warning'],
        ['browser.name', 'Firefox'],
        ['sentry:release', 'shop@1'],
      ],
      user: { id: '1', geo: { country_code: 'US' }, sentry_user: 'id:1', email: null },
    });
    assert.deepEqual(body, {
      event_id: EVENT_ID,
      timestamp: RECEIVED_AT / 1000,
      platform: 'python',
      environment: 'production',
      level: 'warning',
      release: 'shop@1',
      tags: [['region', 'eu']],
      user: { id: '1' },
      exception: { values: [{ type: 'E', value: 'no' }] },
    });
  });

  it('tell when a scrubber changed what a key may be made of', () => {
    const value = (text: string) => ({ exception: { values: [{ type: 'E', value: text }] } });
    assert.equal(raw(value('all fine')).scrubbed, false);
    assert.equal(raw(value('user [Filtered] is unknown')).scrubbed, true);
    assert.equal(raw({ logentry: { formatted: 'mail to [email]' } }).scrubbed, true);
    const meta = (name: string, rule: string) => ({
      ...value('all ****'),
      _meta: { exception: { values: { 0: { [name]: { '': { rem: [[rule, 's', 4, 8]] } } } } } },
    });
    assert.equal(raw(meta('value', '@password:mask')).scrubbed, true);
    assert.equal(raw(meta('vars', '@password:mask')).scrubbed, false);
    // A limit cut the text.
    assert.equal(raw(meta('value', '!limit')).scrubbed, false);
  });

  it('have plausible times, and ids of 32 digits', () => {
    for (const [timestamp, at] of [
      [0, NOW],
      [32_503_680_000, NOW],
      ['2999-01-01T00:00:00Z', NOW],
      [RECEIVED_AT / 1000, RECEIVED_AT],
    ]) {
      assert.equal(raw({ timestamp }).at, at);
    }
    assert.equal(eventFromRaw({ event_id: '../x' }, NOW), null);
    assert.equal(eventFromApi({ eventID: 'f'.repeat(31) }, NOW), null);
    assert.equal(eventFromRaw(['no event'], NOW), null);
  });

  it('are bounded in depth', () => {
    let deep: unknown = 'end';
    for (let level = 0; level < 5000; level += 1) deep = { deep };
    const text = JSON.stringify(raw({ extra: { deep } }).body);
    assert.ok(text.length < 1000, String(text.length));
  });
});
