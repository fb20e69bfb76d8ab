import { AppError } from '../../domain/app-error.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { Store } from '../../domain/ports/stores/store.ts';
import { mayAdminister, type NewUser, type User, type UserPatch } from '../../domain/projects/account.ts';
import type { Identity } from '../../domain/projects/identity.ts';
import type { Logger } from '../../observability/logger.ts';
import { unusablePasswordHash } from '../password.ts';
import type { AccountLog } from './account-log.ts';
import type { PersonClaims } from './claims.ts';
import { assertDomain } from './domain-rule.ts';
import { applyGroups, type GroupsStore } from './apply-groups.ts';
import { freeUsername } from './new-username.ts';
import type { RoleLog } from './role-log.ts';
import { blocked, refused } from './sign-on-errors.ts';
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
    | 'endSessionsOfUser'
  >;

export interface SignOnAccountsDeps {
  readonly settings: SignOnSettings;
  readonly store: SignOnStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly roleLog: RoleLog;
  readonly accountLog: AccountLog;
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
    // Some providers name the address only at the sign-in.
    if (claims.email !== null) assertDomain(claims, this.#deps.settings);
    await this.#update({ user, identity }, claims);
  }

  /**
   * Ends the roles by groups of a person whose session the provider has refused, and an administrator's rights by a
   * group. Those who sign in there alone keep them until their next sign-in: they have no other way in.
   */
  async refusedThere({ id }: Pick<User, 'id'>): Promise<void> {
    const { store } = this.#deps;
    const [user, identities] = await Promise.all([store.userById(id), store.identitiesOfUser(id)]);
    const identity = identities.at(-1);
    if (user === null || user.passwordAllowed === false || identity === undefined) return;
    const settings = { adminGroup: null, groupRoles: [] };
    await applyGroups({ ...this.#deps, settings }, { user, identity, groups: [] });
  }

  async #arrive(claims: PersonClaims, connects: number | null): Promise<Arrived> {
    const { store, settings } = this.#deps;
    assertDomain(claims, settings);
    const identity = await store.identityOf(claims.issuer, claims.subject);
    if (identity !== null) {
      if (connects !== null && connects !== identity.userId) {
        throw refused('This account of the provider is connected to another user here.');
      }
      const user = await store.userById(identity.userId);
      if (user === null) throw refused('The account that was connected to this sign-in was removed.');
      return this.#update({ user: await this.#withoutPassword(user), identity }, claims);
    }
    const user = await this.#userFor(claims, connects);
    const added = await this.#connect(user, claims);
    return this.#update({ user: await this.#withoutPassword(user), identity: added }, claims);
  }

  /**
   * Ends the password of a person who signs in at the provider: one who leaves would stay in with it. It stays where an
   * operator has allowed it, and for the last administrator that has one.
   */
  async #withoutPassword(user: User): Promise<User> {
    const { store, accountLog, logger } = this.#deps;
    if (user.blocked || user.passwordAllowed !== null) return user;
    const others = (await store.listUsers()).filter(({ id }) => id !== user.id);
    if (mayAdminister(user) && !others.some((other) => mayAdminister(other) && other.passwordAllowed !== false)) {
      logger.warn({ user_id: user.id }, 'the last administrator with a password keeps it beside the provider');
      return user;
    }
    const after = { ...user, passwordAllowed: false };
    await accountLog.change(user, after, () => store.updateUser(user.id, { passwordAllowed: false }));
    await store.endSessionsOfUser(user.id);
    return after;
  }

  async #userFor(claims: PersonClaims, connects: number | null): Promise<User> {
    const { store, logger } = this.#deps;
    if (connects !== null) {
      const user = await store.userById(connects);
      if (user === null) throw refused('The account that you wanted to connect was removed.');
      await this.#assertNotConnected(user, claims.issuer);
      return user;
    }
    const linked = await this.#linkedByEmail(claims.email);
    if (linked === null) return this.#create(claims);
    await this.#assertNotConnected(linked, claims.issuer);
    logger.info({ user_id: linked.id, subject: claims.subject }, 'an account was connected by its e-mail address');
    return linked;
  }

  /** Throws `sign_on_refused` for a second account of the same provider: the groups of both would contradict. */
  async #assertNotConnected({ id }: User, issuer: string): Promise<void> {
    const { store, settings } = this.#deps;
    const identities = await store.identitiesOfUser(id);
    if (!identities.some((identity) => identity.issuer === issuer)) return;
    throw refused(
      `The account here is connected to another account of ${settings.name} already: disconnect that one first.`,
    );
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
    const { settings, store, clock, logger, accountLog } = this.#deps;
    if (!settings.createAccounts) {
      throw refused(
        `You have no account here, and signing in with ${settings.name} creates none: ask an administrator for one.`,
      );
    }
    const username = await freeUsername(store, claims.username);
    const made: NewUser = {
      username,
      name: claims.name === '' ? username : claims.name,
      admin: false,
      email: claims.email,
      emailConfirmed: claims.email !== null,
      passwordHash: unusablePasswordHash(),
      passwordAllowed: false,
      signedOnAt: clock.now(),
    };
    const user = await accountLog.create(made, () => store.createUser(made));
    logger.info({ user_id: user.id, subject: claims.subject }, 'an account was created at the first sign-in');
    return user;
  }

  async #connect(user: User, claims: PersonClaims): Promise<Identity> {
    if (user.blocked) throw blocked(user.username);
    const { issuer, subject, username: name } = claims;
    const { store, clock, accountLog } = this.#deps;
    const identity = { userId: user.id, issuer, subject, name, admin: false, signedInAt: clock.now() };
    return accountLog.connect(user, identity, async () => {
      const added = await store.addIdentity(identity);
      // Another gateway was faster: the person signs in once more, and finds that account.
      if (added === null) throw new AppError('sign_on_failed', 'Another sign-in was faster. Sign in again.');
      return added;
    });
  }

  async #update({ user, identity }: Arrived, claims: PersonClaims): Promise<Arrived> {
    if (user.blocked) throw blocked(user.username);
    const { store, clock, accountLog } = this.#deps;
    const signedOnAt = clock.now();
    const isOwn = user.passwordAllowed === false;
    const isSame = claims.email !== null && user.email?.toLowerCase() === claims.email.toLowerCase();
    const followed: UserPatch = {
      ...(isOwn && claims.name !== '' && { name: claims.name }),
      ...(isOwn && claims.email !== null && { email: claims.email }),
    };
    const patch: UserPatch = {
      ...{ signedOnAt, ...followed },
      ...((isOwn || isSame) && claims.email !== null && { emailConfirmed: true }),
    };
    const updated =
      (await accountLog.change(user, { ...user, ...followed }, () => store.updateUser(user.id, patch))) ?? user;
    await store.updateIdentity(identity.id, { name: claims.username, signedInAt: signedOnAt });
    const admin = await applyGroups(this.#deps, { user: updated, identity, groups: claims.groups });
    return { user: { ...updated, admin }, identity };
  }
}
