import type { AuditTrail } from '../audit/audit-trail.ts';
import { AttemptLimits } from '../auth/attempt-limits.ts';
import { AppError } from '../domain/app-error.ts';
import { DAY_MS } from '../domain/durations.ts';
import { emailProblem } from '../domain/names.ts';
import type { SendResult } from '../domain/ports/alert-sender.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type {
  InvitationDraft,
  InvitationLink,
  InvitationMail,
  InvitationResult,
  Invitations,
} from '../domain/ports/invitations.ts';
import type { Store } from '../domain/ports/stores/store.ts';
import { accessLevelName, type User } from '../domain/projects/account.ts';
import { isOpen, placeKey, type Invitation } from '../domain/projects/invitation.ts';
import type { Allowance } from '../lib/token-bucket.ts';
import { hashToken, newToken } from './invitation-token.ts';
import { knownAccounts } from './known-accounts.ts';
import { entityOfPlace, giveRole, isOwnInvitation, ownLevel } from './places.ts';

/** Mails of one place: a hundred at once, then a hundred an hour. */
const PER_PLACE: Allowance = { burst: 100, perMinute: 100 / 60 };
/** Mails of one person over all places. */
const PER_INVITER: Allowance = { burst: 200, perMinute: 200 / 60 };
/** Mails to one address, whoever sends them: five at once, then five an hour. */
const PER_ADDRESS: Allowance = { burst: 5, perMinute: 5 / 60 };
/** Mails that are sent at once. */
const SENT_AT_ONCE = 4;
/** Milliseconds for all mails of a request: a person waits. */
const MAILS_MS = 90_000;
/** Milliseconds for which an invitation that has ended is kept, so that its link can say so. */
const KEPT_MS = 30 * DAY_MS;

export interface InviteOptions {
  readonly store: Store;
  readonly auditTrail: Pick<AuditTrail, 'around'>;
  readonly clock: Clock;
  /** Days after which an invitation expires that does not say when. */
  readonly days: number;
  /** Returns the external address, without a slash at the end. */
  readonly externalUrl: () => string;
  /** Null: mail is not configured. Never throws; answers have no addresses. */
  readonly sendMail: ((mail: InvitationMail, signal: AbortSignal) => Promise<SendResult>) | null;
}

/** Creates the use cases of people who invite. */
export function createInviting(options: InviteOptions): Pick<Invitations, 'invite' | 'renewLink'> {
  const { store, auditTrail, clock, days, externalUrl, sendMail } = options;
  const places = new AttemptLimits(PER_PLACE, clock);
  const inviters = new AttemptLimits(PER_INVITER, clock);
  const addresses = new AttemptLimits(PER_ADDRESS, clock);

  /** Counts mails of a place and a person. Throws `rate_limited` when they are too many. */
  function countMails(place: string, by: User | null, count: number): void {
    if (sendMail === null || count === 0) return;
    const counted = [[places, place], ...(by === null ? [] : [[inviters, String(by.id)] as const])] as const;
    const waitMs = Math.max(...counted.map(([limits, name]) => limits.waitMs(name, count)));
    if (waitMs > 0) {
      throw new AppError('rate_limited', 'Too many invitations in the last hour. Invite fewer people, or try later.', {
        retryAfterSeconds: Math.ceil(waitMs / 1000),
      });
    }
    for (const [limits, name] of counted) limits.add(name, count);
  }

  async function mailed(
    invitation: Invitation,
    token: string,
    by: User | null,
    signal: AbortSignal,
  ): Promise<string | null> {
    const { id, email, accessLevel, expiresAt } = invitation;
    if (sendMail === null) return null;
    if (addresses.waitMs(email) > 0) {
      return 'The address got several invitations in the last hour. Send it again later, or copy the link.';
    }
    addresses.add(email, 1);
    const at = clock.now();
    const place = (await entityOfPlace(store, invitation))?.path ?? '';
    const mail = { ...{ id, email, expiresAt, at, place }, url: urlOf(token), role: accessLevelName(accessLevel) };
    const { outcome, answer } = await sendMail({ ...mail, inviter: by?.name ?? null }, signal);
    if (outcome !== 'sent') return `The mail was not sent, so send it again, or copy the link: ${answer}`;
    await store.changeInvitation(id, { sentAt: at });
    return null;
  }

  const urlOf = (token: string): string => `${externalUrl()}/-/invitations/${token}`;

  /** Stores the invitation of one address. Returns it with its token, or why it is refused. */
  async function stored(
    draft: InvitationDraft,
    email: string,
  ): Promise<StoredInvitation | { readonly refusal: string }> {
    const { place, accessLevel, invitedBy } = draft;
    if (emailProblem(email) !== null) return { refusal: 'Invite email is invalid' };
    const token = newToken();
    const createdAt = clock.now();
    const made = await store.createInvitation({
      ...place,
      ...{ email, accessLevel, createdAt, tokenHash: hashToken(token) ?? '' },
      invitedBy: invitedBy?.id ?? null,
      expiresAt: draft.expiresAt ?? createdAt + days * DAY_MS,
      mailed: sendMail !== null,
    });
    return made === null ? { refusal: 'Invite email has already been taken' } : { invitation: made, token };
  }

  /** Makes the owner of a confirmed address a member at once. Returns why not; null: it is one. */
  async function added(
    { place, accessLevel, invitedBy }: InvitationDraft,
    { id, username }: User,
  ): Promise<string | null> {
    const entity = await entityOfPlace(store, place);
    if (entity === null) return 'It was deleted in the meantime';
    if (isOwnInvitation(invitedBy, id)) return 'You cannot give a role to yourself';
    if ((await ownLevel(store, place, entity.path, id)) > 0) return 'Already a member';
    const author = { id: invitedBy?.id ?? null, name: invitedBy?.username ?? 'an operator', address: null };
    const target = { type: 'Member', id: String(id), name: username };
    const after = { role: accessLevelName(accessLevel) };
    await auditTrail.around({ event: 'member_added', author, entity, target, after }, () =>
      giveRole(store, place, entity.path, id, accessLevel),
    );
    return null;
  }

  /** Removes invitations of a place that ended long ago. */
  async function removeEnded(place: InvitationDraft['place'], now: number): Promise<void> {
    for (const invitation of await store.listInvitations(place)) {
      const { id, acceptedAt, expiresAt } = invitation;
      const ended = Math.min(acceptedAt ?? Infinity, expiresAt);
      if (!isOpen(invitation, now) && ended < now - KEPT_MS) await store.removeInvitation(id);
    }
  }

  return {
    async invite(draft) {
      const { place, invitedBy, emails } = draft;
      countMails(placeKey(place), invitedBy, emails.length);
      await removeEnded(place, clock.now());
      const results: InvitationResult[] = [];
      const toSend: StoredInvitation[] = [];
      const accounts = await knownAccounts(store, invitedBy);
      for (const email of emails) {
        const account = accounts.get(email);
        if (account !== undefined) {
          results.push({ email, url: null, problem: null, refusal: await added(draft, account) });
          continue;
        }
        const made = await stored(draft, email);
        if ('refusal' in made) results.push({ email, url: null, problem: null, refusal: made.refusal });
        else toSend.push(made);
      }
      const signal = AbortSignal.timeout(MAILS_MS);
      const queue = toSend.values();
      const sendFromQueue = async (): Promise<void> => {
        for (const { invitation, token } of queue) {
          const problem = await mailed(invitation, token, invitedBy, signal);
          results.push({
            email: invitation.email,
            url: sendMail === null ? urlOf(token) : null,
            problem,
            refusal: null,
          });
        }
      };
      await Promise.all(Array.from({ length: SENT_AT_ONCE }, sendFromQueue));
      return results.sort((a, b) => emails.indexOf(a.email) - emails.indexOf(b.email));
    },

    async renewLink(invitation, by, byMail): Promise<InvitationLink | null> {
      const { id, place, expiresAt } = invitation;
      if (byMail) countMails(place, by, 1);
      const now = clock.now();
      const token = newToken();
      const isMailed = byMail && sendMail !== null;
      const until = expiresAt > now ? expiresAt : now + days * DAY_MS;
      const link = { tokenHash: hashToken(token) ?? '', mailed: isMailed, expiresAt: until };
      const patch = { ...link, invitedBy: by?.id ?? null };
      const renewed = await store.changeInvitation(id, patch);
      if (renewed === null) return null;
      if (!isMailed) return { url: urlOf(token), problem: null };
      return { url: null, problem: await mailed(renewed, token, by, AbortSignal.timeout(MAILS_MS)) };
    },
  };
}

interface StoredInvitation {
  readonly invitation: Invitation;
  readonly token: string;
}
