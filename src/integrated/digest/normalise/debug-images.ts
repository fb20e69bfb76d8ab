import { readDebugId } from '../../../domain/artifacts/artifact.ts';
import type { DebugImage, EventException, EventThread } from '../../../domain/events/event.ts';
import { cleanText, cutText } from '../../../lib/text/clean-text.ts';
import { isRecord } from '../../../lib/own-property.ts';
import { TEXT } from './bounds/limits.ts';

/** Images of an event that are looked at, and that are kept. */
const MAX_LISTED = 2000;
const MAX_KEPT = 100;

/**
 * Returns the files of the build that the frames are in; null without any. Paths are cut as those of frames, so that
 * they stay equal.
 */
export function normaliseDebugImages(
  meta: unknown,
  exceptions: readonly EventException[],
  threads: readonly EventThread[],
): DebugImage[] | null {
  const listed = isRecord(meta) && Array.isArray(meta.images) ? (meta.images as unknown[]) : [];
  if (listed.length === 0) return null;
  const kept: DebugImage[] = [];
  let paths: ReadonlySet<string> | null = null;
  for (const image of listed.slice(0, MAX_LISTED)) {
    if (!isRecord(image) || kept.length === MAX_KEPT) continue;
    const sent = image.debug_id ?? image.uuid;
    const debugId = typeof sent === 'string' ? readDebugId(sent) : null;
    if (debugId === null) continue;
    if (image.type === 'proguard') kept.push({ type: 'proguard', code_file: null, debug_id: debugId });
    if (image.type !== 'sourcemap' || typeof image.code_file !== 'string') continue;
    const file = cutText(cleanText(image.code_file), TEXT.path.max, TEXT.path.tolerance);
    paths ??= pathsOf([...exceptions, ...threads]);
    if (paths.has(file)) kept.push({ type: 'sourcemap', code_file: file, debug_id: debugId });
  }
  return kept.length === 0 ? null : kept;
}

function pathsOf(owners: readonly Pick<EventThread, 'frames'>[]): Set<string> {
  const paths = new Set<string>();
  for (const { frames } of owners) {
    for (const { abs_path: path, filename } of frames ?? []) {
      const place = path ?? filename;
      if (place !== null) paths.add(place).add(place.replace(/[?#].*$/, ''));
    }
  }
  return paths;
}
