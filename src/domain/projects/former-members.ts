import { ACCESS_LEVELS, type AccessLevel } from './account.ts';

/** Member of the organization in a former tracker. */
export interface FormerMember {
  /** In lower case. */
  readonly email: string;
  readonly name: string | null;
  /** Role there, as the tracker calls it. */
  readonly role: string | null;
}

/** Returns the key of the import state that has the members for a project. */
export const formerMembersKey = (projectId: number): string => `${projectId}/former-members`;

/** Returns the import state with members. */
export function writeFormerMembers(members: readonly FormerMember[]): string {
  return JSON.stringify({ version: 1, members: members.map(({ email, name, role }) => ({ email, name, role })) });
}

/** Returns the members of an import state; none for a missing one, and for one of another version. */
export function readFormerMembers(state: string | null): readonly FormerMember[] {
  if (state === null) return [];
  const { version, members } = JSON.parse(state) as { readonly version?: unknown; readonly members?: FormerMember[] };
  return version === 1 ? (members ?? []) : [];
}

/** Roles of trackers that decide about people or projects, and those that only read. */
const DECIDES = new Set(['owner', 'manager', 'admin']);
const READS = new Set(['billing', 'viewer', 'guest']);

/** Returns the role here that is like one of a tracker. Nobody becomes an owner by an import. */
export function levelLike(role: string | null): AccessLevel {
  const name = role?.toLowerCase() ?? '';
  if (DECIDES.has(name)) return ACCESS_LEVELS.maintainer;
  return READS.has(name) ? ACCESS_LEVELS.reporter : ACCESS_LEVELS.developer;
}
