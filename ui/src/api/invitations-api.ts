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

const PATH = '/api/v4/projects/{id}/invitations';

const toInvited = ({ message, links }: components['schemas']['Invited']): Invited => ({
  problems: Object.entries(message ?? {}),
  links: links ?? [],
});

export function listInvitations(project: string): Promise<Invitation[]> {
  return allPages((query) => answered(api.GET(PATH, { params: { path: { id: project }, query } })));
}

export async function invite(project: string, emails: readonly string[], level: number): Promise<Invited> {
  const body = { email: [...emails], access_level: level };
  return toInvited((await answered(api.POST(PATH, { params: { path: { id: project } }, body }))).data);
}

export async function setInvitationRole(project: string, email: string, level: number): Promise<void> {
  const path = { id: project, email };
  await answered(api.PUT(`${PATH}/{email}`, { params: { path }, body: { access_level: level } }));
}

export async function withdrawInvitation(project: string, email: string): Promise<void> {
  await answered(api.DELETE(`${PATH}/{email}`, { params: { path: { id: project, email } } }));
}

/** Makes a new link, with which the one of before ends. */
export async function newInvitationLink(project: string, email: string): Promise<InvitationLink> {
  return (await answered(api.POST(`${PATH}/{email}/link`, { params: { path: { id: project, email } } }))).data;
}

/** Sends a new link by mail. */
export async function mailInvitation(project: string, email: string): Promise<Invited> {
  return toInvited(
    (await answered(api.POST(`${PATH}/{email}/mail`, { params: { path: { id: project, email } } }))).data,
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
