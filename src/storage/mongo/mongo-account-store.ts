import type { AccessToken, NewAccessToken, NewUser, User, UserPatch } from '../../domain/account.ts';
import { AppError } from '../../domain/app-error.ts';
import type { AccountStore } from '../../domain/ports/account-store.ts';
import type {
  Credentials,
  NewWebSession,
  SignedIn,
  WebSession,
  WebSessionStore,
} from '../../domain/ports/web-session-store.ts';
import * as accountCommands from './commands/account-commands.ts';
import * as sessionCommands from './commands/web-session-commands.ts';
import type { MongoContext } from './context.ts';
import { toAppError } from './mongo-errors.ts';
import * as accounts from './views/account-views.ts';
import * as sessions from './views/web-session-views.ts';

/** People, their tokens and their browsers; and how every call of the store is run. */
export class MongoAccountStore implements AccountStore, WebSessionStore {
  readonly #context: MongoContext;
  readonly #hosts: string;
  #closed = false;

  /** `hosts`: those of the store, for messages. */
  constructor(context: MongoContext, hosts: string) {
    this.#context = context;
    this.#hosts = hosts;
  }

  /** Throws AppErrors only; `store_unavailable` after `end`. */
  protected async run<A extends readonly unknown[], T>(
    work: (context: MongoContext, ...args: A) => Promise<T>,
    ...args: A
  ): Promise<T> {
    if (this.#closed) throw new AppError('store_unavailable', 'the store is closed');
    try {
      return await work(this.#context, ...args);
    } catch (error) {
      throw toAppError(error, this.#hosts);
    }
  }

  /** Refuses every further call, does what is left to do and closes the connection; safe to repeat. */
  protected async end(last: () => Promise<void>): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await last();
    await this.#context.connection.close();
  }

  createUser(user: NewUser): Promise<User> {
    return this.run(accountCommands.createUser, user);
  }
  userById(id: number): Promise<User | null> {
    return this.run(accounts.userById, id);
  }
  userByName(username: string): Promise<User | null> {
    return this.run(accounts.userByName, username);
  }
  passwordHash(userId: number): Promise<string | null> {
    return this.run(accounts.passwordHash, userId);
  }
  setPasswordHash(userId: number, hash: string, mustChange = false): Promise<void> {
    return this.run(accountCommands.setPasswordHash, userId, hash, mustChange);
  }
  setUserBlocked(userId: number, blocked: boolean): Promise<void> {
    return this.run(accountCommands.setUserBlocked, userId, blocked);
  }
  updateUser(userId: number, patch: UserPatch): Promise<User | null> {
    return this.run(accountCommands.updateUser, userId, patch);
  }
  listUsers(): Promise<User[]> {
    return this.run(accounts.listUsers);
  }
  createToken(token: NewAccessToken): Promise<AccessToken> {
    return this.run(accountCommands.createToken, token);
  }
  tokenByHash(hash: string): Promise<AccessToken | null> {
    return this.run(accounts.tokenByHash, hash);
  }
  tokenById(id: number): Promise<AccessToken | null> {
    return this.run(accounts.tokenById, id);
  }
  listTokens(userId: number | null): Promise<AccessToken[]> {
    return this.run(accounts.listTokens, userId);
  }
  revokeToken(id: number): Promise<boolean> {
    return this.run(accountCommands.revokeToken, id);
  }
  touchToken(id: number, usedAt: number): Promise<void> {
    return this.run(accountCommands.touchToken, id, usedAt);
  }

  credentials(username: string): Promise<Credentials | null> {
    return this.run(sessions.credentials, username);
  }
  createSession(session: NewWebSession): Promise<WebSession> {
    return this.run(sessionCommands.createSession, session);
  }
  sessionByHash(hash: string): Promise<SignedIn | null> {
    return this.run(sessions.sessionByHash, hash);
  }
  touchSession(hash: string, usedAt: number): Promise<void> {
    return this.run(sessionCommands.touchSession, hash, usedAt);
  }
  endSession(hash: string): Promise<boolean> {
    return this.run(sessionCommands.endSession, hash);
  }
  endSessionsOfUser(userId: number): Promise<void> {
    return this.run(sessionCommands.endSessionsOfUser, userId);
  }
}
