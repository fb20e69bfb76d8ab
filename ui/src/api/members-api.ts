import { REPORTER } from '../lib/access-levels.ts';
import { allPages } from './all-pages.ts';
import { ApiFailure } from './api-failure.ts';
import { answered, api } from './client.ts';
import type { components } from './schema.d.ts';

/** Member of a project or of its groups. */
export type Member = components['schemas']['MemberWithOrigins'];
export type RoleOrigin = Member['origins'][number];
export type MemberSuggestion = components['schemas']['MemberSuggestion'];

const PATH = '/api/v4/projects/{id}/members';

export const ROLES = [
  { level: 10, name: 'Guest' },
  { level: 20, name: 'Reporter' },
  { level: 30, name: 'Developer' },
  { level: 40, name: 'Maintainer' },
  { level: 50, name: 'Owner' },
] as const;

export function roleName(level: number): string {
  return ROLES.find((role) => role.level === level)?.name ?? String(level);
}

/** Returns the members that errors may be assigned to: those that may read them. */
export async function listAssignable(project: string): Promise<Member[]> {
  return (await listMembers(project)).filter(isAssignable);
}

export function isAssignable({ access_level: level }: Member): boolean {
  return level >= REPORTER;
}

/** Reads the members of a project and of its groups, with their highest roles. */
export function listMembers(project: string): Promise<Member[]> {
  return allPages((query) => answered(api.GET(`${PATH}/all`, { params: { path: { id: project }, query } })));
}

/** Reads users to add to a project. Without e-mail addresses, which only administrators see. */
export function listMemberSuggestions(project: string): Promise<MemberSuggestion[]> {
  const path = { id: project };
  return allPages((query) =>
    answered(api.GET('/api/v4/projects/{id}/member_suggestions', { params: { path, query } })),
  );
}

/** Reads the access level of a user in a project, also by its groups; 0 for non-members. */
export async function accessLevelOf(project: string, userId: number): Promise<number> {
  try {
    const path = { id: project, user_id: userId };
    return (await answered(api.GET(`${PATH}/all/{user_id}`, { params: { path } }))).data.access_level;
  } catch (error) {
    if (error instanceof ApiFailure && (error.kind === 'missing' || error.kind === 'forbidden')) return 0;
    throw error;
  }
}

export async function addMember(project: string, username: string, level: number): Promise<void> {
  const body = { username, access_level: level };
  await answered(api.POST(PATH, { params: { path: { id: project } }, body }));
}

export async function setMemberRole(project: string, userId: number, level: number): Promise<void> {
  const path = { id: project, user_id: userId };
  await answered(api.PUT(`${PATH}/{user_id}`, { params: { path }, body: { access_level: level } }));
}

export async function removeMember(project: string, userId: number): Promise<void> {
  await answered(api.DELETE(`${PATH}/{user_id}`, { params: { path: { id: project, user_id: userId } } }));
}
