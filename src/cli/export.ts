import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { systemClock } from '../domain/ports/clock.ts';
import type { Project } from '../domain/projects/project.ts';
import type { ErrorQuery } from '../domain/search/error-query.ts';
import { counted } from '../lib/counted.ts';
import { findProject } from './call/lookup.ts';
import { printJson, printLine, printWarning, showProgress } from './call/output.ts';
import { externalUrl, type Session, withStore } from './people/session.ts';
import { packageVersion } from './version.ts';

interface ExportCommandOptions {
  readonly to: string;
  readonly project?: string;
  readonly since?: number;
  readonly format: 'ndjson' | 'csv';
  readonly compress?: boolean;
  readonly withKeys?: boolean;
  readonly bom?: boolean;
  readonly json?: boolean;
}

/** Parses a day, `2026-10-01` (its beginning in UTC), or a time in RFC 3339. */
function parseSince(value: string): number {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(value) ? `${value}T00:00:00Z` : value;
  const at = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/.test(day) ? Date.parse(day) : Number.NaN;
  if (!Number.isNaN(at) && new Date(at).toISOString().slice(0, 8) === day.slice(0, 8)) return at;
  throw new InvalidArgumentError('Use a date such as 2026-10-01, or a time such as 2026-10-01T12:00:00Z.');
}

const clock = systemClock;

async function exportLines(session: Session, options: ExportCommandOptions, project: Project | null): Promise<void> {
  const { config, dataDir, store } = session;
  const { exportStore } = await import('../export/export-store.ts');
  const { keysOf } = await import('../integrated/digest/keys-of.ts');
  const { openExport } = await import('../storage/open/open-store.ts');
  const source = await openExport({ url: config.store.url, dataDir });
  const progress = showProgress('exporting', 'events');
  const to = resolve(options.to);
  try {
    const total = project === null ? (await store.stats()).events : 0;
    const manifest = await exportStore({ store, source, keysOf, clock, version: packageVersion() }, to, {
      projectId: project?.id ?? null,
      since: options.since ?? null,
      compress: options.compress === true,
      withKeys: options.withKeys === true,
      onProgress: (done) => {
        progress.update(done, Math.max(done, total));
      },
    });
    progress.stop();
    const { counts, damaged_events: damaged } = manifest;
    if (options.json === true) printJson({ to, ...counts, damaged_events: damaged });
    else {
      const { projects, errors, events } = counts;
      const content = `${counted(projects, 'project')}, ${counted(errors, 'error')} and ${counted(events, 'event')}`;
      printLine(`exported ${content} to ${to}`);
    }
    if (damaged > 0) {
      printWarning(`${counted(damaged, 'event')} could not be read and are not in the export; run \`errgate doctor\``);
    }
    if (options.withKeys === true) printWarning('the export holds client keys: anyone with them can send events');
  } finally {
    progress.stop();
    await source.close();
  }
}

const ALL_ERRORS = {
  status: 'all',
  sort: 'first_seen',
  search: null,
  environment: null,
  release: null,
  level: null,
} as const;

async function exportAsCsv(session: Session, options: ExportCommandOptions, project: Project | null): Promise<void> {
  const { config, store } = session;
  const { exportCsv } = await import('../export/export-csv.ts');
  const { errorCsv } = await import('../gateway/api/errors/error-csv.ts');
  const address = await externalUrl(config);
  const to = resolve(options.to);
  const progress = showProgress('exporting', 'errors');
  const seenSince = options.since ?? 0;
  let errors = 0;
  const list = async (of: Project, query: ErrorQuery) => {
    const page = await store.listErrors(of.id, query, clock.now());
    errors += page.items.filter(({ lastSeen }) => lastSeen >= seenSince).length;
    progress.update(errors, errors);
    return page;
  };
  const { counts } = await exportCsv(
    {
      projects: project === null ? await store.listProjects() : [project],
      textsOf: async (one) => {
        const context = { project: one, integrated: true, externalUrl: address };
        const csv = { byteOrderMark: options.bom === true, seenSince };
        return (await errorCsv({ backend: { list }, store, context }, ALL_ERRORS, csv)).texts;
      },
      clock,
      version: packageVersion(),
    },
    to,
    options.compress === true,
  ).finally(() => {
    progress.stop();
  });
  if (options.json === true) printJson({ to, ...counts, errors });
  else printLine(`exported ${counted(errors, 'error')} of ${counted(counts.projects, 'project')} to ${to}`);
}

async function run(options: ExportCommandOptions, command: Command): Promise<void> {
  const isCsv = options.format === 'csv';
  if (isCsv && options.withKeys === true) command.error('error: CSV files hold no keys: leave --with-keys out');
  if (!isCsv && options.bom === true) command.error('error: --bom is for CSV files: add --format csv');
  await withStore(async (session) => {
    const project = options.project === undefined ? null : await findProject(session.store, options.project);
    await (isCsv ? exportAsCsv : exportLines)(session, options, project);
  });
}

export function addExportCommand(program: Command): void {
  program
    .command('export')
    .description('write projects, errors, events and releases to files; the service may run')
    .requiredOption('--to <folder>', 'new folder for the files')
    .option('--project <project>', 'id or path; default: all projects')
    .option('--since <date>', 'only what was seen or received then or later', parseSince)
    .addOption(
      new Option('--format <format>', 'ndjson: everything; csv: the errors alone, for spreadsheets')
        .choices(['ndjson', 'csv'])
        .default('ndjson'),
    )
    .option('--compress', 'compress the files with gzip')
    .option('--with-keys', 'include the client keys of projects; ndjson')
    .option('--bom', 'begin CSV with a byte order mark, by which spreadsheets recognise UTF-8')
    .option('--json', 'print JSON')
    .action(run);
}
