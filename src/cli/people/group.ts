import { type Command, Option } from 'commander';
import { entityOfGroup, groupValues, targetOf } from '../../audit/shown-values.ts';
import { INSTANCE } from '../../domain/audit/audit-event.ts';
import { AppError } from '../../domain/app-error.ts';
import { assertFreeForGroup, assertNoProjectAbove } from '../../domain/projects/free-paths.ts';
import { groupOfPath, lastPart } from '../../domain/projects/group-paths.ts';
import {
  DEFAULT_ALERT_MODES,
  DEFAULT_TRACKING,
  DEFAULT_VISIBILITIES,
  type GroupDefaults,
} from '../../domain/projects/group-defaults.ts';
import type { Group } from '../../domain/projects/group.ts';
import type { Store } from '../../domain/ports/stores/store.ts';
import { findGroup, groupsOfProjects, madeGroup, type FoundGroup } from '../../gateway/http/group-lookup.ts';
import { parseGroupPath } from '../call/arguments.ts';
import { groupByReference } from '../call/lookup.ts';
import { reference, withOperands } from '../call/operands.ts';
import { printJson, printLine, printList, timeText } from '../call/output.ts';
import { withStore } from './session.ts';

const GROUP = reference('id or path');

interface GroupOptions {
  readonly path?: string;
  readonly name?: string;
  readonly description?: string;
  readonly defaultVisibility?: GroupDefaults['visibility'];
  readonly defaultErrorTracking?: GroupDefaults['errorTracking'];
  readonly defaultAlerts?: GroupDefaults['alerts'];
  readonly json?: boolean;
}

function groupPlace(group: Group | FoundGroup) {
  return { entity: entityOfGroup(group), target: targetOf('Group', group.id, group.path) };
}

function groupJson({ id, path, name, description, defaults, createdAt }: Group | FoundGroup) {
  const { visibility, errorTracking, alerts } = defaults;
  const ofProjects = { default_visibility: visibility, default_error_tracking: errorTracking, default_alerts: alerts };
  return { id, path, name, description, ...ofProjects, created_at: createdAt === null ? null : timeText(createdAt) };
}

function report(group: Group, done: string, json: boolean | undefined): void {
  if (json === true) printJson(groupJson(group));
  else printLine(`${done} group ${group.path} (id ${group.id})`);
}

async function createGroup(path: string, { name = lastPart(path), description, json }: GroupOptions): Promise<void> {
  await withStore(async ({ store, audit }) => {
    await assertFreeForGroup(store, path);
    const group = await audit.change(
      { event: 'group_created', entity: INSTANCE, target: targetOf('Group', null, path) },
      () => store.createGroup({ path, name, description: description ?? null }),
      (made) => ({ ...groupPlace(made), after: groupValues(made) }),
    );
    report(group, 'created', json);
  });
}

async function changeGroup(groupReference: string, options: GroupOptions): Promise<void> {
  await withStore(async ({ store, audit }) => {
    const found = await groupByReference(store, groupReference);
    const changed = await audit.change(
      { event: 'group_changed', ...groupPlace(found), before: groupValues(found) },
      async () => {
        const { id, path } = await madeGroup(store, found);
        const { path: to = path, name, description } = options;
        const defaults = {
          visibility: options.defaultVisibility ?? found.defaults.visibility,
          errorTracking: options.defaultErrorTracking ?? found.defaults.errorTracking,
          alerts: options.defaultAlerts ?? found.defaults.alerts,
        };
        if (to !== path) await move(store, { id, path }, to);
        return store.updateGroup(id, {
          defaults,
          ...(name !== undefined && { name }),
          ...(description !== undefined && { description: description === '' ? null : description }),
        });
      },
      (made) => (made === null ? {} : { ...groupPlace(made), after: groupValues(made) }),
    );
    if (changed === null) throw new AppError('group_not_found', 'the group was deleted in the meantime');
    report(changed, 'changed', options.json);
  });
}

async function move(store: Store, { id, path: from }: Pick<Group, 'id' | 'path'>, path: string): Promise<void> {
  await assertNoProjectAbove(store, path, from);
  const parentPath = groupOfPath(path);
  const parent = parentPath === null ? null : await findGroup(store, parentPath);
  await store.moveGroup(id, { path, parentId: parent?.id ?? null });
}

/** Returns all groups, also those that are there because they have projects, by path. */
async function allGroups(store: Store): Promise<FoundGroup[]> {
  const found = groupsOfProjects(await store.listProjects());
  for (const group of await store.listGroups()) found.set(group.path.toLowerCase(), group);
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}

export function addGroupCommands(program: Command): void {
  const group = program.command('group').description('groups of projects: beginnings of their paths');
  const withTexts = (command: Command): Command =>
    command
      .option('--name <name>', 'display name')
      .option('--description <text>', 'what it is about')
      .option('--json', 'print JSON');

  withOperands(
    withTexts(group.command('create').description('make a group; its members have their roles in all projects below')),
    { path: { description: 'group or group/subgroup', parse: parseGroupPath } },
    ({ path }, options: GroupOptions) => createGroup(path, options),
  );

  group
    .command('list')
    .description('list the groups')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const groups = (await withStore(({ store }) => allGroups(store))).map(groupJson);
      const head = ['id', 'path', 'name', 'description'];
      printList(groups, options.json, head, (one) => [one.id ?? '-', one.path, one.name, one.description ?? '']);
    });

  const choice = (name: string, what: string, choices: readonly string[]): Option =>
    new Option(`--default-${name} <value>`, `${what} of new projects`).choices(choices);
  const set = withTexts(group.command('set').description('rename, describe or move a group'))
    .option('--path <path>', 'a new path, with everything below; former paths of projects lead on', parseGroupPath)
    .addOption(choice('visibility', 'visibility', DEFAULT_VISIBILITIES))
    .addOption(choice('error-tracking', 'error tracking', DEFAULT_TRACKING))
    .addOption(choice('alerts', 'first alert rule', DEFAULT_ALERT_MODES));
  withOperands(set, { group: GROUP }, async (values, options: GroupOptions, command) => {
    const { defaultVisibility, defaultErrorTracking, defaultAlerts } = options;
    const changes = [options.path, options.name, options.description, defaultVisibility, defaultErrorTracking, defaultAlerts]; // prettier-ignore
    if (changes.every((change) => change === undefined)) command.error('error: name at least one option to change');
    await changeGroup(values.group, options);
  });

  withOperands(
    group.command('delete').description('delete a group that has neither projects nor groups'),
    { group: GROUP },
    async (values) => {
      await withStore(async ({ store, audit }) => {
        const found = await groupByReference(store, values.group);
        await audit.change({ event: 'group_deleted', ...groupPlace(found), before: groupValues(found) }, async () => {
          if (found.id !== null && (await store.deleteGroup(found.id))) return;
          throw new AppError('conflict', `the group ${found.path} has projects: move or delete them first`);
        });
        printLine(`deleted group ${found.path}`);
      });
    },
  );
}
