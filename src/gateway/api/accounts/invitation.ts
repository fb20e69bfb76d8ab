import type { AuditEntity } from '../../../domain/audit/audit-event.ts';
import { problems, problemSchema } from '../../http/common-schema.ts';
import { presenter } from '../../http/presenter.ts';
import { accountRoute, publicRoute, type Route } from '../../http/route.ts';
import { assertOwnSite } from '../../http/same-site.ts';
import {
  joinedSchema,
  linkedInvitationSchema,
  signedUpSchema,
  signUpSchema,
  tokenOfLinkSchema,
} from './invitation-schema.ts';

const PATH = '/-/invitation';
const headers = { 'Cache-Control': 'no-store' };
const tooMany = {
  429: {
    description: 'Too many links that are not valid; Retry-After says how many seconds to wait',
    schema: problemSchema,
  },
};
const refusals = {
  400: problems[400],
  403: problems[403],
  409: { description: 'The link is not good for it, or the username is taken', schema: problemSchema },
  ...tooMany,
};

const present = presenter(linkedInvitationSchema);

function presentPlace({ type, path }: AuditEntity) {
  return { kind: type === 'Group' ? 'group' : 'project', path } as const;
}

/** Routes of the links of invitations. The token is in the body, so that no log of addresses has it. */
export const takeUpRoutes: readonly Route[] = [
  publicRoute({
    method: 'POST',
    path: PATH,
    operationId: 'readInvitation',
    summary: 'Read what the link of an invitation gives; changes nothing',
    audit: { not: 'reads what a link gives, and changes nothing' },
    parameters: tokenOfLinkSchema,
    jsonOnly: true,
    responses: {
      200: { description: 'The invitation', schema: linkedInvitationSchema },
      400: problems[400],
      ...tooMany,
    },
    async handle(call) {
      const found = await call.deps.invitations.find(call.params.token, call.origin.address);
      if (found.state !== 'open') return { status: 200, headers, body: present({ ...found, invitation: null }) };
      const { state, place, inviter: invitedBy, invitation } = found;
      const { email: inviteEmail, accessLevel, expiresAt } = invitation;
      const shown = { ...presentPlace(place), inviteEmail, accessLevel, invitedBy, expiresAt };
      return { status: 200, headers, body: present({ state, invitation: shown }) };
    },
  }),
  accountRoute({
    method: 'POST',
    path: `${PATH}/join`,
    operationId: 'joinByInvitation',
    summary: 'Take the role of an invitation up',
    action: 'take_up_invitation',
    audit: { byHandler: ['invitation_accepted'] },
    parameters: tokenOfLinkSchema,
    jsonOnly: true,
    responses: {
      200: { description: 'Where the user has the role now', schema: joinedSchema },
      401: problems[401],
      ...refusals,
    },
    async handle(call) {
      const { deps, params, principal } = call;
      const { place } = await deps.invitations.join(params.token, principal.user, call.origin.address);
      return { status: 200, headers, body: presentPlace(place) };
    },
  }),
  publicRoute({
    method: 'POST',
    path: `${PATH}/account`,
    operationId: 'signUpByInvitation',
    summary: 'Make an account with the role of an invitation; then sign in with it',
    audit: { byHandler: ['invitation_accepted'] },
    parameters: signUpSchema,
    jsonOnly: true,
    responses: { 201: { description: 'The account', schema: signedUpSchema }, ...refusals },
    async handle(call) {
      const { deps, params, header } = call;
      assertOwnSite(header, deps.externalUrl());
      const { token, username, name = '', password } = params;
      const account = { username, name: name.trim(), password };
      const { place, user } = await deps.invitations.signUp(token, account, call.origin.address);
      return { status: 201, headers, body: { ...presentPlace(place), username: user.username } };
    },
  }),
];
