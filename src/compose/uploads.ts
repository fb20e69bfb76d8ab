import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/schema.ts';
import { UploadService } from '../artifacts/uploads/upload-service.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { Store } from '../domain/ports/stores/store.ts';
import type { Closers } from '../lib/closers.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';

export interface UploadParts {
  /** Absolute; owned by this process. */
  readonly dataDir: string;
  readonly store: Store;
  /** Name of this process as owner of leases. */
  readonly owner: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Builds what takes uploads of build tools. Files that an earlier process was opening are made again. */
export async function createUploads(config: Config, parts: UploadParts, closers: Closers): Promise<UploadService> {
  const workDir = join(parts.dataDir, 'uploads');
  await rm(workDir, { recursive: true, force: true });
  await mkdir(workDir, { recursive: true, mode: 0o700 });
  const minFreeBytes = config.journal.minFreeDiskBytes;
  const uploads = new UploadService({ ...parts, workDir, minFreeBytes, limits: config.artifacts });
  closers.add(() => uploads.stop());
  return uploads;
}
