import { randomBytes } from 'node:crypto';
import { type Command, Option } from 'commander';
import { plainAddress, targetOf } from '../../audit/shown-values.ts';
import { AppError } from '../../domain/app-error.ts';
import { INSTANCE } from '../../domain/audit/audit-event.ts';
import { systemClock } from '../../domain/ports/clock.ts';
import type { Config } from '../../../config/schema.ts';
import type { DryRunDeps } from '../../import/dry-run.ts';
import type { ImportFrom } from '../../import/import-run.ts';
import { parseMoment } from '../call/arguments.ts';
import { endWith, EXIT } from '../call/invocation.ts';
import {
  printJson,
  printJsonLine,
  printLine,
  printList,
  printWarning,
  showProgress,
  timeText,
} from '../call/output.ts';
import { dataDirOf, readConfig, type Session, withStore } from '../people/session.ts';
import { auditedImport } from './audited-import.ts';
import { commandText } from './command-text.ts';
import {
  type ImportCommandOptions,
  parseEvents,
  parseParts,
  runOptionsOf,
  sourceOf,
  withSourceOptions,
} from './import-options.ts';
import { type FileOptions, importFiles, withFileOptions } from './import-files.ts';
import { showStages } from './import-progress.ts';
import { withSource } from './open-source.ts';
import { printDryRun, printSummary } from './print-import.ts';

const DEFAULT_EVENTS = 20;

const newOwner = (): string => randomBytes(16).toString('hex');

async function dryRunOf(
  store: DryRunDeps['store'],
  from: ImportFrom,
  options: ImportCommandOptions,
  signal: AbortSignal,
) {
  const { dryRun } = await import('../../import/dry-run.ts');
  const progress = showProgress('reading projects', 'projects');
  const onProject = (_slug: string, done: number, total: number): void => progress.update(done, total);
  return dryRun({ store, clock: systemClock }, from, runOptionsOf(options), signal, onProject).finally(() => {
    progress.stop();
  });
}

/** Imports in this process. Ends with 1 when something is left. */
async function importAll(session: Session, from: ImportFrom, options: ImportCommandOptions, signal: AbortSignal) {
  const { composeDigest } = await import('../../compose/digest.ts');
  const { runImport } = await import('../../import/run-import.ts');
  const { digest, stop } = await composeDigest(session.config, session.store);
  const stages = showStages(options.json);
  const deps = { store: session.store, digest, clock: systemClock, owner: newOwner() };
  const summary = await runImport(deps, from, runOptionsOf(options), signal, stages.onProgress).finally(() => {
    stages.stop();
    stop();
  });
  if (options.json === true) printJsonLine(summary);
  else printSummary(summary);
  await warnWithoutAdministrator(session.store);
  if (!summary.complete) endWith(EXIT.failed);
}

/** Warns where an import was made before the first start, which creates no administrator in a store with projects. */
async function warnWithoutAdministrator(store: Pick<Session['store'], 'listUsers'>): Promise<void> {
  if ((await store.listUsers()).some(({ admin, blocked }) => admin && !blocked)) return;
  printWarning(
    'there is no administrator, and no start of errgate creates one any more, because the store is not empty: create one with `errgate user create <username> --admin`',
  );
}

/** Store of an installation that was never started: a dry run finds nothing in it. */
const NOTHING: DryRunDeps['store'] = {
  keyByPublicKey: async () => null,
  listImportSources: async () => [],
  listUsers: async () => [],
  projectById: async () => null,
  projectByPath: async () => null,
};

/** Shows what an import would bring along. Needs no store: a first look may come before the first start. */
async function showDryRun(config: Config, from: ImportFrom, options: ImportCommandOptions, signal: AbortSignal) {
  const { missingStore } = await import('../data-dir/missing-store.ts');
  const look = (store: DryRunDeps['store']) => dryRunOf(store, from, options, signal);
  const isNew = (await missingStore(config, dataDirOf(config))) !== null;
  const run = isNew ? await look(NOTHING) : await withStore(({ store }) => look(store));
  if (options.json === true) printJsonLine(run);
  else printDryRun(run);
  if (run.projects.length === 0 || run.problems.length > 0) endWith(EXIT.failed);
}

async function runCommand(command: Command): Promise<void> {
  const options = command.opts<ImportCommandOptions & FileOptions>();
  if (await importFiles(options)) return;
  const source = sourceOf(command, options);
  const config = await readConfig();
  try {
    await withSource(config, source, (from, signal) =>
      options.dryRun === true
        ? showDryRun(config, from, options, signal)
        : withStore(
            (session) =>
              auditedImport(session, plainAddress(source.url) ?? '', () => importAll(session, from, options, signal)),
            { create: true },
          ),
    );
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, details } = error;
    throw new AppError(code, commandText(error.message), {
      cause: error,
      ...(details === undefined ? {} : { details }),
    });
  }
}

interface StatusOptions {
  readonly json?: boolean;
}

async function showStatus({ json }: StatusOptions): Promise<void> {
  await withStore(async ({ store }) => {
    const { isRunning } = await import('../../import/state/run-lease.ts');
    const { listRuns, readProjects } = await import('../../import/state/run-state.ts');
    const { summaryOf } = await import('../../import/summary.ts');
    const { unaccountedEvents, unaccountedText } = await import('../../import/unaccounted-events.ts');
    const runs = [];
    for (const [key, run] of await listRuns(store)) {
      const active = await isRunning(store, key, newOwner());
      const state = run.state === 'running' && !active ? 'interrupted' : run.state;
      const projects = await readProjects(store, key, run);
      const stages = projects.map(({ slug, stages: states }) => ({
        project: slug,
        stages: Object.entries(states).map(([name, { done, total }]) => ({ name, done, total })),
      }));
      const warnings: string[] = [];
      for (const { path, projectId } of projects) {
        const count = await unaccountedEvents(store, projectId);
        if (count !== null && count > 0) warnings.push(`${path}: ${unaccountedText(count)}`);
      }
      runs.push({
        ...summaryOf(run, projects),
        state,
        started_at: timeText(run.startedAt),
        updated_at: timeText(run.updatedAt),
        stages,
        warnings,
      });
    }
    if (json === true) {
      printJson(runs);
      return;
    }
    const head = ['tracker', 'organization', 'state', 'since', 'imported', 'updated', 'waiting', 'now'];
    printList(runs, false, head, (one) => [
      one.url,
      one.organization,
      one.state,
      one.updated_at,
      one.imported,
      one.updated,
      one.waiting,
      one.message,
    ]);
    for (const { warnings } of runs) for (const warning of warnings) printWarning(warning);
  });
}

interface CancelOptions {
  readonly url?: string;
  readonly org?: string;
}

async function cancel({ url, org }: CancelOptions): Promise<void> {
  await withStore(async ({ store, audit }) => {
    const { cancelRun } = await import('../../import/cancel-import.ts');
    const { listRuns, sourceName } = await import('../../import/state/run-state.ts');
    const fitting = (await listRuns(store)).filter(
      ([, run]) =>
        run.state === 'running' &&
        (url === undefined || run.url === url.replace(/\/+$/, '')) &&
        (org === undefined || run.organization === org),
    );
    if (fitting.length === 0)
      throw new AppError('not_found', 'no import is running; `errgate import status` lists all');
    for (const [key, run] of fitting) {
      const target = targetOf('Import', null, sourceName(run));
      const ended = await audit.change({ event: 'import_cancelled', entity: INSTANCE, target }, () =>
        cancelRun(store, key, newOwner(), systemClock.now()),
      );
      printLine(`${ended ? 'cancelled' : 'ending'} the import of ${sourceName(run)}`);
    }
  });
}

export function addImportCommands(program: Command): void {
  const command = withFileOptions(
    withSourceOptions(
      program
        .command('import')
        .description('bring keys, history, states and links along from another tracker; safe to repeat'),
    ),
  )
    .option('--dry-run', 'show what would come along, what cannot, and how long it takes')
    .option('--events <n>', 'newest events kept per error, 0 to 100', parseEvents, DEFAULT_EVENTS)
    .option('--only <parts>', 'keys, projects, errors, events, releases; with commas', parseParts)
    .addOption(
      new Option('--on-conflict <rule>', 'two issues that are one error here: one owns it, or merge them')
        .choices(['owner', 'merge'])
        .default('owner'),
    )
    .option('--no-resemblance', 'join no errors by likeness')
    .option('--both-receive <until>', 'until then the tracker gets every event by another way too', parseMoment)
    .action((_options: object, self: Command) => runCommand(self));
  command
    .command('status')
    .description('how far imports are, and what they left out')
    .option('--json', 'print JSON')
    // Options of the same names are read by the command above it.
    .action((_options: object, self: Command) => showStatus(self.optsWithGlobals()));
  command
    .command('cancel')
    .description('end a running import; run again, it goes on')
    .option('--url <url>', 'of this tracker')
    .option('--org <slug>', 'of this organization')
    .action((_options: object, self: Command) => cancel(self.optsWithGlobals()));
}
