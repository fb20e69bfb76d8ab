/** Entry of the thread that opens one upload: an upload can neither block the service nor take its memory. */
import { parentPort, workerData } from 'node:worker_threads';
import { RefusedBundle } from './bundles/bounds.ts';
import type { OpeningNotice, UploadToOpen } from './bundles/opened-upload.ts';
import { openUpload } from './bundles/open-upload.ts';

const send = (notice: OpeningNotice): void => parentPort?.postMessage(notice);

try {
  const upload = await openUpload(workerData as UploadToOpen, (place) => send({ kind: 'place', place }));
  send({ kind: 'opened', upload });
} catch (error) {
  if (!(error instanceof RefusedBundle)) throw error;
  send({ kind: 'refused', detail: error.message });
}
