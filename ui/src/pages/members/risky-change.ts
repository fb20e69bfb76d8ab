import type { Member } from '../../api/members-api.ts';

const OWNER = 50;
const MAINTAINER = 40;

/** Whether a member is the only owner with access, without whom only administrators could add another one. */
export function isLastOwner(member: Member, members: readonly Member[]): boolean {
  return (
    member.access_level === OWNER &&
    members.every(({ id, access_level: level, state }) => id === member.id || level < OWNER || state === 'blocked')
  );
}

/**
 * Sentences about a change of a member's role that would surprise; none where nothing is lost. `to`: 0 for a removal.
 */
export function warningsOf(
  member: Member,
  to: number,
  members: readonly Member[],
  me: { readonly id: number; readonly admin: boolean } | null,
): string[] {
  const isMe = member.id === me?.id;
  const warnings: string[] = [];
  if (to < OWNER && isLastOwner(member, members)) {
    const who = isMe ? 'You are' : `${member.username} is`;
    warnings.push(`${who} the only owner. Afterwards only administrators can delete this project or add an owner.`);
  }
  if (isMe && !me.admin && to < MAINTAINER) {
    warnings.push(
      to === 0
        ? 'You lose access to this project at once, and cannot add yourself again.'
        : 'You can no longer change settings and members, and cannot take that back yourself.',
    );
  }
  return warnings;
}
