import type { Store } from '../domain/ports/stores/store.ts';
import { isForbidden, isInternal, isPartial, reasonOf } from './tracker-failures.ts';
import type { TrackerReader } from './tracker-reader.ts';

/** Member of the former tracker's organization, to be given access here. */
export interface Invitation {
  readonly name: string | null;
  readonly email: string;
  /** Role there, as the tracker calls it. */
  readonly role: string | null;
  /** User here with that e-mail address or username; null: none. */
  readonly username: string | null;
}

export interface InvitationList {
  readonly members: readonly Invitation[];
  /** Why the list is missing; null: it is not, or the reader's `cannot` says why. */
  readonly problem: string | null;
  /** True: the token may not read it. */
  readonly isRefused: boolean;
}

/** Lists the members of the organization, with the users that exist here. Creates nobody. */
export async function listInvitations(
  store: Pick<Store, 'listUsers'>,
  reader: Pick<TrackerReader, 'members'>,
  signal: AbortSignal,
): Promise<InvitationList> {
  try {
    const members = await reader.members(signal);
    if (members.length === 0) return { members: [], problem: null, isRefused: false };
    const byLogin = new Map<string, string>();
    const users = await store.listUsers();
    for (const { username } of users) byLogin.set(username.toLowerCase(), username);
    // An address is surer than a username that looks like one.
    for (const { email, username } of users) if (email !== null) byLogin.set(email.toLowerCase(), username);
    const invitations = members.map((one) => ({ ...one, username: byLogin.get(one.email) ?? null }));
    return { members: invitations, problem: null, isRefused: false };
  } catch (error) {
    if (signal.aborted || !(isPartial(error) || isInternal(error))) throw error;
    return { members: [], problem: reasonOf(error, 'members'), isRefused: isForbidden(error) };
  }
}

/** Describes a member in one line. */
export function invitationText({ name, email, role, username }: Invitation): string {
  const person = name === null ? email : `${name} <${email}>`;
  const there = role === null ? '' : `, ${role} there`;
  return `${person}${there}: ${username === null ? 'no user here' : `user ${username} here`}`;
}
