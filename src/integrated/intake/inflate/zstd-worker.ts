import { parentPort } from 'node:worker_threads';
import { Decompress } from 'fzstd';

export interface ZstdJob {
  readonly body: Uint8Array;
  /** Maximum bytes of output; above it inflating stops. */
  readonly maxBytes: number;
}

export type ZstdResult =
  | { readonly kind: 'inflated'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'corrupt' };

/** Thrown through the decoder to stop it at the bound. */
class BoundExceeded extends Error {}

/** Inflates frames checked by `checkZstdFrames`: windows are bounded, blocks are whole. */
function inflate(job: ZstdJob): ZstdResult {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const decoder = new Decompress((chunk) => {
    size += chunk.length;
    if (size > job.maxBytes) {
      throw new BoundExceeded();
    }
    chunks.push(chunk);
  });
  try {
    decoder.push(job.body, true);
  } catch (error) {
    return { kind: error instanceof BoundExceeded ? 'too_large' : 'corrupt' };
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return { kind: 'inflated', bytes };
}

parentPort?.on('message', (job: ZstdJob) => {
  const result = inflate(job);
  parentPort?.postMessage(result, result.kind === 'inflated' ? [result.bytes.buffer] : []);
});
parentPort?.postMessage('ready');
