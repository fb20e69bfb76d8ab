import type { NewInvitation } from '../../src/domain/projects/invitation.ts';
import { DAY, hexId, NOON } from './store-data.ts';

let made = 0;

/** Invitation of a developer for a week, with a link of its own. */
export function makeInvitation(projectId: number, changes: Partial<NewInvitation> = {}): NewInvitation {
  made += 1;
  return {
    projectId,
    groupId: null,
    email: 'grace@shop.test',
    accessLevel: 30,
    invitedBy: 1,
    createdAt: NOON,
    expiresAt: NOON + 7 * DAY,
    tokenHash: hexId(`invitation ${made}`, 64),
    mailed: false,
    ...changes,
  };
}
