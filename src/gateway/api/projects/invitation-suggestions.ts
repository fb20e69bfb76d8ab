import { formerMembersKey, levelLike, readFormerMembers } from '../../../domain/projects/former-members.ts';
import { inProject, isOpen } from '../../../domain/projects/invitation.ts';
import { nullableText, problems } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';
import { offsetPage } from '../../http/page-links.ts';
import { presenter } from '../../http/presenter.ts';
import { projectRoute, type ProjectCall, type Route } from '../../http/route.ts';

const suggestionSchema = objectSchema({
  title: 'InvitationSuggestion',
  properties: {
    email: { type: 'string' },
    name: nullableText,
    role: { ...nullableText, description: 'Role in the former tracker, as it calls it' },
    access_level: { enum: [10, 20, 30, 40, 50], description: 'Role here that is like it' },
  },
});

const present = presenter(suggestionSchema);

/** Returns the members of the former tracker that are neither invited nor members here with that address. */
async function suggestions({ deps: { store, clock }, project }: ProjectCall<unknown>) {
  const former = readFormerMembers(await store.importState(formerMembersKey(project.id)));
  if (former.length === 0) return [];
  const here = new Set<string>();
  for (const invitation of await store.listInvitations(inProject(project.id))) {
    if (invitation.acceptedAt !== null || isOpen(invitation, clock.now())) here.add(invitation.email);
  }
  const members = new Set((await store.listMembers(project.id)).map(({ userId }) => userId));
  for (const { id, email } of await store.listUsers()) {
    if (email !== null && members.has(id)) here.add(email.toLowerCase());
  }
  return former.filter(({ email }) => !here.has(email));
}

export const invitationSuggestionRoutes: readonly Route[] = [
  projectRoute({
    method: 'GET',
    path: '/api/v4/projects/:id/invitation_suggestions',
    operationId: 'suggestInvitations',
    summary: 'List members of the tracker that the project was imported from, who are not here yet',
    action: 'read_invitations',
    pagedByOffset: true,
    responses: {
      200: { description: 'One page of people', schema: { type: 'array', items: suggestionSchema } },
      ...problems,
    },
    async handle(call) {
      const { items, headers } = offsetPage(call, await suggestions(call));
      return {
        ...{ status: 200, headers },
        body: items.map((member) => present({ ...member, accessLevel: levelLike(member.role) })),
      };
    },
  }),
];
