import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { generateAccessToken, hashAccessToken } from '../../auth/access-token.ts';
import { generatePassword } from '../../auth/password.ts';
import { buildDsn, generatePublicKey } from '../../domain/projects/dsn.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { Store } from '../../domain/ports/stores/store.ts';
import type { Project } from '../../domain/projects/project.ts';
import type { User } from '../../domain/projects/account.ts';
import { createPrivateFile, replacePrivateFile } from '../../lib/private-file.ts';

const USERNAME = 'root';
/** Nested, because a project without a group could not be addressed by path in the API. */
const PROJECT_PATH = 'demo/shop';
const TOKEN_NAME = 'first-start';
export const FIRST_START_FILE = 'first-start.json';
const PLAN_FILE = 'first-start-plan.json';

const DONE_MARK = 'first_start_done';
const CLAIM_MARK = 'first_start_claim';
/** A claim that is not done after this time (milliseconds) belongs to a starter that crashed for good. */
const CLAIM_EXPIRES_MS = 60_000;

/** The members of `first-start.json`, in this order. */
export interface FirstStart {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly token: string;
  readonly project_id: number;
  readonly project_path: string;
  /** Null where the integrated backend is not offered: nothing takes events there. */
  readonly dsn: string | null;
}

/** Content of the file; the password is removed from it when another one was chosen. */
export type StoredFirstStart = Omit<FirstStart, 'password'> & { readonly password?: string };

export interface BootstrapOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The external address, without a slash at its end. */
  readonly url: string;
  readonly dataDir: string;
  readonly integratedOffered: boolean;
  /** Makes the stored form of the administrator's password. The service passes `hashPassword` of `auth/password.ts`. */
  readonly hashPassword: (password: string) => Promise<string>;
  /** Called when another process runs the first start; its results are in its own data dir. */
  readonly onElsewhere: () => void;
}

export interface Bootstrapped {
  readonly firstStart: FirstStart;
  /** Path of the file; has another name when the data dir has a `first-start.json` of an earlier store. */
  readonly file: string;
}

/**
 * All random values, on disk before the first write to the store. A run after a crash continues with the same secrets.
 */
interface Plan {
  readonly owner: string;
  readonly plannedAt: number;
  readonly password: string;
  readonly token: string;
  readonly publicKey: string;
}

/**
 * Makes the first start on an empty store: administrator, demo project with active integrated tracking, token, client
 * key and `first-start.json`. Happens once, also when several starters share the store. Null when it had happened,
 * another starter does it, or the store is not empty.
 */
export async function bootstrap(options: BootstrapOptions): Promise<Bootstrapped | null> {
  const { store, dataDir } = options;
  const planFile = join(dataDir, PLAN_FILE);
  if ((await store.getMeta(DONE_MARK)) !== null) {
    rmSync(planFile, { force: true });
    return null;
  }
  if (!(await isFirstStartDue(store))) {
    await store.initMeta(DONE_MARK, 'not needed: the store was not empty');
    return null;
  }
  const plan = readPlan(planFile) ?? makePlan(planFile, options.clock);
  if (!(await claim(options, plan))) {
    // These secrets are unused. If the other starter fails for good, new ones are made.
    rmSync(planFile, { force: true });
    options.onElsewhere();
    return null;
  }
  const result = await carryOut(options, plan);
  await store.setMeta(DONE_MARK, new Date(options.clock.now()).toISOString());
  rmSync(planFile, { force: true });
  return result;
}

/** Returns true when `bootstrap` has work to do, or another starter is doing it. */
export async function isFirstStartDue(store: Store): Promise<boolean> {
  if ((await store.getMeta(DONE_MARK)) !== null) return false;
  return (await store.getMeta(CLAIM_MARK)) !== null || (await isEmpty(store));
}

/** Returns true when a first start was begun in the store, or found not to be needed. */
export async function wasStarted(store: Pick<Store, 'getMeta'>): Promise<boolean> {
  return (await store.getMeta(DONE_MARK)) !== null || (await store.getMeta(CLAIM_MARK)) !== null;
}

/** Returns true when the store has neither a user nor a project. */
export async function isEmpty(store: Pick<Store, 'listUsers' | 'listProjects'>): Promise<boolean> {
  const [users, projects] = await Promise.all([store.listUsers(), store.listProjects()]);
  return users.length === 0 && projects.length === 0;
}

function readPlan(file: string): Plan | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Plan) : null;
}

function makePlan(file: string, clock: Clock): Plan {
  const plan: Plan = {
    owner: randomBytes(16).toString('hex'),
    plannedAt: clock.now(),
    password: generatePassword(),
    token: generateAccessToken(),
    publicKey: generatePublicKey(),
  };
  replacePrivateFile(file, JSON.stringify(plan));
  return plan;
}

/**
 * Returns true when this starter may do the work. Claims form a chain: each expired one may be followed by exactly one
 * other.
 */
async function claim(options: BootstrapOptions, plan: Plan): Promise<boolean> {
  let mark = CLAIM_MARK;
  for (;;) {
    const held = await options.store.initMeta(mark, `${plan.owner} ${options.clock.now()}`);
    const [owner = '', claimedAt = ''] = held.split(' ');
    // A later claim may have overtaken this one, so only the end of the chain counts.
    const next = `${CLAIM_MARK}_after_${owner}`;
    const overtaken = (await options.store.getMeta(next)) !== null;
    if (owner === plan.owner && !overtaken) return true;
    if (!overtaken && options.clock.now() - Number(claimedAt) < CLAIM_EXPIRES_MS) return false;
    mark = next;
  }
}

/** Does the work; each step finds what an interrupted run has already made. */
async function carryOut(options: BootstrapOptions, plan: Plan): Promise<Bootstrapped> {
  const { store, url, dataDir, integratedOffered } = options;
  const user = await ensureAdministrator(store, await options.hashPassword(plan.password));
  const project = await ensureProject(store);
  await store.setMember(project.id, user.id, 50);
  await store.saveSettings(project.id, { active: true, integrated: true });
  await ensureToken(store, user.id, plan.token);
  const key = (await store.keyByPublicKey(plan.publicKey)) ?? (await store.createKey(project.id, plan.publicKey));
  const firstStart: FirstStart = {
    url,
    username: user.username,
    password: plan.password,
    token: plan.token,
    project_id: project.id,
    project_path: project.path,
    dsn: integratedOffered ? buildDsn(url, key.publicKey, project.id) : null,
  };
  return { firstStart, file: writeFirstStart(dataDir, firstStart, plan.plannedAt) };
}

async function ensureAdministrator(store: Store, passwordHash: string): Promise<User> {
  const existing = await store.userByName(USERNAME);
  if (existing === null)
    return store.createUser({
      username: USERNAME,
      name: 'Administrator',
      admin: true,
      passwordHash,
      mustChangePassword: true,
    });
  await store.setPasswordHash(existing.id, passwordHash, true);
  return existing;
}

async function ensureProject(store: Store): Promise<Project> {
  const existing = await store.projectByPath(PROJECT_PATH);
  const project =
    existing?.project ?? (await store.createProject({ path: PROJECT_PATH, name: 'Shop', visibility: 'private' }));
  return (await store.updateProject(project.id, { monitorEnabled: true })) ?? project;
}

async function ensureToken(store: Store, userId: number, token: string): Promise<void> {
  const hash = hashAccessToken(token);
  if ((await store.tokenByHash(hash)) !== null) return;
  await store.createToken({ userId, name: TOKEN_NAME, hash, scopes: ['api'], expiresAt: null });
}

/** An older file belongs to another store and may be the only copy of its secrets: it stays. */
function writeFirstStart(dataDir: string, firstStart: FirstStart, plannedAt: number): string {
  const content = `${JSON.stringify(firstStart, null, 2)}\n`;
  const stamp = new Date(plannedAt).toISOString().replace(/[-:]|\.\d+/g, '');
  const names = [FIRST_START_FILE, `first-start-${stamp}.json`].map((name) => join(dataDir, name));
  const file = names.find((name) => createPrivateFile(name, content) || holdsToken(name, firstStart.token));
  if (file === undefined) throw new Error(`cannot write ${names.join(' or ')}: both exist already`);
  return file;
}

/** True for the file of this very first start, written before a crash. */
function holdsToken(file: string, token: string): boolean {
  return readFileSync(file, 'utf8').includes(`"${token}"`);
}
