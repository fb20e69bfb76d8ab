import type { AuditAuthor, AuditEntry, AuditTrail } from '../audit/audit-trail.ts';
import { AttemptLimits } from '../auth/attempt-limits.ts';
import { assertGoodPassword } from '../auth/password-rules.ts';
import { hashPassword } from '../auth/password.ts';
import { AppError } from '../domain/app-error.ts';
import { usernameProblem } from '../domain/names.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { FoundInvitation, Invitations, InvitationState, OpenInvitation } from '../domain/ports/invitations.ts';
import type { Store } from '../domain/ports/stores/store.ts';
import { accessLevelName, type User } from '../domain/projects/account.ts';
import { CLAIM_MS, foldEmail, isOpen, type Invitation } from '../domain/projects/invitation.ts';
import type { Allowance } from '../lib/token-bucket.ts';
import { hashToken } from './invitation-token.ts';
import { entityOfPlace, giveRole, isOwnInvitation, mayStillGive } from './places.ts';

/** Unknown links per client address. Higher than for passwords: a token cannot be guessed. */
const PER_ADDRESS: Allowance = { burst: 40, perMinute: 6 };

const REASONS: Readonly<Record<Exclude<InvitationState, 'open'>, string>> = {
  unknown: 'This link is not valid: it was withdrawn, replaced by a newer one, or is not complete.',
  used: 'This invitation was used already. Sign in, or ask for a new one.',
  expired: 'This invitation has expired. Ask for a new one.',
  refused: 'Whoever invited you may not give this role any more. Ask a maintainer for a new invitation.',
  taking: 'This invitation is being used at this moment. Try again in a minute.',
};

const notGood = (state: Exclude<InvitationState, 'open'>): AppError => new AppError('conflict', REASONS[state]);

export interface TakeUpOptions {
  readonly store: Store;
  readonly auditTrail: Pick<AuditTrail, 'around'>;
  readonly clock: Clock;
  /** False: new accounts have no password, so that none is made here. */
  readonly passwordSignIn: boolean;
}

/** Who takes an invitation up. */
interface Claimant {
  readonly author: AuditAuthor;
  readonly username: string;
}

const signedIn = ({ id, username }: User, address: string | null): Claimant => ({
  author: { id, name: username, address },
  username,
});

const isOwn = ({ invitedBy }: Invitation, user: User): boolean =>
  invitedBy === user.id && isOwnInvitation(user, user.id);

/** Creates the use cases of people who are invited. */
export function createTakingUp({
  store,
  auditTrail,
  clock,
  passwordSignIn,
}: TakeUpOptions): Pick<Invitations, 'find' | 'join' | 'signUp' | 'takeUp'> {
  const unknown = new AttemptLimits(PER_ADDRESS, clock);

  /** Looks a token up, and counts it before, so that parallel ones cannot exceed the limit. */
  async function invitationOf(token: string, clientAddress: string | null): Promise<Invitation | null> {
    // All clients without a known address share one limit.
    const address = clientAddress ?? 'unknown';
    const waitMs = unknown.waitMs(address);
    if (waitMs > 0) {
      throw new AppError('rate_limited', 'Too many links that are not valid. Wait a moment and try again.', {
        retryAfterSeconds: Math.ceil(waitMs / 1000),
      });
    }
    unknown.add(address, 1);
    const hash = hashToken(token);
    const invitation = hash === null ? null : await store.invitationByHash(hash);
    if (invitation !== null) unknown.add(address, -1);
    return invitation;
  }

  async function stateOf(invitation: Invitation | null): Promise<FoundInvitation> {
    if (invitation === null) return { state: 'unknown' };
    const now = clock.now();
    if (invitation.acceptedAt !== null) return { state: 'used' };
    if (!isOpen(invitation, now)) return { state: 'expired' };
    if (invitation.claimedAt !== null && now - invitation.claimedAt < CLAIM_MS) return { state: 'taking' };
    const place = await entityOfPlace(store, invitation);
    if (place === null) return { state: 'unknown' };
    if (!(await mayStillGive(store, invitation, place.path))) return { state: 'refused' };
    const by = invitation.invitedBy === null ? null : await store.userById(invitation.invitedBy);
    return { state: 'open', invitation, place, inviter: by?.name ?? null };
  }

  /**
   * Gives the role of an open invitation to the user that `who` returns, once. It is open again when that fails. The
   * audit log has it before.
   */
  async function claim(open: OpenInvitation, by: Claimant, who: () => Promise<User>): Promise<User> {
    const { invitation, place } = open;
    const now = clock.now();
    if (!(await store.claimInvitation(invitation, now))) throw notGood('taking');
    let user: User | null = null;
    const entry: AuditEntry = {
      event: 'invitation_accepted',
      author: by.author,
      entity: place,
      target: { type: 'Member', id: null, name: by.username },
      after: { role: accessLevelName(invitation.accessLevel), invite_email: invitation.email },
    };
    const give = async (): Promise<User> => {
      const made = await who();
      await giveRole(store, invitation, place.path, made.id, invitation.accessLevel);
      return made;
    };
    try {
      user = await auditTrail.around(entry, give, ({ id, username }) => ({
        target: { type: 'Member', id: String(id), name: username },
      }));
      return user;
    } finally {
      await store.endClaim(invitation.id, now, user?.id ?? null);
    }
  }

  async function openOne(token: string, address: string | null): Promise<OpenInvitation> {
    const found = await stateOf(await invitationOf(token, address));
    if (found.state !== 'open') throw notGood(found.state);
    return found;
  }

  /**
   * Returns the address of a new account. It is confirmed when only a mail had the link. Otherwise whoever invited could
   * make the account themselves. Throws `conflict` for a reader of the mails who has an account already.
   */
  async function freeEmail({ email, mailed }: Invitation) {
    const isTaken = (await store.listUsers()).some((user) => user.email?.toLowerCase() === email);
    if (!isTaken) return { email, emailConfirmed: mailed };
    if (mailed) throw new AppError('conflict', 'There is an account with this e-mail address: sign in with it.');
    return { email: null, emailConfirmed: false };
  }

  return {
    find: async (token, address) => stateOf(await invitationOf(token, address)),

    async join(token, user, address) {
      const open = await openOne(token, address);
      if (isOwn(open.invitation, user)) {
        throw new AppError('conflict', 'You made this invitation yourself: ask another member or an administrator.');
      }
      await claim(open, signedIn(user, address), () => Promise.resolve(user));
      return open;
    },

    async signUp(token, { username, name, password }, address) {
      if (!passwordSignIn) {
        throw new AppError('conflict', 'Accounts with a password are switched off here: sign in with the provider.');
      }
      const open = await openOne(token, address);
      const problem = usernameProblem(username);
      if (problem !== null) throw new AppError('invalid_parameter', `username is invalid: ${problem}`);
      await assertGoodPassword(password, username);
      const email = await freeEmail(open.invitation);
      const account = { username, name: name === '' ? username : name, admin: false, ...email };
      const author = { id: null, name: 'nobody signed in', address };
      const user = await claim(open, { author, username }, async () =>
        store.createUser({ ...account, passwordHash: await hashPassword(password) }),
      );
      return { ...open, user };
    },

    async takeUp(user, confirmedEmail, address) {
      const places = [];
      for (const invitation of await store.invitationsOfEmail(foldEmail(confirmedEmail))) {
        const found = await stateOf(invitation);
        if (found.state !== 'open' || isOwn(invitation, user)) continue;
        try {
          await claim(found, signedIn(user, address), () => Promise.resolve(user));
          places.push(invitation);
        } catch (error) {
          // Another request takes it up, or its project or group was removed.
          if (
            !(error instanceof AppError) ||
            !['conflict', 'project_not_found', 'group_not_found'].includes(error.code)
          )
            throw error;
        }
      }
      return places;
    },
  };
}
