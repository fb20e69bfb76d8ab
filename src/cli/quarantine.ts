import { join } from 'node:path';
import type { Command } from 'commander';
import { AppError } from '../domain/app-error.ts';
import { systemClock } from '../domain/ports/clock.ts';
import type { QuarantineEntry } from '../integrated/quarantine/quarantine-file.ts';
import type { ReplayResult } from '../integrated/quarantine/replay-quarantine.ts';
import { counted } from '../lib/counted.ts';
import { quarantineDir } from './data-dir/data-dir-paths.ts';
import { printJson, printLine, printList, showProgress, timeText } from './call/output.ts';
import { dataDirOf, readConfig, requireDataDir, withStore } from './people/session.ts';

interface JsonOption {
  readonly json?: boolean;
}

function entryJson(entry: QuarantineEntry) {
  return {
    name: entry.name,
    reason: entry.reason,
    error: entry.error,
    quarantined_at: timeText(entry.quarantinedAt),
    project_id: entry.projectId,
    event_id: entry.eventId,
    received_at: timeText(entry.receivedAt),
    bytes: entry.bytes,
  };
}

async function list(options: JsonOption): Promise<void> {
  const { nodeJournalFiles } = await import('../integrated/intake/journal/node-files.ts');
  const { listQuarantine } = await import('../integrated/quarantine/quarantine-file.ts');
  const dataDir = dataDirOf(await readConfig());
  requireDataDir(dataDir);
  const entries = await listQuarantine(nodeJournalFiles, quarantineDir(dataDir));
  const head = ['since', 'project', 'event', 'bytes', 'reason', 'error', 'file'];
  printList(entries.map(entryJson), options.json, head, (one) => [
    one.quarantined_at,
    one.project_id,
    one.event_id,
    one.bytes,
    one.reason,
    one.error,
    one.name,
  ]);
}

async function replay(options: JsonOption): Promise<void> {
  const result = await withStore(async ({ config, dataDir, store }) => {
    const { composeDigest } = await import('../compose/digest.ts');
    const { nodeJournalFiles } = await import('../integrated/intake/journal/node-files.ts');
    const { replayQuarantine } = await import('../integrated/quarantine/replay-quarantine.ts');
    requireDataDir(dataDir);
    const { lockFile } = await import('../storage/sqlite/files/file-lock.ts');
    const { withLateReleases } = await import('../integrated/triage/late-releases.ts');
    const { createLogger } = await import('../observability/logger.ts');
    const dir = quarantineDir(dataDir);
    const progress = showProgress('replaying', 'records');
    const { mapped: digest, stop } = await composeDigest(config, store);
    return replayQuarantine({
      files: nodeJournalFiles,
      dir,
      store: withLateReleases(store, systemClock, createLogger(config.log)),
      digest,
      lock: () => lockFile(join(dir, 'replay.lock'), 'exclusive', 0),
      onProgress: (done, total) => {
        progress.update(done, total);
      },
    }).finally(() => {
      stop();
      progress.stop();
    });
  });
  report(result, options);
}

function report({ replayed, duplicates, failed, damaged }: ReplayResult, options: JsonOption): void {
  if (options.json === true) printJson({ replayed, duplicates, failed, damaged });
  else {
    printLine(`replayed ${counted(replayed, 'record')}; already stored: ${duplicates}, damaged: ${damaged}`);
  }
  if (failed > 0) {
    throw new AppError(
      'internal',
      `${counted(failed, 'record')} still cannot be digested; \`errgate quarantine list\` says why`,
    );
  }
}

export function addQuarantineCommands(program: Command): void {
  const quarantine = program.command('quarantine').description('records that could not be digested');

  quarantine
    .command('list')
    .description('list the records that were set aside, with the reasons')
    .option('--json', 'print JSON')
    .action(list);

  quarantine
    .command('replay')
    .description('process them again, for example after an update')
    .option('--json', 'print JSON')
    .action(replay);
}
