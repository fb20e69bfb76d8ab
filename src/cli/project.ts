import { createInterface } from 'node:readline/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { entityOfProject, projectValues, targetOf } from '../audit/shown-values.ts';
import { INSTANCE } from '../domain/audit/audit-event.ts';
import { assertFreeForProject } from '../domain/projects/free-paths.ts';
import { createProjectInGroup } from '../domain/projects/create-project.ts';
import { AppError } from '../domain/app-error.ts';
import type { Store } from '../domain/ports/stores/store.ts';
import type { Project, ProjectPatch, Visibility } from '../domain/projects/project.ts';
import { parseDsnId, parseProjectPath, parseSwitch } from './call/arguments.ts';
import { surroundings } from './call/invocation.ts';
import { findProject } from './call/lookup.ts';
import { reference, withOperands } from './call/operands.ts';
import { printJson, printLine, printList, timeText } from './call/output.ts';
import { withStore } from './people/session.ts';

interface ProjectOptions {
  readonly path?: string;
  readonly name?: string;
  readonly visibility?: Visibility;
  readonly monitor?: boolean;
  readonly aliasId?: readonly string[];
  readonly json?: boolean;
}

function parseVisibility(value: string): Visibility {
  if (value === 'private' || value === 'public') return value;
  throw new InvalidArgumentError('Use private or public.');
}

function collectAlias(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, parseDsnId(value)];
}

function projectPlace(project: Project) {
  return { entity: entityOfProject(project), target: targetOf('Project', project.id, project.path) };
}

async function projectJson(store: Store, project: Project) {
  const { id, path, name, visibility, monitorEnabled } = project;
  const aliases = await store.listAliases(id);
  const own = { id, path, name, visibility, monitor: monitorEnabled, created_at: timeText(project.createdAt) };
  return { ...own, alias_ids: aliases };
}

function withSharedOptions(command: Command): Command {
  return command
    .option('--name <name>', 'display name')
    .option('--visibility <visibility>', 'private or public', parseVisibility)
    .option('--monitor <on|off>', 'whether errors can be read; off does not stop ingestion', parseSwitch)
    .option('--alias-id <id>', 'id of the project in DSNs of another tracker; repeatable', collectAlias)
    .option('--json', 'print JSON');
}

/** Builds the patch of the given options; an absent member keeps its value. */
function patchOf(options: ProjectOptions): ProjectPatch {
  return {
    ...(options.path !== undefined && { path: options.path }),
    ...(options.name !== undefined && { name: options.name }),
    ...(options.visibility !== undefined && { visibility: options.visibility }),
    ...(options.monitor !== undefined && { monitorEnabled: options.monitor }),
  };
}

async function addAliases(store: Store, { id }: Project, { aliasId = [] }: ProjectOptions): Promise<void> {
  for (const alias of aliasId) await store.addAlias(id, alias);
}

async function report(store: Store, project: Project, done: string, json: boolean | undefined): Promise<void> {
  if (json === true) printJson(await projectJson(store, project));
  else printLine(`${done} project ${project.path} (id ${project.id})`);
}

async function createProject(path: string, options: ProjectOptions): Promise<void> {
  await withStore(
    async ({ store, audit }) => {
      const taken = await store.projectByPath(path);
      if (taken !== null && !taken.moved) throw new AppError('conflict', `the path ${path} is taken`);
      await assertFreeForProject(store, path);
      const name = options.name ?? path.slice(path.lastIndexOf('/') + 1);
      const { visibility } = options;
      const project = await audit.change(
        { event: 'project_created', entity: INSTANCE, target: targetOf('Project', null, path) },
        async () => {
          const created = await createProjectInGroup(store, store, {
            ...{ path, name, ...(visibility !== undefined && { visibility }) },
          });
          const changed = await store.updateProject(created.id, { monitorEnabled: options.monitor ?? true });
          await addAliases(store, created, options);
          return changed ?? created;
        },
        (made) => ({ ...projectPlace(made), after: projectValues(made) }),
      );
      await report(store, project, 'created', options.json);
    },
    { create: true },
  );
}

async function changeProject(projectReference: string, options: ProjectOptions): Promise<void> {
  await withStore(async ({ store, audit }) => {
    const found = await findProject(store, projectReference);
    const holder = options.path === undefined ? null : await store.projectByPath(options.path);
    if (holder !== null && holder.project.id !== found.id && !holder.moved) {
      throw new AppError('conflict', `the path ${holder.project.path} is taken`);
    }
    if (options.path !== undefined) await assertFreeForProject(store, options.path, found.path);
    const changed = await audit.change(
      { event: 'project_changed', ...projectPlace(found), before: projectValues(found) },
      async () => {
        await addAliases(store, found, options);
        return (await store.updateProject(found.id, patchOf(options))) ?? found;
      },
      (made) => ({ after: projectValues(made) }),
    );
    await report(store, changed, 'changed', options.json);
  });
}

/** People confirm by typing the path. */
async function confirmed(project: Project): Promise<boolean> {
  const { stdin, stderr } = surroundings();
  const terminal = createInterface({ input: stdin, output: stderr });
  try {
    const typed = await terminal.question(
      `This removes ${project.path} and all its errors. Type its path to continue: `,
    );
    return typed.trim() === project.path;
  } finally {
    terminal.close();
  }
}

async function deleteProject(projectReference: string, options: { yes?: boolean }): Promise<void> {
  await withStore(async ({ store, audit }) => {
    const project = await findProject(store, projectReference);
    if (options.yes !== true && !(await confirmed(project))) throw new AppError('bad_request', 'nothing was deleted');
    await audit.change({ event: 'project_deleted', ...projectPlace(project), before: projectValues(project) }, () =>
      store.deleteProject(project.id),
    );
    printLine(`deleted project ${project.path} (id ${project.id})`);
  });
}

export function addProjectCommands(program: Command): void {
  const project = program.command('project').description('projects whose errors are tracked');

  withOperands(
    withSharedOptions(project.command('create').description('create a project')),
    { path: { description: 'group/name', parse: parseProjectPath } },
    ({ path }, options: ProjectOptions) => createProject(path, options),
  );

  project
    .command('list')
    .description('list the projects')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const projects = await withStore(async ({ store }) => {
        const all = await store.listProjects();
        return Promise.all(all.map((one) => projectJson(store, one)));
      });
      const head = ['id', 'path', 'name', 'visibility', 'monitor', 'created'];
      printList(projects, options.json, head, (one) => [
        one.id,
        one.path,
        one.name,
        one.visibility,
        one.monitor ? 'on' : 'off',
        one.created_at,
      ]);
    });

  const set = withSharedOptions(project.command('set').description('change a project')).option(
    '--path <path>',
    'a new path; the old one redirects to it',
    parseProjectPath,
  );
  withOperands(set, { project: reference('id or path') }, async (values, options: ProjectOptions, command) => {
    const changes = [options.path, options.name, options.visibility, options.monitor, options.aliasId];
    if (changes.every((change) => change === undefined)) command.error('error: name at least one option to change');
    await changeProject(values.project, options);
  });

  withOperands(
    project
      .command('delete')
      .description('delete a project and everything stored for it')
      .option('-y, --yes', 'do not ask; required without a terminal'),
    { project: reference('id or path') },
    async (values, options: { yes?: boolean }, command) => {
      if (options.yes !== true && surroundings().stdin.isTTY !== true) {
        command.error(
          'error: there is no terminal to confirm on: repeat with --yes to delete the project and all its errors',
        );
      }
      await deleteProject(values.project, options);
    },
  );
}
