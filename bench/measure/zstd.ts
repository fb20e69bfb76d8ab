import zlib from 'node:zlib';

/** Compresses with zstd at its usual level; null before Node.js 22.15, which has none. */
export const zstdCompressSync: ((text: string) => Uint8Array) | null =
  (zlib as unknown as { zstdCompressSync?: (text: string) => Uint8Array }).zstdCompressSync ?? null;
