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
import type { WriteExecutor } from './command-table.ts';
import type { SqliteDatabase } from './database.ts';
import { toAppError } from './sqlite-errors.ts';
import * as accounts from './views/account-views.ts';
import * as webSessions from './views/web-session-views.ts';

/** People, their tokens and their browsers; and how every call of the store reads and writes. */
export class SqliteAccountStore implements AccountStore, WebSessionStore {
  readonly #reader: SqliteDatabase;
  protected readonly writer: WriteExecutor;
  #closed = false;

  constructor(reader: SqliteDatabase, writer: WriteExecutor) {
    this.#reader = reader;
    this.writer = writer;
  }

  /** Throws AppErrors only; `store_unavailable` when the store is closed. */
  protected async read<A extends readonly unknown[], T>(
    view: (db: SqliteDatabase, ...args: A) => T,
    ...args: A
  ): Promise<T> {
    if (this.#closed) {
      throw new AppError('store_unavailable', 'the store is closed');
    }
    try {
      return view(this.#reader, ...args);
    } catch (error) {
      throw toAppError(error);
    }
  }

  createUser(user: NewUser): Promise<User> {
    return this.writer.run('createUser', user);
  }
  userById(id: number): Promise<User | null> {
    return this.read(accounts.userById, id);
  }
  userByName(username: string): Promise<User | null> {
    return this.read(accounts.userByName, username);
  }
  passwordHash(userId: number): Promise<string | null> {
    return this.read(accounts.passwordHash, userId);
  }
  setPasswordHash(userId: number, hash: string, mustChange = false): Promise<void> {
    return this.writer.run('setPasswordHash', userId, hash, mustChange);
  }
  setUserBlocked(userId: number, blocked: boolean): Promise<void> {
    return this.writer.run('setUserBlocked', userId, blocked);
  }
  updateUser(userId: number, patch: UserPatch): Promise<User | null> {
    return this.writer.run('updateUser', userId, patch);
  }
  listUsers(): Promise<User[]> {
    return this.read(accounts.listUsers);
  }
  createToken(token: NewAccessToken): Promise<AccessToken> {
    return this.writer.run('createToken', token);
  }
  tokenByHash(hash: string): Promise<AccessToken | null> {
    return this.read(accounts.tokenByHash, hash);
  }
  tokenById(id: number): Promise<AccessToken | null> {
    return this.read(accounts.tokenById, id);
  }
  listTokens(userId: number | null): Promise<AccessToken[]> {
    return this.read(accounts.listTokens, userId);
  }
  revokeToken(id: number): Promise<boolean> {
    return this.writer.run('revokeToken', id);
  }
  touchToken(id: number, usedAt: number): Promise<void> {
    return this.writer.run('touchToken', id, usedAt);
  }

  credentials(username: string): Promise<Credentials | null> {
    return this.read(webSessions.credentials, username);
  }
  createSession(session: NewWebSession): Promise<WebSession> {
    return this.writer.run('createSession', session);
  }
  sessionByHash(hash: string): Promise<SignedIn | null> {
    return this.read(webSessions.sessionByHash, hash);
  }
  touchSession(hash: string, usedAt: number): Promise<void> {
    return this.writer.run('touchSession', hash, usedAt);
  }
  endSession(hash: string): Promise<boolean> {
    return this.writer.run('endSession', hash);
  }
  endSessionsOfUser(userId: number): Promise<void> {
    return this.writer.run('endSessionsOfUser', userId);
  }

  /** Safe to repeat. */
  async close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true;
      this.#reader.close();
      await this.writer.close();
    }
  }
}
