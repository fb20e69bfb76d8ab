import type { Command } from 'commander';
import type { RoleOrigin } from '../../domain/projects/group.ts';
import type { AuditValues } from '../../audit/audit-values.ts';
import { entityOfGroup, entityOfProject, roleValues, targetOf } from '../../audit/shown-values.ts';
import { accessLevelName, type AccessLevel, type User } from '../../domain/projects/account.ts';
import { AppError } from '../../domain/app-error.ts';
import type { Store } from '../../domain/ports/stores/store.ts';
import type { AuditEntity } from '../../domain/audit/audit-event.ts';
import { directMembers, type GroupMember } from '../../domain/projects/group.ts';
import type { Project } from '../../domain/projects/project.ts';
import { findGroup, madeGroup, type FoundGroup } from '../../gateway/http/group-lookup.ts';
import { parseRole } from '../call/arguments.ts';
import { findProject, findUser } from '../call/lookup.ts';
import { type Operand, reference, withOperands } from '../call/operands.ts';
import { printLine, printList } from '../call/output.ts';
import { withStore } from './session.ts';

export const PLACE = reference('id or path of a project, or path of a group');
const USER = reference('username or id');
export const ROLE: Operand<AccessLevel> = {
  description: 'guest, reporter, developer, maintainer or owner',
  parse: parseRole,
};

/** Project or group that has members. */
interface Place {
  readonly kind: 'project' | 'group';
  readonly path: string;
  readonly entity: AuditEntity;
  /** All that have a role there. */
  members(): Promise<readonly GroupMember[]>;
  set(userId: number, level: AccessLevel): Promise<void>;
  remove(userId: number): Promise<boolean>;
}

function projectPlace(store: Store, project: Project): Place {
  const { id, path } = project;
  return {
    ...{ kind: 'project', path },
    entity: entityOfProject(project),
    members: () => store.listMembers(id),
    set: (userId, level) => store.setMember(id, userId, level),
    remove: (userId) => store.removeMember(id, userId),
  };
}

function groupPlace(store: Store, group: FoundGroup): Place {
  return {
    ...{ kind: 'group', path: group.path },
    entity: entityOfGroup(group),
    members: () => store.listGroupMembers(group.path),
    set: async (userId, level) => store.setGroupMember((await madeGroup(store, group)).id, userId, level),
    remove: async (userId) => group.id !== null && store.removeGroupMember(group.id, userId),
  };
}

/** Finds a project by id or path, or a group by path. Throws `project_not_found`. */
export async function findPlace(store: Store, given: string): Promise<Place> {
  const group = /^\d+$/.test(given) ? null : await findGroup(store, given);
  // A project that has the path of a group of other projects is meant: its members are not those of the group.
  const taken = group === null ? null : await store.projectByPath(given);
  if (group !== null && (taken === null || taken.moved)) return groupPlace(store, group);
  return projectPlace(store, await findProject(store, given));
}

/** Role that a place itself gives a user, for the audit log; null: none. */
async function rolesOf(place: Place, user: User): Promise<AuditValues | null> {
  const member = directMembers(await place.members(), place.kind, place.path).find(({ userId }) => userId === user.id);
  return member === undefined ? null : roleValues(member);
}

const inAudit = ({ entity }: Place, user: User) => ({ entity, target: targetOf('Member', user.id, user.username) });

function originText({ kind, path }: Pick<RoleOrigin, 'kind' | 'path'>): string {
  if (kind === 'project') return 'project';
  return kind === 'group' ? `group ${path}` : `identity provider ${path}`;
}

export function addMemberCommands(program: Command): void {
  const member = program.command('member').description('members of a project or a group, and their roles');

  withOperands(
    member.command('add').description('make a user a member, or change the role of one'),
    { project: PLACE, user: USER, role: ROLE },
    async (values) => {
      await withStore(async ({ store, audit }) => {
        const place = await findPlace(store, values.project);
        const user = await findUser(store, values.user);
        const before = await rolesOf(place, user);
        const event = before === null ? 'member_added' : 'member_changed';
        const after = roleValues({ accessLevel: values.role });
        await audit.change({ event, ...inAudit(place, user), before, after }, () => place.set(user.id, values.role));
        printLine(`${user.username} is ${accessLevelName(values.role)} of ${place.path}`);
      });
    },
  );

  withOperands(
    member.command('remove').description('remove a member'),
    { project: PLACE, user: USER },
    async (values) => {
      await withStore(async ({ store, audit }) => {
        const place = await findPlace(store, values.project);
        const user = await findUser(store, values.user);
        const before = await rolesOf(place, user);
        await audit.change({ event: 'member_removed', ...inAudit(place, user), before }, async () => {
          if (await place.remove(user.id)) return;
          throw new AppError('not_found', `${user.username} is not a member of ${place.path} itself`);
        });
        printLine(`removed ${user.username} from ${place.path}`);
      });
    },
  );

  withOperands(
    member
      .command('list')
      .description('list the members of a project or a group, and of the groups above')
      .option('--json', 'print JSON'),
    { project: PLACE },
    async (values, options: { json?: boolean }) => {
      const members = await withStore(async ({ store }) => (await findPlace(store, values.project)).members());
      const shown = members.map((one) => ({
        user_id: one.userId,
        username: one.username,
        role: accessLevelName(one.accessLevel),
        access_level: one.accessLevel,
        origins: one.origins.map(({ kind, path, accessLevel }) => ({ kind, path, role: accessLevelName(accessLevel) })),
      }));
      printList(shown, options.json, ['user id', 'username', 'role', 'by'], (one) => [
        one.user_id,
        one.username,
        one.role,
        one.origins.map((origin) => `${originText(origin)} (${origin.role})`).join(', '),
      ]);
    },
  );
}
