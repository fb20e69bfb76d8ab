import type { Config } from '../../config/schema.ts';
import { spoolDir } from '../integrated/forwarding/spool-paths.ts';
import { SpoolWriter } from '../integrated/forwarding/spool-writer.ts';
import { DiskGuard } from '../integrated/intake/journal/disk-guard.ts';
import { nodeJournalFiles } from '../integrated/intake/journal/node-files.ts';
import type { Logger } from '../observability/logger.ts';

/** Multiple of the free disk that ingestion needs, below which the spool stops growing: it must never refuse events. */
const FREE_DISK_FACTOR = 2;

const SILENT = { warn: () => undefined, info: () => undefined };

/** Creates the writer of the spool of a data dir. */
export function createSpoolWriter(
  config: Config,
  dataDir: string,
  logger: Pick<Logger, 'warn'>,
  onDropped: (count: number) => void,
): SpoolWriter {
  const minFreeBytes = config.journal.minFreeDiskBytes * FREE_DISK_FACTOR;
  const disk = new DiskGuard({ path: dataDir, minFreeBytes, logger: SILENT });
  return new SpoolWriter({
    files: nodeJournalFiles,
    dir: spoolDir(dataDir),
    durability: config.journal.durability,
    maxBytes: config.forward.maxBytes,
    diskLow: async () => ((await disk.check()) === null ? null : 'the disk is almost full'),
    logger,
    onDropped,
  });
}
