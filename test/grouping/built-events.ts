import assert from 'node:assert/strict';
import { indexSourceMap } from '../../src/artifacts/maps/index-source-map.ts';
import type { MemoryMaps } from '../support/map-source.ts';
import type { RawEvent } from './pair.ts';

/** Function of a build: its name in the bundle, its source file and original name, and its line there. */
export type Built = readonly [minified: string, source: string, original: string, line: number];

/** Event of a build, with what the build uploads. */
export interface Sent {
  readonly event: RawEvent;
  readonly upload: (maps: MemoryMaps) => void;
}

/** Script of a build, with the frames of an event that is thrown through all its functions. */
export interface BuiltScript extends Sent {
  readonly debugId: string;
  readonly address: string;
  readonly frames: readonly object[];
  /** Its map in the compact form. */
  readonly map: Uint8Array;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Encodes a number from 0 to 511 as source maps do. */
function vlq(value: number): string {
  const bits = value << 1;
  return bits < 32 ? (DIGITS[bits] ?? '') : `${DIGITS[(bits & 31) | 32] ?? ''}${DIGITS[bits >> 5] ?? ''}`;
}

let builds = 0;

/**
 * Event thrown through all functions of a bundle, the last of them innermost. The map says to ignore sources in folders
 * `generated`. `before`: code in front of them.
 */
export function script(bundle: string, functions: readonly Built[], before = ''): BuiltScript {
  builds += 1;
  const debugId = `00000000-0000-4000-8000-${String(builds).padStart(12, '0')}`;
  const address = `https://shop.example/assets/${bundle}.js`;
  let code = before;
  const sections: object[] = [];
  const frames: object[] = [];
  const section = (column: number, source: string, line: number, names: readonly string[]) => {
    const mappings = `AA${vlq(line - 1)}A${names.length === 0 ? '' : 'A'}`;
    const ignoreList = source.includes('/generated/') ? [0] : [];
    sections.push({ offset: { line: 0, column }, map: { version: 3, sources: [source], names, mappings, ignoreList } });
  };
  for (const [minified, source, original, line] of functions) {
    section(code.length + 'function '.length, source, line, [original]);
    const head = `function ${minified}(x){`;
    section(code.length + head.length, source, line + 1, []);
    frames.push({
      filename: address,
      function: minified,
      lineno: 1,
      colno: code.length + head.length + 1,
      in_app: true,
    });
    code += `${head}throw x}`;
  }
  const built = indexSourceMap(Buffer.from(JSON.stringify({ version: 3, sections })), Buffer.from(code));
  assert.ok('index' in built);
  const { index: map } = built;
  const upload = (maps: MemoryMaps) => maps.add({ debugId, bytes: map });
  return { debugId, address, frames, map, upload, event: thrownThrough([{ debugId, address, frames }]) };
}

/** Event thrown through several scripts, the last of them innermost, and more frames. */
export function thrownThrough(
  scripts: readonly Pick<BuiltScript, 'debugId' | 'address' | 'frames'>[],
  more: readonly object[] = [],
): RawEvent {
  const images = scripts.map(({ debugId, address }) => ({
    ...{ type: 'sourcemap', code_file: address, debug_id: debugId },
  }));
  const frames = [...more, ...scripts.flatMap((each) => each.frames)];
  return {
    platform: 'javascript',
    debug_meta: { images },
    exception: { values: [{ type: 'TypeError', value: 'no items', stacktrace: { frames } }] },
  };
}

/** Event of a program that R8 changed. */
export function java(mapping: string, type: string, calls: readonly (readonly [string, string, number])[]): Sent {
  builds += 1;
  const uuid = `00000000-0000-4000-9000-${String(builds).padStart(12, '0')}`;
  const frames = calls.map(([module, name, lineno]) => {
    return { module, function: name, lineno, filename: 'SourceFile', in_app: true };
  });
  const event = {
    platform: 'java',
    debug_meta: { images: [{ type: 'proguard', uuid }] },
    exception: { values: [{ type, module: 'x', value: 'no items', stacktrace: { frames } }] },
  };
  return { event, upload: (maps) => maps.addClasses(uuid, mapping) };
}
