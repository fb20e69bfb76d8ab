import { randomBytes } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { systemClock } from '../../domain/ports/clock.ts';
import type { TakeUpload } from '../../import/files/exported-builds.ts';
import type { FileRunEnd } from '../../import/run-record.ts';
import type { LeftOuts } from '../../import/state/left-outs.ts';
import { counted } from '../../lib/counted.ts';
import { endWith, EXIT, surroundings } from '../call/invocation.ts';
import { printJson, printLine, printWarning, showProgress } from '../call/output.ts';
import { abortedAtStop } from '../call/stop-signals.ts';
import { uploadsDir } from '../data-dir/data-dir-paths.ts';
import { withStore } from '../people/session.ts';
import { auditedImport } from './audited-import.ts';
import type { ImportCommandOptions } from './import-options.ts';

/** Files that history can come from instead of a tracker. */
export interface FileOptions {
  readonly fromExport?: string;
  readonly sentryExport?: string;
}

/** Options of `import` that make no sense for files. */
const OF_TRACKERS = ['url', 'dryRun', 'only', 'bothReceive', 'tokenFile'];

export function withFileOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--from-export <folder>', 'what `errgate export` has written').conflicts([
        ...OF_TRACKERS,
        'org',
        'sentryExport',
      ]),
    )
    .addOption(
      new Option(
        '--sentry-export <file>',
        'projects and keys from the file that `sentry export` of a self-hosted tracker writes',
      ).conflicts(OF_TRACKERS),
    );
}

/** Imports from a file, where one is named; false without. Ends with 1 when something is left. */
export async function importFiles(options: ImportCommandOptions & FileOptions): Promise<boolean> {
  const { fromExport, sentryExport } = options;
  if (fromExport !== undefined) await fromOwnExport(resolve(fromExport), options);
  else if (sentryExport !== undefined) await fromSentry(resolve(sentryExport), options);
  else return false;
  return true;
}

async function fromOwnExport(path: string, options: ImportCommandOptions): Promise<void> {
  await withStore(
    async ({ config, dataDir, store, audit }) => {
      const { takeCopiedUpload } = await import('../../artifacts/uploads/copied-upload.ts');
      const { composeDigest } = await import('../../compose/digest.ts');
      const { importExport } = await import('../../import/files/import-export.ts');
      const { droppedText } = await import('../../import/dropped-text.ts');
      const { digest, stop } = await composeDigest(config, store);
      const owner = randomBytes(16).toString('hex');
      const progress = showProgress('importing', 'rows');
      const copy = { store, workDir: uploadsDir(dataDir), projectMaxBytes: config.artifacts.projectMaxBytes };
      const takeUpload: TakeUpload = (upload, content) => takeCopiedUpload(copy, upload, content);
      const deps = { store, digest, clock: systemClock, owner, takeUpload };
      const importOptions = {
        projects: options.project ?? null,
        signal: abortedAtStop(surroundings().signals),
        onProgress: (done: number, total: number) => {
          progress.update(done, total);
        },
      };
      const run = () => importExport(deps, path, importOptions);
      const result = await auditedImport({ audit }, basename(path), run).finally(() => {
        progress.stop();
        stop();
      });
      const { left, errors, unjoined, complete, message, ...counts } = result;
      if (options.json === true) {
        printJson({
          ...counts,
          imported: errors.created,
          updated: errors.updated,
          unjoined,
          complete,
          ...leftOuts(left),
        });
      } else {
        printLine(
          `imported ${counted(errors.created, 'error')} of ${counted(counts.projects, 'project')}, updated ${errors.updated}; bodies of ${counted(counts.events, 'event')}, ${counted(counts.releases, 'release')}, ${counted(counts.comments, 'comment')}, ${counted(counts.reports, 'report')}, ${counted(counts.activity, 'activity record')}, ${counted(counts.builds, 'announced release')}, ${counted(counts.uploads, 'upload')}, ${counted(counts.keys, 'new key')}`,
        );
        if (unjoined > 0) {
          printLine(
            `the next events of ${counted(unjoined, 'error')} begin errors of their own: the export does not show their grouping keys, because no event of theirs was stored or its text was scrubbed`,
          );
        }
      }
      const dropped = droppedText(counts);
      if (options.json !== true && dropped !== null) printLine(dropped);
      reportLeftOuts(left);
      reportEnd({ complete, message });
    },
    { create: true },
  );
}

async function fromSentry(file: string, options: ImportCommandOptions): Promise<void> {
  await withStore(
    async ({ config, store, audit }) => {
      const { composeDigest } = await import('../../compose/digest.ts');
      const { importSentryExport } = await import('../../import/files/sentry-export.ts');
      const { digest, stop } = await composeDigest(config, store);
      const owner = randomBytes(16).toString('hex');
      const { projects, keys, toSetUp, left, complete, message } = await auditedImport({ audit }, basename(file), () =>
        importSentryExport({ store, digest, clock: systemClock, owner }, file, {
          organization: options.org ?? null,
          projects: options.project ?? null,
          signal: abortedAtStop(surroundings().signals),
        }),
      ).finally(stop);
      if (options.json === true) printJson({ projects, keys, to_set_up: toSetUp, complete, ...leftOuts(left) });
      else {
        printLine(`imported ${counted(projects, 'project')} and ${counted(keys, 'new key')}`);
        for (const one of toSetUp) printLine(`to be set up again here: ${one}`);
      }
      reportLeftOuts(left);
      reportEnd({ complete, message });
    },
    { create: true },
  );
}

function leftOuts({ items, more }: LeftOuts) {
  return { left_out: items.length + more, left_outs: items };
}

/** Names what was left out. */
function reportLeftOuts({ items, more }: LeftOuts): void {
  for (const { project, what, reason } of items) {
    printWarning(`left out: ${project === null ? '' : `${project}: `}${what}: ${reason}`);
  }
  if (more > 0) printWarning(`and ${more} more`);
}

/** Ends as the record of the run does: left-outs about which nothing can be done are no failure. */
function reportEnd({ complete, message }: FileRunEnd): void {
  if (complete) return;
  printWarning(message);
  endWith(EXIT.failed);
}
