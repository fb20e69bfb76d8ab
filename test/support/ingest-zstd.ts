import { readFileSync } from 'node:fs';

const FOLDER = new URL('../fixtures/zstd/', import.meta.url);

export function zstdFixture(name: string): Buffer {
  return readFileSync(new URL(name, FOLDER));
}

/** Builds a valid zstd frame of raw blocks; needs no compressor, and every decoder reads it. */
export function zstdRaw(body: Uint8Array): Buffer {
  const parts = [frameHeader()];
  let at = 0;
  do {
    const block = body.subarray(at, at + 100_000);
    at += block.length;
    parts.push(blockHeader(at >= body.length, 0, block.length), Buffer.from(block));
  } while (at < body.length);
  return Buffer.concat(parts);
}

/** Builds a frame header: magic number, no flags, and a window descriptor (default: 1 MiB). */
export function frameHeader(windowDescriptor = 10 << 3): Buffer {
  return Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, windowDescriptor]);
}

/** Builds a block header. Types: 0 raw, 1 run-length, 2 compressed. */
export function blockHeader(last: boolean, type: number, size: number): Buffer {
  const value = (size << 3) | (type << 1) | (last ? 1 : 0);
  return Buffer.from([value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff]);
}
