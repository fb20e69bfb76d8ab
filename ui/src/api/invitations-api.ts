import { allPages } from './all-pages.ts';
import { answered, api } from './client.ts';
import type { components } from './schema.d.ts';

export type Invitation = components['schemas']['Invitation'];
export type InvitationLink = components['schemas']['InvitationLink'];
export type LinkedInvitation = components['schemas']['LinkedInvitation'];

/** What became of invited addresses. */
export interface Invited {
  /** Reasons by address, of those that were not invited or got no mail. */
  readonly problems: readonly (readonly [email: string, reason: string])[];
  /** Links to give to people; empty where mail is configured. */
  readonly links: readonly InvitationLink[];
}

/** Project or group to which people are invited. */
export interface InvitedPlace {
  readonly kind: 'project' | 'group';
  readonly path: string;
}

const PATHS = { project: '/api/v4/projects/{id}/invitations', group: '/api/v4/groups/{id}/invitations' } as const;

const toInvited = ({ message, links }: components['schemas']['Invited']): Invited => ({
  problems: Object.entries(message ?? {}),
  links: links ?? [],
});

export function listInvitations({ kind, path: id }: InvitedPlace): Promise<Invitation[]> {
  return allPages((query) => answered(api.GET(PATHS[kind], { params: { path: { id }, query } })));
}

export async function invite(
  { kind, path: id }: InvitedPlace,
  emails: readonly string[],
  level: number,
): Promise<Invited> {
  const body = { email: [...emails], access_level: level };
  return toInvited((await answered(api.POST(PATHS[kind], { params: { path: { id } }, body }))).data);
}

export async function setInvitationRole({ kind, path: id }: InvitedPlace, email: string, level: number): Promise<void> {
  const path = { id, email };
  await answered(api.PUT(`${PATHS[kind]}/{email}` as const, { params: { path }, body: { access_level: level } }));
}

export async function withdrawInvitation({ kind, path: id }: InvitedPlace, email: string): Promise<void> {
  await answered(api.DELETE(`${PATHS[kind]}/{email}` as const, { params: { path: { id, email } } }));
}

/** Makes a new link, with which the one of before ends. */
export async function newInvitationLink({ kind, path: id }: InvitedPlace, email: string): Promise<InvitationLink> {
  return (await answered(api.POST(`${PATHS[kind]}/{email}/link` as const, { params: { path: { id, email } } }))).data;
}

/** Sends a new link by mail. */
export async function mailInvitation({ kind, path: id }: InvitedPlace, email: string): Promise<Invited> {
  return toInvited(
    (await answered(api.POST(`${PATHS[kind]}/{email}/mail` as const, { params: { path: { id, email } } }))).data,
  );
}

/** Reads what a link gives. */
export async function readInvitation(token: string): Promise<LinkedInvitation> {
  return (await answered(api.POST('/-/invitation', { body: { token } }))).data;
}

/** Project or group in which a person has a role now. */
export type Joined = components['schemas']['Joined'];

/** Takes an invitation up for the signed-in user. */
export async function joinByInvitation(token: string): Promise<Joined> {
  return (await answered(api.POST('/-/invitation/join', { body: { token } }))).data;
}

export interface NewAccount {
  readonly username: string;
  /** Display name; empty: the username. */
  readonly name: string;
  readonly password: string;
}

/** Makes an account by an invitation. */
export async function signUpByInvitation(token: string, account: NewAccount): Promise<Joined> {
  return (await answered(api.POST('/-/invitation/account', { body: { token, ...account } }))).data;
}

/** Reads the e-mail address of the signed-in user; null: none. */
export async function ownEmail(): Promise<string | null> {
  return (await answered(api.GET('/api/v4/user'))).data.email;
}

export type InvitationSuggestion = components['schemas']['InvitationSuggestion'];

/** Lists members of the former tracker who are not here yet. */
export function listInvitationSuggestions(project: string): Promise<InvitationSuggestion[]> {
  const path = { id: project };
  return allPages((query) =>
    answered(api.GET('/api/v4/projects/{id}/invitation_suggestions', { params: { path, query } })),
  );
}
