import type { LinkedInvitation } from '../../api/invitations-api.ts';

/** Title and explanation of a link that gives nothing, by its state. */
export const STATE_TEXTS: Readonly<Record<Exclude<LinkedInvitation['state'], 'open'>, readonly [string, string]>> = {
  used: ['This invitation was used', 'Each link works once. If it was you, sign in. Otherwise ask for a new one.'],
  expired: ['This invitation has expired', 'Ask whoever invited you for a new one.'],
  refused: [
    'This invitation is not valid any more',
    'Whoever invited you may not give this role any more. Ask a maintainer of the project for a new invitation.',
  ],
  taking: ['This invitation is being used', 'Another browser is using it at this moment. Try again in a minute.'],
  unknown: [
    'This link is not valid',
    'The invitation was withdrawn, or there is a newer link, or the address is not complete. Ask for a new one.',
  ],
};
