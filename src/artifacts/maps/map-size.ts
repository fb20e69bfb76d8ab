import type { ArtifactMap } from '../../domain/artifacts/artifact.ts';

const MEGABYTE = 1024 * 1024;

/**
 * Bytes that are read of a source map as JSON, and of a mapping of R8. With the memory of the text and of the lists,
 * either fits into 300 MB.
 */
const MAX_BYTES = { source_map: 48 * MEGABYTE, proguard: 64 * MEGABYTE } as const;
const NAMES = { source_map: 'source map', proguard: 'mapping' } as const;

/** Says that a map has more bytes than are read, as a sentence without a period; null: it has not. */
export function sizeProblem(kind: ArtifactMap['kind'], bytes: number): string | null {
  const most = MAX_BYTES[kind];
  if (bytes <= most) return null;
  return `the ${NAMES[kind]} has ${Math.ceil(bytes / MEGABYTE)} MB; at most ${most / MEGABYTE} MB are read`;
}
