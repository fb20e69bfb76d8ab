import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createFrameMapper } from '../../../../src/compose/frame-mapper.ts';
import type { EventException, Frame } from '../../../../src/domain/events/event.ts';
import { MemoryMaps } from '../../../support/map-source.ts';
import { normalise } from '../../integrated/digest/digest-support.ts';

const fixture = (name: string) => readFileSync(new URL(`../../../fixtures/r8/${name}`, import.meta.url), 'utf8');
const ID = 'f1f2fead-cb9c-53e1-a53c-a91edb9352b3';

/** Mapping with what this R8 wrote nowhere in the recorded one. */
const NOTED = `# {"id":"com.android.tools.r8.mapping","version":"2.2"}
com.example.shop.Basket -> a.b:
# {"id":"sourceFile","fileName":"Basket.kt"}
    java.util.List items -> a
      # {"id":"com.android.tools.r8.synthesized"}
    4:4:int price(int):20:20 -> a
    5:5:int tax(int):21:21 -> a
    5:5:int price(int):25 -> a
    27:27:int price(int):0:0 -> a
      # {"id":"com.android.tools.r8.outlineCallsite","positions":{"1":4,"2":5},"outline":"La/o;a(I)I"}
    30:30:int count():40:40 -> b
    6:6:void run$bridge():50:50 -> c
      # {"id":"com.android.tools.r8.synthesized"}
    7:7:void inner():60:60 -> d
    7:7:void outer():62 -> d
      # {"id":"com.android.tools.r8.synthesized"}
com.example.shop.Basket$$ExternalSyntheticOutline0 -> a.o:
# {"id":"sourceFile","fileName":"R8$$SyntheticClass"}
# {"id":"com.android.tools.r8.synthesized"}
    1:2:int outline(int):0:0 -> a
      # {"id":"com.android.tools.r8.outline"}
com.example.shop.Basket$$ExternalSyntheticLambda1 -> a.l:
# {"id":"com.android.tools.r8.synthesized"}
    1:1:void run():0:0 -> run
com.example.shop.Item -> a.i:
# {"id":"sourceFile","fileName":"Things.kt"}
    1:1:java.lang.String com.example.shop.Basket.nameOf(java.lang.Object):70:70 -> a
    1:1:java.lang.String name():8 -> a
      # {"id":"com.android.tools.r8.rewriteFrame","conditions":["throws(Ljava/lang/NullPointerException;)"],"actions":["removeInnerFrames(1)"]}
`;

async function mapped(mapping: string, event: Record<string, unknown>): Promise<readonly EventException[]> {
  const maps = new MemoryMaps();
  maps.addClasses(ID, mapping);
  const mapper = createFrameMapper({ integrated: { inAppInclude: [], inAppExclude: [] } }, maps);
  return (await mapper.map(42, normalise(event))).event.exceptions;
}

const innermostFirst = (frames: readonly Frame[] | null): Frame[] => [...(frames ?? [])].reverse();
const nameOf = ({ module, type }: EventException): string => [module, type].filter((part) => part !== null).join('.');
const lineOf = (frame: Frame): string =>
  `${frame.module ?? ''}.${frame.function ?? ''}(${frame.filename ?? ''}${frame.lineno === null ? '' : `:${frame.lineno}`})`;

/** Reads a printed stack trace: the exceptions, the outermost first, each with its lines until those that it shares. */
function printed(text: string): { readonly head: string; readonly frames: string[] }[] {
  const exceptions: { head: string; frames: string[] }[] = [];
  for (const line of text.trim().split('\n')) {
    const frame = /^\tat (?:java\.base\/)?(.*)$/.exec(line)?.[1];
    if (frame !== undefined) exceptions.at(-1)?.frames.push(frame);
    else if (!line.startsWith('\t')) exceptions.push({ head: line.replace('Caused by: ', ''), frames: [] });
  }
  return exceptions;
}

describe('recorded events of a program that R8 changed', () => {
  const events = JSON.parse(fixture('events.json')) as Record<string, unknown>[];
  const traces = fixture('retraced.txt').split(/^== /m).slice(1);
  assert.equal(events.length, traces.length);

  for (const [number, trace] of traces.entries()) {
    const [name = '', ...lines] = trace.split('\n');
    it(`have the stacks that its own tool finds: ${name}`, async () => {
      const exceptions = [...(await mapped(fixture('mapping.txt'), events[number] ?? {}))].reverse();
      const expected = printed(lines.join('\n'));
      assert.deepEqual(
        exceptions.map((each) => `${nameOf(each)}: ${each.value ?? ''}`),
        expected.map(({ head }) => head),
      );
      for (const [at, { frames }] of expected.entries()) {
        const found = innermostFirst(exceptions[at]?.frames ?? null).map(lineOf);
        assert.deepEqual(found.slice(0, frames.length), frames);
      }
    });
  }
});

/** The expected places are those that `Retrace` of R8 9.5.28 prints for the same mapping and stacks. */
describe('notes of R8 about methods', () => {
  const stack = (type: string, ...places: readonly (readonly [string, string, number])[]) => ({
    ...{ platform: 'java', debug_meta: { images: [{ type: 'proguard', uuid: ID }] } },
    exception: {
      values: [
        {
          ...{ type, module: 'java.lang', value: 'x' },
          stacktrace: {
            frames: places.map(([module, method, lineno]) => ({
              ...{ module, function: method, lineno, filename: 'SourceFile', in_app: true },
            })),
          },
        },
      ],
    },
  });
  const framesOf = async (event: Record<string, unknown>) =>
    innermostFirst((await mapped(NOTED, event))[0]?.frames ?? null);
  const ownOf = async (event: Record<string, unknown>) =>
    (await framesOf(event)).filter((frame) => frame.in_app).map(lineOf);

  it('lead from shared instructions to the method that they are of', async () => {
    const at = (line: number) => stack('X', ['a.b', 'b', 30], ['a.b', 'a', 27], ['a.o', 'a', line]);
    assert.deepEqual(await ownOf(at(1)), [
      'com.example.shop.Basket.price(Basket.kt:20)',
      'com.example.shop.Basket.count(Basket.kt:40)',
    ]);
    assert.deepEqual(await ownOf(at(2)), [
      'com.example.shop.Basket.tax(Basket.kt:21)',
      'com.example.shop.Basket.price(Basket.kt:25)',
      'com.example.shop.Basket.count(Basket.kt:40)',
    ]);
    const outline = (await framesOf(at(2)))[0];
    assert.equal(outline?.in_app, false, 'its place is kept, as code that is not of the application');
    assert.equal(outline.raw?.module, 'a.o');
    assert.deepEqual(await ownOf(stack('X', ['a.b', 'b', 30], ['a.b', 'a', 27])), [
      'com.example.shop.Basket.price(Basket.kt)',
      'com.example.shop.Basket.count(Basket.kt:40)',
    ]);
  });

  it('tell methods that the build made from those of the application', async () => {
    assert.deepEqual(await ownOf(stack('X', ['a.l', 'run', 1], ['a.b', 'd', 7], ['a.b', 'c', 6])), [
      'com.example.shop.Basket.inner(Basket.kt:60)',
    ]);
    assert.deepEqual(await ownOf(stack('X', ['a.b', 'b', 30])), ['com.example.shop.Basket.count(Basket.kt:40)']);
  });

  it('leave out moved calls that did not happen, where the innermost frame has no object', async () => {
    const inner = 'com.example.shop.Basket.nameOf(Basket.kt:70)';
    const outer = 'com.example.shop.Item.name(Things.kt:8)';
    const count = 'com.example.shop.Basket.count(Basket.kt:40)';
    const innermost = (type: string) => stack(type, ['a.b', 'b', 30], ['a.i', 'a', 1]);
    assert.deepEqual(await ownOf(innermost('NullPointerException')), [outer, count]);
    assert.deepEqual(await ownOf(innermost('IllegalStateException')), [inner, outer, count]);
    const outside = stack('NullPointerException', ['a.i', 'a', 1], ['a.b', 'b', 30]);
    assert.deepEqual(await ownOf(outside), [count, inner, outer]);
  });
});

describe('application code in a program that R8 changed', () => {
  const MAPPING = `com.example.shop.MainActivity -> com.example.shop.MainActivity:
    1:1:void onCreate():10:10 -> onCreate
com.example.shop.Cart -> a.b:
    1:1:int total():20:20 -> a
    1:1:int okhttp3.Call.price():30:30 -> b
    1:1:int cost():21 -> b
okhttp3.Call -> a.c:
    1:1:void execute():30:30 -> a
org.maker.Parts -> a.d:
    1:1:void run():40:40 -> a
androidx.app.Loop -> androidx.app.Loop:
    1:1:void run():50:50 -> run
`;
  const sent = (marks: readonly (boolean | null)[]) => {
    const classes = ['androidx.app.Loop', 'com.example.shop.MainActivity', 'a.d', 'a.c', 'a.b'];
    const frames = classes.map((module, at) => ({
      ...{ module, function: ['run', 'onCreate'][at] ?? 'a', lineno: 1, filename: 'SourceFile' },
      ...(typeof marks[at] === 'boolean' ? { in_app: marks[at] } : {}),
    }));
    return {
      ...{ platform: 'java', debug_meta: { images: [{ type: 'proguard', uuid: ID }] } },
      exception: { values: [{ type: 'X', value: 'x', stacktrace: { frames } }] },
    };
  };
  const own = async (event: Record<string, unknown>) =>
    ((await mapped(MAPPING, event))[0]?.frames ?? []).filter((frame) => frame.in_app).map((frame) => frame.module);

  it('is of the packages that the SDK marks, also where it could not know the names', async () => {
    assert.deepEqual(await own(sent([false, true, null, null, null])), [
      'com.example.shop.MainActivity',
      'com.example.shop.Cart',
    ]);
  });

  it('is what is of no known library, where the SDK marks nothing', async () => {
    assert.deepEqual(await own(sent([])), [
      'com.example.shop.MainActivity',
      'org.maker.Parts',
      'com.example.shop.Cart',
    ]);
  });

  it('keeps the mark of a class that has its name', async () => {
    assert.deepEqual(await own(sent([false, false, true, true, true])), ['org.maker.Parts', 'com.example.shop.Cart']);
  });

  it('tells calls of a library that were moved into a method of the application', async () => {
    const event = sent([false, true, null, null, null]);
    const [value] = (event.exception as { values: { stacktrace: { frames: { function: string }[] } }[] }).values;
    (value?.stacktrace.frames.at(-1) ?? { function: '' }).function = 'b';
    const frames = (await mapped(MAPPING, event))[0]?.frames?.slice(-2) ?? [];
    assert.deepEqual(
      frames.map((frame) => [frame.module, frame.in_app]),
      [
        ['com.example.shop.Cart', true],
        ['okhttp3.Call', false],
      ],
    );
  });
});
