import { AppError } from '../../domain/app-error.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { Store } from '../../domain/ports/stores/store.ts';
import type { User } from '../../domain/projects/account.ts';
import type { Identity } from '../../domain/projects/identity.ts';
import type { Logger } from '../../observability/logger.ts';
import { unusablePasswordHash } from '../password.ts';
import type { PersonClaims } from './claims.ts';
import { applyGroups, type GroupsStore } from './apply-groups.ts';
import { freeUsername } from './new-username.ts';
import type { RoleLog } from './role-log.ts';
import { refused } from './sign-on-errors.ts';
import type { SignOnSettings } from './sign-on-settings.ts';

export type SignOnStore = GroupsStore &
  Pick<
    Store,
    | 'identityOf'
    | 'addIdentity'
    | 'updateIdentity'
    | 'userById'
    | 'userByName'
    | 'createUser'
    | 'listUsers'
    | 'updateUser'
  >;

export interface SignOnAccountsDeps {
  readonly settings: SignOnSettings;
  readonly store: SignOnStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly roleLog: RoleLog;
}

interface Arrived {
  readonly user: User;
  readonly identity: Identity;
}

/** Finds or creates the account of a person, in the order that docs/sign-on.md describes, and applies the groups. */
export class SignOnAccounts {
  readonly #deps: SignOnAccountsDeps;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(deps: SignOnAccountsDeps) {
    this.#deps = deps;
  }

  /** Signs a person in. Throws `sign_on_refused` with the rule. `connects`: user that adds this account to the own. */
  async arrive(claims: PersonClaims, connects: number | null): Promise<Arrived> {
    // One at a time, so that two browsers of a new person do not make two accounts.
    const mine = this.#turn.then(() => this.#arrive(claims, connects));
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  /** Applies what the provider says about a person who is signed in. Throws `sign_on_refused` for a blocked one. */
  async refresh(identity: Identity, claims: PersonClaims): Promise<void> {
    const user = await this.#deps.store.userById(identity.userId);
    if (user === null) throw refused('The account of this session was removed.');
    await this.#update({ user, identity }, claims);
  }

  async #arrive(claims: PersonClaims, connects: number | null): Promise<Arrived> {
    const { store } = this.#deps;
    const identity = await store.identityOf(claims.issuer, claims.subject);
    if (identity !== null) {
      if (connects !== null && connects !== identity.userId) {
        throw refused('This account of the provider is connected to another user here.');
      }
      const user = await store.userById(identity.userId);
      if (user === null) throw refused('The account that was connected to this sign-in was removed.');
      return this.#update({ user, identity }, claims);
    }
    const user = await this.#userFor(claims, connects);
    const added = await this.#connect(user, claims);
    return this.#update({ user, identity: added }, claims);
  }

  async #userFor(claims: PersonClaims, connects: number | null): Promise<User> {
    const { store, logger } = this.#deps;
    if (connects !== null) {
      const user = await store.userById(connects);
      if (user === null) throw refused('The account that you wanted to connect was removed.');
      return user;
    }
    const linked = await this.#linkedByEmail(claims.email);
    if (linked === null) return this.#create(claims);
    logger.info({ user_id: linked.id, subject: claims.subject }, 'an account was connected by its e-mail address');
    return linked;
  }

  /**
   * Returns the only account with a verified address. The address must be confirmed here too: otherwise people could
   * enter that of a colleague, and wait. Administrators connect their accounts themselves.
   */
  async #linkedByEmail(email: string | null): Promise<User | null> {
    if (email === null) return null;
    const users = await this.#deps.store.listUsers();
    const [only, ...more] = users.filter((user) => user.email?.toLowerCase() === email.toLowerCase());
    if (only === undefined || more.length > 0) return null;
    return only.admin || !only.emailConfirmed ? null : only;
  }

  async #create(claims: PersonClaims): Promise<User> {
    const { settings, store, clock, logger } = this.#deps;
    const { name: provider, createAccounts, emailDomains } = settings;
    if (!createAccounts) {
      throw refused(
        `You have no account here, and signing in with ${provider} creates none: ask an administrator for one.`,
      );
    }
    const domain = claims.email?.split('@').at(-1)?.toLowerCase() ?? null;
    if (emailDomains.length > 0 && !emailDomains.some((allowed) => allowed.toLowerCase() === domain)) {
      throw refused(
        `Accounts are created only for verified e-mail addresses of ${emailDomains.join(', ')}; ` +
          `${provider} names no such address of yours.`,
      );
    }
    const username = await freeUsername(store, claims.username);
    const user = await store.createUser({
      username,
      name: claims.name === '' ? username : claims.name,
      admin: false,
      email: claims.email,
      emailConfirmed: claims.email !== null,
      passwordHash: unusablePasswordHash(),
      passwordAllowed: false,
      signedOnAt: clock.now(),
    });
    logger.info({ user_id: user.id, subject: claims.subject }, 'an account was created at the first sign-in');
    return user;
  }

  async #connect(user: User, claims: PersonClaims): Promise<Identity> {
    if (user.blocked) throw blocked();
    const { issuer, subject, username: name } = claims;
    const { store, clock } = this.#deps;
    const signedInAt = clock.now();
    const added = await store.addIdentity({ userId: user.id, issuer, subject, name, admin: false, signedInAt });
    // Another gateway was faster: the person signs in once more, and finds that account.
    if (added === null) throw new AppError('sign_on_failed', 'Another sign-in was faster. Sign in again.');
    return added;
  }

  async #update({ user, identity }: Arrived, claims: PersonClaims): Promise<Arrived> {
    if (user.blocked) throw blocked();
    const { store, clock } = this.#deps;
    const signedOnAt = clock.now();
    const isOwn = user.passwordAllowed === false;
    const isSame = claims.email !== null && user.email?.toLowerCase() === claims.email.toLowerCase();
    const updated =
      (await store.updateUser(user.id, {
        signedOnAt,
        ...(isOwn && claims.name !== '' && { name: claims.name }),
        ...(isOwn && claims.email !== null && { email: claims.email }),
        ...((isOwn || isSame) && claims.email !== null && { emailConfirmed: true }),
      })) ?? user;
    await store.updateIdentity(identity.id, { name: claims.username, signedInAt: signedOnAt });
    const admin = await applyGroups(this.#deps, { user: updated, identity, groups: claims.groups });
    return { user: { ...updated, admin }, identity };
  }
}

function blocked(): AppError {
  return refused('Your account here is blocked: ask an administrator to unblock it.');
}
