import type { Command } from 'commander';
import { entityOfProject, forwardValues, targetOf } from '../audit/shown-values.ts';
import type { Project } from '../domain/projects/project.ts';
import { AppError } from '../domain/app-error.ts';
import { systemClock } from '../domain/ports/clock.ts';
import type { ForwardSetup, ForwardView } from '../domain/ports/forward-setup.ts';
import { type EndTime, parseEnd } from './call/arguments.ts';
import { bytesText } from './doctor/finding.ts';
import { findProject } from './call/lookup.ts';
import { reference, withOperands } from './call/operands.ts';
import { printLine, printList, timeText } from './call/output.ts';
import { externalUrl, type Session, withStore } from './people/session.ts';

const PROJECT = reference('id or path');

interface SetOptions {
  readonly dsn?: string;
  readonly until?: EndTime;
}

async function setupOf({ config, dataDir, store }: Session): Promise<ForwardSetup> {
  const { createTokenCipher } = await import('../thirdparty/secrets/encrypted-token.ts');
  const { createForwardSetup } = await import('../thirdparty/setup/forward-setup.ts');
  const { readKeyRing } = await import('../thirdparty/secrets/key-ring.ts');
  const { createUrlGuard } = await import('../thirdparty/guard/url-guard.ts');
  const cipher = createTokenCipher(() => readKeyRing({ ...config, dataDir }), 'forward DSN');
  const address = await externalUrl(config);
  const guard = createUrlGuard(config.outbound);
  return createForwardSetup({ store, cipher, guard, clock: systemClock, ownAddress: () => address });
}

function forwardPlace(project: Project, view: ForwardView | null) {
  return {
    entity: entityOfProject(project),
    target: targetOf('Forwarding', project.id, view?.target ?? ''),
    before: view === null ? null : forwardValues(view),
  };
}

async function setForward(projectReference: string, { dsn, until }: SetOptions): Promise<void> {
  await withStore(async (session) => {
    const project = await findProject(session.store, projectReference);
    const setup = await setupOf(session);
    const draft = { ...(dsn === undefined ? {} : { dsn }), ...(until === undefined ? {} : { until: until.at }) };
    const before = await setup.view(project.id);
    const view = await session.audit.change(
      { event: 'forwarding_changed', ...forwardPlace(project, before) },
      () => setup.save(project.id, draft),
      (made) => ({ ...forwardPlace(project, made), after: forwardValues(made) }),
    );
    const end = view.until === null ? '' : `, until ${timeText(view.until) ?? ''}`;
    printLine(`${project.path} forwards everything it accepts to ${view.target}${end}`);
  });
}

function rowOf(view: ForwardView, project: string) {
  return {
    project,
    target: view.target,
    until: timeText(view.until),
    active: view.active,
    pending: view.pending,
    waiting_bytes: view.waitingBytes,
    oldest_waiting_at: timeText(view.oldestAt),
    stalled: view.stalled,
    dropped: view.dropped,
    last_success_at: timeText(view.succeededAt),
    last_failure_at: timeText(view.failedAt),
    last_failure: view.failure,
  };
}

async function listForwards(options: { json?: boolean }): Promise<void> {
  const rows = await withStore(async (session) => {
    const paths = new Map((await session.store.listProjects()).map(({ id, path }) => [id, path]));
    const views = await (await setupOf(session)).list();
    return views.map((view) => rowOf(view, paths.get(view.projectId) ?? String(view.projectId)));
  });
  const head = ['project', 'target', 'until', 'waiting', 'dropped', 'last success', 'last failure', 'reason'];
  printList(rows, options.json, head, (row) => [
    row.project,
    row.target,
    row.until,
    bytesText(row.waiting_bytes),
    row.dropped,
    row.last_success_at,
    row.last_failure_at,
    row.last_failure,
  ]);
}

async function removeForward(projectReference: string): Promise<void> {
  await withStore(async (session) => {
    const project = await findProject(session.store, projectReference);
    const setup = await setupOf(session);
    const before = await setup.view(project.id);
    if (before === null) {
      throw new AppError('not_found', `${project.path} forwards nothing; \`errgate forward list\` shows what does`);
    }
    await session.audit.change({ event: 'forwarding_ended', ...forwardPlace(project, before) }, () =>
      setup.remove(project.id),
    );
    printLine(`${project.path} forwards nothing now; what still waited is dropped`);
  });
}

export function addForwardCommands(program: Command): void {
  const forward = program.command('forward').description('copies of everything a project accepts to another tracker');

  const set = forward
    .command('set')
    .description('forward to a DSN, or change where to and until when')
    .option('--dsn <dsn>', 'DSN of the other tracker; needed the first time')
    .option('--until <date>', 'end: a date such as 2027-01-31, 90d, or never', (value: string) =>
      parseEnd(value, systemClock.now()),
    );
  withOperands(set, { project: PROJECT }, ({ project }, options: SetOptions, command) => {
    if (options.dsn === undefined && options.until === undefined) command.error('error: name --dsn, --until or both');
    return setForward(project, options);
  });

  forward
    .command('list')
    .description('list the projects that forward, what waits, and the last success and failure')
    .option('--json', 'print JSON')
    .action(listForwards);

  withOperands(
    forward.command('remove').description('end forwarding; what still waits is dropped'),
    { project: PROJECT },
    ({ project }) => removeForward(project),
  );
}
