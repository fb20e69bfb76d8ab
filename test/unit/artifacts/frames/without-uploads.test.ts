import assert from 'node:assert/strict';
import { createFrameMapper } from '../../../../src/compose/frame-mapper.ts';
import type { NormalisedEvent } from '../../../../src/domain/events/event.ts';
import { mapFixture, MemoryMaps } from '../../../support/map-source.ts';
import { normalise } from '../../integrated/digest/digest-support.ts';

const MAIN = 'ba8a4972-c35b-41a6-a12c-705aa1d5f43d';
const CART = 'd3e78fc3-9d1d-4655-8803-fa284dfd4d32';
const recorded = JSON.parse(mapFixture('event.json').toString()) as { readonly event: Record<string, unknown> };
const RULES = { integrated: { inAppInclude: [], inAppExclude: [] } };

function world() {
  const maps = new MemoryMaps();
  const mapper = createFrameMapper(RULES, maps);
  return { maps, show: (event: NormalisedEvent) => mapper.show(42, event) };
}

const reasonsOf = (event: NormalisedEvent) => event.exceptions.at(-1)?.frames?.map(({ unmapped }) => unmapped);

/** Event of a program for Node.js, by its frames. */
function serverEvent(frames: readonly object[], more: object) {
  const values = [{ type: 'E', value: 'v', stacktrace: { frames: frames.map((frame) => ({ lineno: 1, ...frame })) } }];
  return normalise({ platform: 'node', exception: { values }, ...more });
}

describe('events that are shown, of a project without uploads', () => {
  it('say so, where the build wrote debug ids', async () => {
    const { maps, show } = world();
    const sent = normalise(structuredClone(recorded.event));
    const none = (id: string) => `no map for debug id ${id}; the project has no uploads`;
    assert.deepEqual(reasonsOf(await show(sent)), [none(MAIN), none(CART), none(CART)]);
    assert.deepEqual(reasonsOf(sent), [undefined, undefined, undefined], 'the event given is as it was');
    await show(sent);
    assert.deepEqual([...maps.asked], [['projectsWithBundles', 1]], 'the answer is kept for some time');
    const own = { filename: '/srv/dist/main.js', colno: 5, in_app: true };
    const images = [{ type: 'sourcemap', code_file: own.filename, debug_id: MAIN }];
    assert.deepEqual(reasonsOf(await show(serverEvent([own], { debug_meta: { images } }))), [none(MAIN)]);
  });

  it('stay as they are without ids, and where the ids are not of the application', async () => {
    const { maps, show } = world();
    const frames = [
      { filename: '/srv/node_modules/koa/index.js', in_app: false },
      { filename: 'node:internal/timers', in_app: true },
    ];
    const images = frames.map(({ filename }) => ({ type: 'sourcemap', code_file: filename, debug_id: MAIN }));
    for (const event of [
      serverEvent([{ filename: '/srv/dist/main.js', in_app: true }], {}),
      serverEvent([{ filename: '/srv/dist/main.js', in_app: true }], { release: '1' }),
      serverEvent(frames, { debug_meta: { images } }),
      normalise({ platform: 'python', release: '1' }),
    ]) {
      assert.equal(await show(event), event);
    }
    assert.deepEqual([...maps.asked], [['projectsWithBundles', 1]]);
  });

  it('say so of classes, where the build wrote an id of their mapping', async () => {
    const { show } = world();
    const uuid = '6a1c0b3e-7f7d-4d2a-9d53-0d5bb8a5b6d1';
    const frames = [
      { module: 'android.app.Activity', function: 'a', lineno: 4, in_app: false },
      { module: 'a.b', function: 'a', lineno: 4, in_app: true },
    ];
    const event = normalise({
      ...{ platform: 'java', debug_meta: { images: [{ type: 'proguard', uuid }] } },
      exception: { values: [{ type: 'c', module: 'a', value: 'v', stacktrace: { frames } }] },
      threads: { values: [{ id: 1, name: 'main', stacktrace: { frames } }] },
    });
    const reasons = [undefined, `no mapping for id ${uuid}; the project has no uploads`];
    const shown = await show(event);
    assert.deepEqual(reasonsOf(shown), reasons);
    assert.deepEqual(
      shown.threads[0]?.frames?.map(({ unmapped }) => unmapped),
      reasons,
    );
  });
});
