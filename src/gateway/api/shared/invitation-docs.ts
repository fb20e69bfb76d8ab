import { problems, problemSchema } from '../../http/common-schema.ts';
import {
  invitationSchema,
  invitationsSchema,
  invitedSchema,
  inviteSchema,
  linkSchema,
  listInvitationsSchema,
  updateInvitationSchema,
} from './invitation-schema.ts';

const tooMany = {
  429: {
    description: 'Too many invitations in the last hour; Retry-After says how many seconds to wait',
    schema: problemSchema,
  },
};

/**
 * Describes the routes about invitations of a project or a group. `base`: path of the project or the group. `named`:
 * part of the names of operations.
 */
export function invitationDocs(base: string, named: '' | 'Group') {
  const path = `${base}/invitations`;
  return {
    list: {
      method: 'GET',
      path,
      operationId: `list${named}Invitations`,
      summary: 'List the invitations that nobody has taken up, also expired ones, paged by page and per_page',
      parameters: listInvitationsSchema,
      pagedByOffset: true,
      responses: { 200: { description: 'One page of invitations, by id', schema: invitationsSchema }, ...problems },
    },
    invite: {
      method: 'POST',
      path,
      operationId: named === '' ? 'invite' : 'inviteToGroup',
      summary: 'Invite e-mail addresses to a role that is not above your own; sends the mails, or returns the links',
      audit: { byHandler: ['invitation_created'] },
      parameters: inviteSchema,
      responses: {
        201: { description: 'What became of each address', schema: invitedSchema },
        ...problems,
        409: { description: 'There are too many invitations', schema: problemSchema },
        ...tooMany,
      },
    },
    update: {
      method: 'PUT',
      path: `${path}/:email`,
      operationId: `update${named}Invitation`,
      summary: 'Change the role or the last day of an invitation; its link then gives the new role',
      parameters: updateInvitationSchema,
      responses: { 200: { description: 'The invitation', schema: invitationSchema }, ...problems },
    },
    withdraw: {
      method: 'DELETE',
      path: `${path}/:email`,
      operationId: `withdraw${named}Invitation`,
      summary: 'Withdraw an invitation; its link stops working at once',
      responses: { 204: { description: 'The invitation was withdrawn' }, ...problems },
    },
    link: {
      method: 'POST',
      path: `${path}/:email/link`,
      operationId: `linkOf${named}Invitation`,
      summary: 'Make a new link of an invitation, which only this response contains; the one of before stops working',
      responses: { 201: { description: 'The link', schema: linkSchema }, ...problems },
    },
    mail: {
      method: 'POST',
      path: `${path}/:email/mail`,
      operationId: `mail${named}Invitation`,
      summary: 'Send an invitation again with a new link; the one of before stops working',
      responses: { 201: { description: 'What became of it', schema: invitedSchema }, ...problems, ...tooMany },
    },
  } as const;
}
