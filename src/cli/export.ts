import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { systemClock } from '../domain/ports/clock.ts';
import { counted } from '../lib/counted.ts';
import { findProject } from './lookup.ts';
import { printJson, printLine, printWarning, showProgress } from './output.ts';
import { withStore } from './session.ts';
import { packageVersion } from './version.ts';

interface ExportCommandOptions {
  readonly to: string;
  readonly project?: string;
  readonly since?: number;
  readonly format: 'ndjson' | 'csv';
  readonly compress?: boolean;
  readonly withKeys?: boolean;
  readonly json?: boolean;
}

/** Parses a day, `2026-10-01` (its beginning in UTC), or a time in RFC 3339. */
function parseSince(value: string): number {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(value) ? `${value}T00:00:00Z` : value;
  const at = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/.test(day) ? Date.parse(day) : Number.NaN;
  if (!Number.isNaN(at) && new Date(at).toISOString().slice(0, 8) === day.slice(0, 8)) return at;
  throw new InvalidArgumentError('Use a date such as 2026-10-01, or a time such as 2026-10-01T12:00:00Z.');
}

async function run(options: ExportCommandOptions): Promise<void> {
  await withStore(async ({ config, dataDir, store }) => {
    const { exportStore } = await import('../export/export-store.ts');
    const { groupHashOf } = await import('../integrated/digest/group-hash.ts');
    const { groupV1 } = await import('../integrated/digest/group/v1/group.ts');
    const { openExport } = await import('../storage/open-store.ts');
    const project = options.project === undefined ? null : await findProject(store, options.project);
    const source = await openExport({ url: config.store.url, dataDir });
    const progress = showProgress('exporting', 'events');
    const total = project === null ? (await store.stats()).events : 0;
    try {
      const manifest = await exportStore(
        {
          store,
          source,
          keysOf: (projectId, event) => {
            const found = groupV1(event);
            return [{ key: found.key, groupHash: groupHashOf(projectId, found).groupHash }];
          },
          clock: systemClock,
          version: packageVersion(),
        },
        resolve(options.to),
        {
          projectId: project?.id ?? null,
          since: options.since ?? null,
          compress: options.compress === true,
          withKeys: options.withKeys === true,
          onProgress: (done) => {
            progress.update(done, Math.max(done, total));
          },
        },
      );
      progress.stop();
      const { counts, damaged_events: damaged } = manifest;
      if (options.json === true) printJson({ to: resolve(options.to), ...counts, damaged_events: damaged });
      else {
        const { projects, errors, events } = counts;
        const content = `${counted(projects, 'project')}, ${counted(errors, 'error')} and ${counted(events, 'event')}`;
        printLine(`exported ${content} to ${resolve(options.to)}`);
      }
      if (damaged > 0) {
        printWarning(
          `${counted(damaged, 'event')} could not be read and are not in the export; run \`errgate doctor\``,
        );
      }
      if (options.withKeys === true) printWarning('the export holds client keys: anyone with them can send events');
    } finally {
      progress.stop();
      await source.close();
    }
  });
}

export function addExportCommand(program: Command): void {
  program
    .command('export')
    .description('write projects, errors, events and releases to files; the service may run')
    .requiredOption('--to <folder>', 'new folder for the files')
    .option('--project <project>', 'id or path; default: all projects')
    .option('--since <date>', 'only what was seen or received then or later', parseSince)
    .addOption(new Option('--format <format>', 'form of the files').choices(['ndjson']).default('ndjson'))
    .option('--compress', 'compress the files with gzip')
    .option('--with-keys', 'include the client keys of projects')
    .option('--json', 'print JSON')
    .action(run);
}
