import { allPages } from './all-pages.ts';
import { answered, api } from './client.ts';
import type { Member } from './members-api.ts';
import type { Project } from './projects-api.ts';
import type { components, operations } from './schema.d.ts';

export type Group = components['schemas']['Group'];
export type NewGroup = NonNullable<operations['createGroup']['requestBody']>['content']['application/json'];
export type GroupChange = NonNullable<operations['updateGroup']['requestBody']>['content']['application/json'];

const PATH = '/api/v4/groups';
const ONE = `${PATH}/{id}` as const;

/** Lists the groups of the user; administrators get all. `level`: only those in which the user has this role. */
export function listGroups(level?: number): Promise<Group[]> {
  const filter = level === undefined ? {} : { min_access_level: level };
  return allPages((query) => answered(api.GET(PATH, { params: { query: { ...query, ...filter } } })));
}

export async function getGroup(path: string): Promise<Group> {
  return (await answered(api.GET(ONE, { params: { path: { id: path } } }))).data;
}

/** Makes a group. Throws an `ApiFailure` with the reason, such as a path that is taken. */
export async function createGroup(body: NewGroup): Promise<Group> {
  return (await answered(api.POST(PATH, { body }))).data;
}

export async function updateGroup(path: string, body: GroupChange): Promise<Group> {
  return (await answered(api.PUT(ONE, { params: { path: { id: path } }, body }))).data;
}

export async function deleteGroup(path: string): Promise<void> {
  await answered(api.DELETE(ONE, { params: { path: { id: path } } }));
}

/** Lists the projects of the user in a group, at any depth. */
export function listGroupProjects(id: string): Promise<Project[]> {
  return allPages((query) =>
    answered(api.GET(`${ONE}/projects`, { params: { path: { id }, query: { ...query, include_subgroups: true } } })),
  );
}

/** Lists the members of a group and of the groups above. */
export function listGroupMembers(id: string): Promise<Member[]> {
  return allPages((query) => answered(api.GET(`${ONE}/members/all`, { params: { path: { id }, query } })));
}

export async function addGroupMember(id: string, username: string, level: number): Promise<void> {
  await answered(api.POST(`${ONE}/members`, { params: { path: { id } }, body: { username, access_level: level } }));
}

export async function setGroupRole(id: string, userId: number, level: number): Promise<void> {
  const path = { id, user_id: userId };
  await answered(api.PUT(`${ONE}/members/{user_id}`, { params: { path }, body: { access_level: level } }));
}

export async function removeGroupMember(id: string, userId: number): Promise<void> {
  await answered(api.DELETE(`${ONE}/members/{user_id}`, { params: { path: { id, user_id: userId } } }));
}
