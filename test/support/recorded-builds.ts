import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eachMapping, TraceMap } from '@jridgewell/trace-mapping';
import { BundleZip } from '../../src/artifacts/bundles/bundle-zip.ts';
import { readManifest } from '../../src/artifacts/bundles/manifest.ts';
import { pairFiles } from '../../src/artifacts/bundles/pair-files.ts';
import { indexSourceMap } from '../../src/artifacts/maps/index-source-map.ts';
import { readProguard } from '../../src/artifacts/maps/read-proguard.ts';
import { recordings } from './build-tools.ts';
import type { AddedMap } from './map-source.ts';

/** Bytes of a recorded file, more than any has. */
const MAX_BYTES = 1 << 20;
/** Sources of the recorded program. */
const OWN_SOURCE = /(?:^|\/)(?:main|cart|add)\.js$/;

/** What a build uploads, and what its program sends. */
export interface UploadingBuild {
  /** Its maps, each of which may come alone. */
  readonly maps: readonly AddedMap[];
  /** An event of each of two faults, the same in all builds. */
  readonly faults: readonly Record<string, unknown>[];
}

interface RecordedScript {
  readonly debugId: string;
  readonly code: string;
  /** As JSON. */
  readonly map: object;
  /** Lines of the code in front of the part that the map has. */
  readonly linesBefore: number;
}

/** Returns two builds of a recorded program, by the bundler or tool that uploaded the first. */
export async function recordedBuilds(): Promise<ReadonlyMap<string, readonly UploadingBuild[]>> {
  const builds = new Map<string, readonly UploadingBuild[]>();
  for (const [name, requests] of recordings()) {
    if (name.endsWith('-no-repository')) continue;
    const contents = requests.flatMap(({ part }) => (part === undefined ? [] : [Buffer.from(part.content, 'base64')]));
    const bundle = contents.find((content) => content.subarray(0, 4).toString() === 'SYSB');
    assert.ok(bundle !== undefined, name);
    const scripts = await scriptsOf(bundle);
    builds.set(name, [buildOf(scripts, 'shop'), buildOf(scripts.map(nextScript), 'shop-next')]);
  }
  return builds.set('R8 9.5.28', await r8Builds());
}

async function scriptsOf(bundle: Buffer): Promise<RecordedScript[]> {
  const folder = await mkdtemp(join(tmpdir(), 'errgate-bundle-'));
  try {
    const file = join(folder, 'bundle.zip');
    await writeFile(file, bundle);
    const zip = await BundleZip.open(file);
    const { files } = readManifest(await zip.read('manifest.json', MAX_BYTES));
    const scripts: RecordedScript[] = [];
    for (const { minified, map } of pairFiles(files)) {
      assert.ok(minified !== null && map !== null && minified.debugId !== null);
      const content = (await zip.read(minified.path, MAX_BYTES)).toString();
      const json = JSON.parse((await zip.read(map.path, MAX_BYTES)).toString()) as object;
      scripts.push({ debugId: minified.debugId, code: content, map: json, linesBefore: 0 });
    }
    zip.close();
    return scripts;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The script of the next build: other lines and another id, of the same sources. */
function nextScript({ debugId, code, map }: RecordedScript): RecordedScript {
  return { debugId: debugId.replace(/^../, 'ff'), code: `// next\n${code}`, map, linesBefore: 1 };
}

/** Places of its own sources in a script, as frames; the sources that are called last come last. */
function placesOf({ map, linesBefore }: RecordedScript) {
  const places: { lineno: number; colno: number; original: string }[] = [];
  eachMapping(new TraceMap(JSON.stringify(map)), ({ source, generatedLine, generatedColumn, originalLine }) => {
    if (source === null || !OWN_SOURCE.test(source)) return;
    const original = `${source}:${originalLine}`;
    places.push({ lineno: generatedLine + linesBefore, colno: generatedColumn + 1, original });
  });
  assert.ok(places.length > 1, 'the map has the program');
  return places;
}

function buildOf(scripts: readonly RecordedScript[], name: string): UploadingBuild {
  const files = scripts.map((script, at) => ({ ...script, address: `https://shop.example/${name}-${at}.js` }));
  const maps = files.map(({ debugId, code, map, linesBefore }): AddedMap => {
    const sections = [{ offset: { line: linesBefore, column: 0 }, map }];
    const built = indexSourceMap(Buffer.from(JSON.stringify({ version: 3, sections })), Buffer.from(code));
    assert.ok('index' in built);
    return { debugId, bytes: built.index };
  });
  const images = files.map(({ address, debugId }) => ({
    ...{ type: 'sourcemap', code_file: address, debug_id: debugId },
  }));
  const faults = ['first', 'last'].map((which) => {
    const frames = files.map(({ address, ...script }) => {
      const places = placesOf(script);
      const { lineno, colno } = (which === 'first' ? places[0] : places.at(-1)) ?? { lineno: 0, colno: 0 };
      return { filename: address, function: 't', lineno, colno, in_app: true };
    });
    const values = [{ type: 'RangeError', value: 'no price', stacktrace: { frames } }];
    return { platform: 'javascript', debug_meta: { images }, exception: { values } };
  });
  return { maps, faults };
}

interface ClassEvent {
  readonly debug_meta: { readonly images: readonly object[] };
  readonly exception: {
    readonly values: readonly {
      readonly type: string;
      readonly module: string;
      readonly stacktrace: { readonly frames: readonly { readonly module: string }[] };
    }[];
  };
}

/** Two builds of a program that R8 changed: the second one gives its classes other names. */
async function r8Builds(): Promise<UploadingBuild[]> {
  const fixture = (name: string) => readFile(new URL(`../fixtures/r8/${name}`, import.meta.url), 'utf8');
  const mapping = await fixture('mapping.txt');
  const events = (JSON.parse(await fixture('events.json')) as ClassEvent[]).slice(0, 2);
  const renamed = new Set(Array.from(mapping.matchAll(/^\S+ -> (\w+):$/gm), ([, name]) => name));
  return ['', 'next.'].map((prefix, at) => {
    const uuid = `f1f2fead-cb9c-53e1-a53c-00000000000${at}`;
    const nameOf = (name: string) => (renamed.has(name) ? prefix + name : name);
    const built = readProguard(
      Buffer.from(mapping.replaceAll(/^(\S+ -> )(\w+:)$/gm, (_, start: string, name: string) => start + prefix + name)),
    );
    assert.ok('index' in built);
    const faults = events.map((event) => ({
      ...event,
      debug_meta: { images: [{ type: 'proguard', uuid }] },
      exception: {
        values: event.exception.values.map((each) => ({
          ...each,
          module: each.module === '' && renamed.has(each.type) ? prefix.slice(0, -1) : each.module,
          stacktrace: {
            frames: each.stacktrace.frames.map((frame) => ({ ...frame, module: nameOf(frame.module) })),
          },
        })),
      },
    }));
    return { maps: [{ debugId: uuid, kind: 'proguard' as const, bytes: built.index }], faults };
  });
}
