import type { Member, RoleOrigin } from '../../api/members-api.ts';

const OWNER = 50;
const MAINTAINER = 40;

/** Returns the role of a membership of the project or group itself; 0: none. */
export function directLevel({ origins }: Pick<Member, 'origins'>, kind: 'project' | 'group', path: string): number {
  const isDirect = (origin: RoleOrigin) => origin.kind === kind && origin.path.toLowerCase() === path.toLowerCase();
  return origins.find(isDirect)?.access_level ?? 0;
}

/** Returns the highest role that a member has beside a membership of the project itself; 0: none. */
export function levelBeside({ origins }: Pick<Member, 'origins'>): number {
  return Math.max(0, ...origins.filter(({ kind }) => kind !== 'project').map(({ access_level: level }) => level));
}

/** Whether a member is the only owner with access, without whom only administrators could add another one. */
export function isLastOwner(member: Member, members: readonly Member[]): boolean {
  return (
    member.access_level === OWNER &&
    levelBeside(member) < OWNER &&
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
  const left = Math.max(to, levelBeside(member));
  if (isMe && !me.admin && left < MAINTAINER) {
    warnings.push(
      left === 0
        ? 'You lose access to this project at once, and cannot add yourself again.'
        : 'You can no longer change settings and members, and cannot take that back yourself.',
    );
  }
  return warnings;
}
