import type { ChunkBounds } from '../../domain/ports/uploads.ts';

const MIB = 1024 * 1024;

/** What build tools are told. */
export const CHUNK_BOUNDS: ChunkBounds = {
  chunkBytes: 8 * MIB,
  chunksPerRequest: 16,
  requestBytes: 32 * MIB,
  uploadBytes: 512 * MIB,
  concurrency: 4,
};
