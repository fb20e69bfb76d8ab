import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import type { Config } from '../../../config/schema.ts';
import { systemClock } from '../../domain/ports/clock.ts';
import { storeTraits } from '../../storage/open/store-traits.ts';
import { isDataDirOwned, readRunInfo } from '../data-dir/data-dir.ts';
import { endWith, EXIT } from '../call/invocation.ts';
import type { LostStore } from '../data-dir/lost-store.ts';
import { printJson, printLine } from '../call/output.ts';
import { addressOfService, configuredAddress, dataDirOf, externalUrl, portOf, readConfig } from '../people/session.ts';
import { fail, type Finding, ok, reasonOf } from './finding.ts';
import { storeAdvice } from './store-advice.ts';
import { checkAddresses, checkDataDir, checkDisk, checkNode } from './machine-checks.ts';

/** Checks everything, changes nothing. Skips checks that an earlier failure prevents. */
async function examine(report: (finding: Finding) => void): Promise<void> {
  report(checkNode(process.versions.node));
  const config = await examineConfig(report);
  if (config === null) return;
  const dataDir = dataDirOf(config);
  const folder = await checkDataDir(dataDir);
  report(folder);
  report(await examineAddress(config, dataDir));
  if (folder.status === 'fail') return;
  report(await checkDisk(dataDir, config.journal.minFreeDiskBytes));
  await examineService(config, dataDir, report);
  const { checkMail } = await import('./alert-checks.ts');
  const url = await externalUrl(config);
  report(await checkMail(config, url));
  const { checkSignOn } = await import('./sign-on-checks.ts');
  report(await checkSignOn(config, url));
  await examineStore(config, dataDir, report);
}

async function examineConfig(report: (finding: Finding) => void): Promise<Config | null> {
  try {
    const config = await readConfig();
    report(ok('configuration', 'valid'));
    return config;
  } catch (error) {
    report(
      fail('configuration', reasonOf(error), 'correct it; `errgate config show` prints the effective configuration'),
    );
    return null;
  }
}

async function examineAddress(config: Config, dataDir: string): Promise<Finding> {
  const { server } = config;
  const run = await readRunInfo(dataDir);
  const own = configuredAddress(config);
  if (run === null) return checkAddresses(server, own, null, server.externalUrl !== null);
  const listening = { host: new URL(run.url).hostname, port: portOf(run.url) };
  return checkAddresses(listening, own, await addressOfService(run), server.externalUrl !== null);
}

async function examineService(config: Config, dataDir: string, report: (finding: Finding) => void): Promise<void> {
  const { checkRefused, checkService, checkTrackerRows, readMetrics } = await import('./service-checks.ts');
  const { checkJournal, checkQuarantine, journalOfService, journalOnDisk } = await import('./journal-checks.ts');
  const run = await readRunInfo(dataDir);
  report(await checkService(run, await isDataDirOwned(dataDir)));
  const metrics = run === null ? null : await readMetrics(run.url);
  if (metrics !== null) report(checkRefused(metrics));
  const rows = metrics === null ? null : checkTrackerRows(metrics);
  if (rows !== null) report(rows);
  const reported = run === null ? null : await journalOfService(run.url);
  const journal = reported ?? (await journalOnDisk(dataDir, systemClock.now()));
  report(checkJournal(journal, run !== null, config.journal.maxBytes));
  report(await checkQuarantine(dataDir));
}

async function examineStore(config: Config, dataDir: string, report: (finding: Finding) => void): Promise<void> {
  try {
    const { openStore, sqliteFile } = await import('../../storage/open/open-store.ts');
    const { checkGateways, checkJournals } = await import('./gateway-checks.ts');
    const {
      checkAdministrators,
      checkDropped,
      checkFirstStart,
      checkKeys,
      checkStats,
      checkStoreDisk,
      checkStoreFile,
    } = await import('./store-checks.ts');
    const { checkChannels } = await import('./alert-checks.ts');
    const { checkForwards } = await import('./forward-checks.ts');
    const { checkImports } = await import('./import-checks.ts');
    const { checkTrackers } = await import('./tracker-checks.ts');
    const { checkUploads } = await import('./upload-checks.ts');
    const { findLostStore } = await import('../data-dir/lost-store.ts');
    if (!storeTraits(config.store.url).shared) {
      const disk = await checkStoreDisk(sqliteFile(config.store.url, dataDir));
      if (disk !== null) report(disk);
    }
    const reportLost = (lost: LostStore | null): boolean => {
      if (lost !== null) report(fail('store', lost.message, lost.cure));
      return lost !== null;
    };
    if (reportLost(await findLostStore(config, dataDir, null))) return;
    const store = await openStore({ url: config.store.url, dataDir, migrate: false });
    try {
      if (reportLost(await findLostStore(config, dataDir, store))) return;
      if (!storeTraits(config.store.url).shared) report(await checkStoreFile(sqliteFile(config.store.url, dataDir)));
      report(await checkStats(store));
      report(await checkAdministrators(store));
      report(await checkFirstStart(store, dataDir));
      report(await checkKeys(store));
      report(await checkTrackers(store, config, dataDir));
      report(await checkChannels(store, config, { dataDir, now: systemClock.now() }));
      report(await checkUploads(store, config.artifacts, { dataDir, now: systemClock.now() }));
      report(await checkDropped(store, systemClock.now()));
      const others = [
        await checkForwards(store, systemClock.now()),
        await checkImports(store, randomBytes(16).toString('hex')),
        await checkGateways(store),
        await checkJournals(store, systemClock.now()),
      ];
      others.filter((finding) => finding !== null).forEach(report);
    } finally {
      await store.close();
    }
  } catch (error) {
    report(fail('store', reasonOf(error), storeAdvice(error, storeTraits(config.store.url).shared)));
  }
}

function printFinding({ check, status, message, advice }: Finding): void {
  const [first = '', ...more] = message.split('\n');
  printLine(`${status.padEnd(5)} ${check.padEnd(16)} ${first}`);
  for (const line of [...more, ...(advice === null ? [] : [`-> ${advice}`])]) printLine(`${' '.repeat(23)}${line}`);
}

async function doctor(options: { json?: boolean }): Promise<void> {
  const findings: Finding[] = [];
  await examine((finding) => {
    findings.push(finding);
    if (options.json !== true) printFinding(finding);
  });
  const healthy = findings.every((finding) => finding.status !== 'fail');
  if (options.json === true) printJson({ healthy, checks: findings });
  if (!healthy) endWith(EXIT.failed);
}

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check the whole installation and suggest corrections; exit code 1 if something does not work')
    .option('--json', 'print JSON')
    .action(doctor);
}
