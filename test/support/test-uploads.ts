import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UploadService, type UploadDeps } from '../../src/artifacts/uploads/upload-service.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { SILENT_LOGGER } from './fake-logger.ts';

/** Takes uploads in a folder of its own; `remove` deletes it. `isKilled`: nothing that was begun ends. */
export async function openUploads(parts: Pick<UploadDeps, 'store' | 'clock'> & Partial<UploadDeps>) {
  const workDir = await mkdtemp(join(tmpdir(), 'errgate-uploads-'));
  const logger = SILENT_LOGGER;
  const metrics = createMetrics();
  const limits = { unusedDays: 90, projectMaxBytes: 1e9 };
  const uploads = new UploadService({ workDir, owner: 'test', minFreeBytes: 0, limits, logger, metrics, ...parts });
  return {
    uploads,
    metrics,
    async remove(isKilled = false) {
      if (!isKilled) await uploads.stop();
      await rm(workDir, { recursive: true, force: true });
    },
  };
}
