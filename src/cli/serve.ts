import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../../config/schema.ts';
import { hashPassword } from '../auth/password.ts';
import type { RunningService } from '../compose/start-service.ts';
import { AppError } from '../domain/app-error.ts';
import { systemClock } from '../domain/ports/clock.ts';
import type { Store } from '../domain/ports/stores/store.ts';
import { BackOff, sleep } from '../lib/back-off.ts';
import { storeTraits } from '../storage/open/store-traits.ts';
import { acquireDataDir, type DataDirOwner } from './data-dir/data-dir.ts';
import { checkExternalUrl } from './doctor/machine-checks.ts';
import { bootstrap, FIRST_START_FILE, isFirstStartDue, wasStarted } from './data-dir/first-start.ts';
import { firstStartText } from './data-dir/first-start-text.ts';
import { forgetFirstPasswords } from './data-dir/forget-first-password.ts';
import { endWith, EXIT, surroundings } from './call/invocation.ts';
import { refuseLostStore } from './data-dir/lost-store.ts';
import { printLine, printWarning } from './call/output.ts';
import { checkSecretKey, ensureSecretKey } from './data-dir/secret-key.ts';
import { dataDirOf, readConfig } from './people/session.ts';
import { recordStoreUse } from './data-dir/store-use.ts';
import { type StopSignals, watchStopSignals } from './call/stop-signals.ts';
import { packageVersion } from './version.ts';

/** Milliseconds until the ready line is printed although the first start is not done. */
const FIRST_START_PATIENCE_MS = 10_000;

function sayElsewhere(): void {
  printLine(
    `another gateway on this store performs the first start: user, token and DSN are in ${FIRST_START_FILE} in its data dir`,
  );
}

/** Straight to stdout and never through the logger: it holds secrets. */
async function makeFirstStart(config: Config, service: RunningService, dataDir: string): Promise<void> {
  const { store, externalUrl: url } = service;
  const made = config.bootstrap
    ? await bootstrap({
        store,
        clock: systemClock,
        url,
        dataDir,
        integratedOffered: config.integrated.enabled,
        hashPassword,
        onElsewhere: sayElsewhere,
      })
    : null;
  await recordStoreUse(config, dataDir, store);
  const file = join(dataDir, FIRST_START_FILE);
  if (made !== null) printLine(firstStartText(made.firstStart, made.file));
  else if (existsSync(file)) printLine(`address, user, token and DSN of the first start: ${file}`);
  // Projects came before the first start, by an import or a command, so it made no user.
  else if (config.bootstrap && (await wasStarted(store)) && (await store.listUsers()).length === 0) {
    printWarning('there is no user yet, so no one can sign in; create one: errgate user create root --admin');
  }
}

/** Progress of the first start, for readiness: the service is ready only after `first-start.json` was written. */
interface FirstStartProgress {
  /** True from the time the store is found to need a first start. False when it is done or the store goes away. */
  due: boolean;
}

const FIRST_START_REASON =
  'the first start is in progress: administrator, project, token and client key follow shortly';

/**
 * Checks a store before it is used, also one that becomes available later. Throws when it is lost or has another secret
 * key.
 */
async function admitStore(config: Config, dataDir: string, store: Store, progress: FirstStartProgress): Promise<void> {
  await refuseLostStore(config, dataDir, store);
  await checkSecretKey({ config, dataDir, store, warn: printWarning });
  await recordStoreUse(config, dataDir, store);
  progress.due = config.bootstrap && (await isFirstStartDue(store));
}

/**
 * Makes the first start as soon as the store is available. Repeats it when the store goes away meanwhile: each step
 * finds what was made before.
 */
async function makeFirstStartInTime(
  config: Config,
  service: RunningService,
  dataDir: string,
  progress: FirstStartProgress,
  signal: AbortSignal,
): Promise<void> {
  const backOff = new BackOff({ firstMs: 500, maxMs: 10_000, random: Math.random });
  await service.opened;
  while (!signal.aborted) {
    try {
      await makeFirstStart(config, service, dataDir);
      progress.due = false;
      return;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'store_unavailable') throw error;
      progress.due = false;
      await sleep(backOff.next(), signal);
    }
  }
}

/** Prints warnings when the store is unavailable, and returns true then. */
function warnAboutStore(config: Config, service: RunningService, dataDir: string): boolean {
  const reason = service.waitingFor();
  if (reason === null) return false;
  printWarning(`waiting for the store: ${reason}`);
  printWarning('until it is available, events whose key is known from an earlier run are accepted; reads answer 503');
  if (config.bootstrap && !existsSync(join(dataDir, FIRST_START_FILE))) {
    printWarning('the first start (user, token, project, DSN) follows once it is available');
  }
  return true;
}

/**
 * Removes changed passwords from the files of first starts. Retries a file that cannot be changed at the next start;
 * `doctor` reports it until then.
 */
async function forgetPasswords({ store, logger }: RunningService, dataDir: string): Promise<void> {
  try {
    await forgetFirstPasswords(store, dataDir);
  } catch (error) {
    logger.warn({ err: error }, `a changed password could not be removed from ${FIRST_START_FILE}`);
  }
}

function warnAboutUrl(config: Config, service: RunningService): void {
  const { status, message, advice } = checkExternalUrl(config.server, service.externalUrl);
  if (status !== 'ok') printWarning(`${message}; ${advice ?? ''}`);
}

/** Refuses to create an embedded store where SQLite loses data, and warns about one that is there already. */
async function checkStoreDisk({ store }: Config, dataDir: string): Promise<void> {
  if (storeTraits(store.url).shared) return;
  const { sqliteFile } = await import('../storage/open/open-store.ts');
  const { findUnfitDisk, requireFitDisk } = await import('../storage/sqlite/files/store-disk.ts');
  const file = sqliteFile(store.url, dataDir);
  if (!existsSync(file)) await requireFitDisk(file);
  const unfit = await findUnfitDisk(file);
  if (unfit !== null) printWarning(`${unfit.message}; ${unfit.cure}`);
}

/** Runs the service until the first signal, or until it cannot continue. */
async function serveUntilStopped(config: Config, owner: DataDirOwner, signals: StopSignals): Promise<void> {
  const { startService } = await import('../compose/start-service.ts');
  const version = packageVersion();
  const progress: FirstStartProgress = { due: false };
  const service: RunningService = await startService(config, {
    dataDir: owner.dir,
    version,
    admit: (store) => admitStore(config, owner.dir, store, progress),
    preparing: () => (progress.due ? FIRST_START_REASON : null),
    onPasswordChanged: () => void forgetPasswords(service, owner.dir),
  });
  const failure = service.failed.then((error) => {
    throw error;
  });
  // Watched below; until then a failure must not count as unhandled.
  failure.catch(() => undefined);
  const ending = new AbortController();
  try {
    owner.publish(service.url, systemClock.now());
    const firstStart = makeFirstStartInTime(config, service, owner.dir, progress, ending.signal);
    if (!warnAboutStore(config, service, owner.dir)) {
      await Promise.race([firstStart, failure, sleep(FIRST_START_PATIENCE_MS, ending.signal)]);
    }
    warnAboutUrl(config, service);
    // Since the process began, so that loading the program counts too.
    printLine(`errgate ${version} is ready on ${service.url} in ${Math.round(performance.now())} ms`);
    // The change may have been made through another gateway.
    const forgotten = firstStart.then(() => forgetPasswords(service, owner.dir));
    await Promise.race([signals.first, failure, forgotten.then(() => signals.first)]);
  } finally {
    ending.abort();
    await Promise.race([service.stop(), signals.second.then(stopAtOnce)]);
  }
}

function stopAtOnce(): void {
  printWarning('stopped without waiting; acknowledged events are in the journal');
  endWith(EXIT.failed);
}

async function serve(): Promise<void> {
  const config = await readConfig();
  const signals = watchStopSignals(surroundings().signals);
  const owner = await acquireDataDir(dataDirOf(config), 'serve');
  try {
    // Runs before anything is written. Opening would create an empty file, perhaps where a disk is to be mounted.
    await refuseLostStore(config, owner.dir, null);
    await checkStoreDisk(config, owner.dir);
    ensureSecretKey(config, owner.dir);
    await serveUntilStopped(config, owner, signals);
  } finally {
    owner.release();
  }
}

export function addServeCommand(program: Command): void {
  program.command('serve').description('run the service (default)').action(serve);
}
