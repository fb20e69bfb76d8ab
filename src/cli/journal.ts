import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { AppError } from '../domain/app-error.ts';
import { systemClock } from '../domain/ports/clock.ts';
import type { DrainProgress } from '../integrated/digest/loop/drain-journal.ts';
import { segmentsDir } from '../integrated/intake/journal/segment.ts';
import { counted } from '../lib/counted.ts';
import { storeTraits } from '../storage/open/store-traits.ts';
import { journalDir, quarantineDir } from './data-dir/data-dir-paths.ts';
import { acquireDataDir } from './data-dir/data-dir.ts';
import { reference, withOperands } from './call/operands.ts';
import { printJson, printLine, printWarning, showProgress } from './call/output.ts';
import { type Session, withStore } from './people/session.ts';

/**
 * Drains the journal in the data dir `drained` into the store. Undigestible records go to the quarantine of the
 * command's own data dir.
 */
async function drainInto({ config, dataDir, store }: Session, drained: string): Promise<DrainProgress> {
  const { endJournal } = await import('../integrated/digest/loop/end-journal.ts');
  const { composeDigest } = await import('../compose/digest.ts');
  const { BATCH_BOUNDS } = await import('../integrated/digest/loop/digest-loop-options.ts');
  const { drainJournal } = await import('../integrated/digest/loop/drain-journal.ts');
  const { nodeJournalFiles } = await import('../integrated/intake/journal/node-files.ts');
  const { withLateReleases } = await import('../integrated/triage/late-releases.ts');
  const { createLogger } = await import('../observability/logger.ts');
  const { createSpoolWriter } = await import('../compose/spool.ts');
  const logger = createLogger(config.log);
  // Requests to be forwarded stay in the drained data dir, whose next gateway sends them.
  const spool = createSpoolWriter(config, drained, logger, () => undefined);
  const progress = showProgress('draining', 'bytes');
  const journal = { files: nodeJournalFiles, dir: journalDir(drained), store };
  const { mapped: digest, stop } = await composeDigest(config, store);
  const result = await drainJournal({
    ...journal,
    store: withLateReleases(store, systemClock, logger),
    quarantineDir: quarantineDir(dataDir),
    clock: systemClock,
    logger,
    digest,
    forward: (records) => spool.take(records),
    ...BATCH_BOUNDS,
    onQuarantine: () => undefined,
    onProgress: ({ doneBytes, totalBytes }) => {
      progress.update(doneBytes, totalBytes);
    },
  }).finally(async () => {
    stop();
    progress.stop();
    await spool.close();
  });
  await endJournal(journal);
  return result;
}

/**
 * Drains the journal of a stopped gateway. A shared store keeps state of a journal in the gateway's data dir. So the
 * store is opened with that data dir.
 */
async function drainAs(session: Session, drained: string): Promise<DrainProgress> {
  const { url } = session.config.store;
  if (!storeTraits(url).shared) return drainInto(session, drained);
  const { openStore } = await import('../storage/open/open-store.ts');
  const store = await openStore({ url, dataDir: drained });
  try {
    return await drainInto({ ...session, store }, drained);
  } finally {
    await store.close();
  }
}

/** Brings the records of this stopped service's journal into its store. A service that never ran has none. */
export async function drainOwnJournal(dataDir: string): Promise<void> {
  if (existsSync(segmentsDir(journalDir(dataDir)))) await withStore((session) => drainInto(session, dataDir));
}

/** Says what a drained data dir still has to forward. */
async function warnOfSpool(dir: string): Promise<void> {
  const { spoolDir, spooledProjects } = await import('../integrated/forwarding/spool-paths.ts');
  const { nodeJournalFiles } = await import('../integrated/intake/journal/node-files.ts');
  const projects = await spooledProjects(nodeJournalFiles, spoolDir(dir));
  if (projects.length === 0) return;
  const who = `${counted(projects.length, 'project')} may still have requests to forward in ${spoolDir(dir)}`;
  printWarning(`${who}; start a gateway on this data dir once to send them`);
}

async function drain(dir: string, options: { json?: boolean }): Promise<void> {
  if (!existsSync(segmentsDir(journalDir(dir)))) {
    throw new AppError('not_found', `${dir} holds no journal: specify the data dir of a service that no longer runs`);
  }
  const owner = await acquireDataDir(dir, 'journal drain');
  try {
    const { records, stored, duplicates } = await withStore((session) => drainAs(session, dir));
    if (options.json === true) printJson({ records, stored, duplicates });
    else
      printLine(
        `drained ${counted(records, 'record')}: ${counted(stored, 'event')} stored, already stored: ${duplicates}`,
      );
    await warnOfSpool(dir);
  } finally {
    owner.release();
  }
}

export function addJournalCommands(program: Command): void {
  const journal = program.command('journal').description('acknowledged events that are not stored yet');

  withOperands(
    journal
      .command('drain')
      .description('store the events that a stopped service left in its data dir')
      .option('--json', 'print JSON'),
    { dir: reference('the data dir of this service, or of one that no longer runs') },
    ({ dir }, options: { json?: boolean }) => drain(resolve(dir), options),
  );
}
