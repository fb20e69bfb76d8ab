import { makeBundle, type BundleFile } from './build-tools.ts';
import { mapFixture } from './map-source.ts';

/** Debug ids of the recorded build's files. */
export const MAIN_ID = 'ba8a4972-c35b-41a6-a12c-705aa1d5f43d';
export const CART_ID = 'd3e78fc3-9d1d-4655-8803-fa284dfd4d32';

/** File of the recorded build with its map, as its plugin uploads them. */
const built = (name: string, debugId: string): BundleFile[] => [
  {
    ...{ path: `files/_/_/${name}`, type: 'minified_source', url: `~/${name}`, content: mapFixture(name) },
    headers: { 'debug-id': debugId, sourcemap: `${name}.map` },
  },
  {
    ...{ path: `files/_/_/${name}.map`, type: 'source_map', url: `~/${name}.map` },
    ...{ content: mapFixture(`${name}.map`), headers: { 'debug-id': debugId } },
  },
];

/** Bundle of the file whose two frames are innermost; the other file of the build is not in it. */
export const cartBundle = (): Buffer => makeBundle(built('cart-zUTjjcmR.js', CART_ID), { release: 'shop@1.0.0' });

/** Event of the recorded build: two frames of the one file, one of the other. */
export function recordedEvent(timestamp: number): Record<string, unknown> {
  const { event } = JSON.parse(mapFixture('event.json').toString()) as { event: Record<string, unknown> };
  return { ...event, timestamp };
}
