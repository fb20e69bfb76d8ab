import type { Command } from 'commander';
import type { RoleOrigin } from '../domain/projects/group.ts';
import type { AuditValues } from '../audit/audit-values.ts';
import { entityOfProject, roleValues, targetOf } from '../audit/shown-values.ts';
import { accessLevelName, type AccessLevel, type User } from '../domain/projects/account.ts';
import { AppError } from '../domain/app-error.ts';
import type { Store } from '../domain/ports/stores/store.ts';
import { directMembers } from '../domain/projects/group.ts';
import type { Project } from '../domain/projects/project.ts';
import { parseRole } from './call/arguments.ts';
import { findProject, findUser } from './call/lookup.ts';
import { type Operand, reference, withOperands } from './call/operands.ts';
import { printLine, printList } from './call/output.ts';
import { withStore } from './session.ts';

const PROJECT = reference('id or path');
const USER = reference('username or id');
const ROLE: Operand<AccessLevel> = {
  description: 'guest, reporter, developer, maintainer or owner',
  parse: parseRole,
};

/** Role of a member, for the audit log; null: the user is none. */
async function rolesOf(store: Store, project: Project, user: User): Promise<AuditValues | null> {
  const members = directMembers(await store.listMembers(project.id), project.path);
  const member = members.find(({ userId }) => userId === user.id);
  return member === undefined ? null : roleValues(member);
}

function memberPlace(project: Project, user: User) {
  return { entity: entityOfProject(project), target: targetOf('Member', user.id, user.username) };
}

function originText({ kind, path }: Pick<RoleOrigin, 'kind' | 'path'>): string {
  if (kind === 'project') return 'project';
  return kind === 'group' ? `group ${path}` : `identity provider ${path}`;
}

export function addMemberCommands(program: Command): void {
  const member = program.command('member').description('members of a project and their roles');

  withOperands(
    member.command('add').description('make a user a member, or change the role of one'),
    { project: PROJECT, user: USER, role: ROLE },
    async (values) => {
      await withStore(async ({ store, audit }) => {
        const project = await findProject(store, values.project);
        const user = await findUser(store, values.user);
        const before = await rolesOf(store, project, user);
        const event = before === null ? 'member_added' : 'member_changed';
        await audit.change(
          { event, ...memberPlace(project, user), before, after: roleValues({ accessLevel: values.role }) },
          () => store.setMember(project.id, user.id, values.role),
        );
        printLine(`${user.username} is ${accessLevelName(values.role)} of ${project.path}`);
      });
    },
  );

  withOperands(
    member.command('remove').description('remove a member'),
    { project: PROJECT, user: USER },
    async (values) => {
      await withStore(async ({ store, audit }) => {
        const project = await findProject(store, values.project);
        const user = await findUser(store, values.user);
        const before = await rolesOf(store, project, user);
        await audit.change({ event: 'member_removed', ...memberPlace(project, user), before }, async () => {
          if (await store.removeMember(project.id, user.id)) return;
          throw new AppError('not_found', `${user.username} is not a member of ${project.path}`);
        });
        printLine(`removed ${user.username} from ${project.path}`);
      });
    },
  );

  withOperands(
    member
      .command('list')
      .description('list the members of a project and of its groups')
      .option('--json', 'print JSON'),
    { project: PROJECT },
    async (values, options: { json?: boolean }) => {
      const members = await withStore(async ({ store }) =>
        store.listMembers((await findProject(store, values.project)).id),
      );
      const shown = members.map((one) => ({
        user_id: one.userId,
        username: one.username,
        role: accessLevelName(one.accessLevel),
        access_level: one.accessLevel,
        origins: one.origins.map(({ kind, path, accessLevel }) => ({ kind, path, role: accessLevelName(accessLevel) })),
      }));
      const head = ['user id', 'username', 'role', 'by'];
      printList(shown, options.json, head, (one) => [
        one.user_id,
        one.username,
        one.role,
        one.origins.map(originText).join(', '),
      ]);
    },
  );
}
