import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { verifyPassword } from '../../auth/password.ts';
import { mayAdminister } from '../../domain/projects/account.ts';
import type { Store } from '../../domain/ports/stores/store.ts';
import type { Project } from '../../domain/projects/project.ts';
import { counted } from '../../lib/counted.ts';
import { FIRST_START_FILE, type StoredFirstStart } from '../data-dir/first-start.ts';
import { bytesText, fail, type Finding, ok, warn } from './finding.ts';
import { DAMAGE_ADVICE } from './store-advice.ts';
import { DAY_MS, HOUR_MS } from '../../domain/durations.ts';

export async function checkStats(store: Store): Promise<Finding> {
  const { schemaVersion, projects, errors, events, bytes } = await store.stats();
  const size = bytes === null ? '' : `, ${bytesText(bytes)}`;
  return ok(
    'store',
    `schema version ${schemaVersion}, ${counted(projects, 'project')}, ${counted(errors, 'error')}, ${counted(events, 'event')}${size}`,
  );
}

/** Warns about a file system that SQLite does not promise to work on; null: nothing is known against it. */
export async function checkStoreDisk(file: string): Promise<Finding | null> {
  const { findUnfitDisk } = await import('../../storage/sqlite/files/store-disk.ts');
  const unfit = await findUnfitDisk(file);
  return unfit === null ? null : warn('store disk', unfit.message, unfit.cure);
}

/** Bytes above which `doctor` does not read the whole store: about half a minute on a slow disk. */
const MAX_CHECKED_BYTES = 4 * 1024 ** 3;

/** Reads every page of the embedded store to find damage that ordinary reads may never meet. */
export async function checkStoreFile(file: string): Promise<Finding> {
  const check = 'store file';
  const { size } = await stat(file);
  if (size > MAX_CHECKED_BYTES) {
    return ok(check, `not read completely, it has ${bytesText(size)}; \`errgate backup FILE\` reads all of it`);
  }
  const { findDamage } = await import('../../storage/sqlite/files/store-file.ts');
  const damage = findDamage(file);
  return damage === null
    ? ok(check, 'sound, every page was read')
    : fail(check, `${file} is damaged: ${damage}`, DAMAGE_ADVICE);
}

/** Checks whether the secrets of the first start are still in the data dir, and whether the password still works. */
export async function checkFirstStart(store: Store, dataDir: string): Promise<Finding> {
  const start = readFirstStart(join(dataDir, FIRST_START_FILE));
  if (start === null) return ok('first start', `no ${FIRST_START_FILE} in the data dir`);
  const user = await store.userByName(start.username);
  const hash = user === null ? null : await store.passwordHash(user.id);
  if (start.password !== undefined && hash !== null && (await verifyPassword(start.password, hash))) {
    return warn(
      'first start',
      `${FIRST_START_FILE} holds the password of ${start.username}, which was never changed`,
      `\`errgate user password ${start.username}\`, then keep the token elsewhere and delete the file`,
    );
  }
  return warn(
    'first start',
    `${FIRST_START_FILE} holds a token in plain text`,
    'keep it elsewhere and delete the file',
  );
}

function readFirstStart(file: string): StoredFirstStart | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as StoredFirstStart;
  } catch {
    return null;
  }
}

/** Checks that an administrator can still sign in. */
export async function checkAdministrators(store: Store): Promise<Finding> {
  const check = 'administrator';
  const users = await store.listUsers();
  const names = users.filter(mayAdminister).map(({ username }) => username);
  if (names.length > 0) return ok(check, `an administrator can sign in: ${names.slice(0, 5).join(', ')}`);
  return warn(
    check,
    'no administrator can sign in',
    users.some(({ admin }) => admin)
      ? '`errgate user block <username> --undo` unblocks one'
      : '`errgate user create <username> --admin` creates one',
  );
}

/** Reports projects with active integrated tracking but without an active client key. */
export async function checkKeys(store: Store): Promise<Finding> {
  const without: Project[] = [];
  for (const project of await store.listProjects()) {
    const settings = await store.settings(project.id);
    if (settings?.active !== true || !settings.integrated) continue;
    if (!(await store.listKeys(project.id)).some((key) => key.active)) without.push(project);
  }
  if (without.length === 0) return ok('client keys', 'every tracked project has an active key');
  const paths = without.map((project) => project.path).join(', ');
  return warn(
    'client keys',
    `no active key, so no events are accepted: ${paths}`,
    '`errgate key create <project>` creates one',
  );
}

/** Maximum number of outcomes shown one by one; the rest is counted. */
const SHOWN_OUTCOMES = 5;

/** Reports the items that were not stored in the last 24 hours, by outcome, each with the project that has most. */
export async function checkDropped(store: Store, now: number): Promise<Finding> {
  const totals = new Map<string, Map<string, number>>();
  for (const project of await store.listProjects()) {
    for (const count of await store.listOutcomes(project.id, now - DAY_MS, now + HOUR_MS)) {
      if (count.outcome === 'accepted') continue;
      const outcome = `${count.category} ${count.outcome}${count.reason === '' ? '' : ` (${count.reason})`}`;
      const byProject = totals.get(outcome) ?? new Map<string, number>();
      byProject.set(project.path, (byProject.get(project.path) ?? 0) + count.quantity);
      totals.set(outcome, byProject);
    }
  }
  if (totals.size === 0) return ok('dropped in 24 h', 'nothing');
  const most = [...totals]
    .map(([outcome, byProject]) => outcomeLine(outcome, byProject))
    .sort((a, b) => b.total - a.total);
  const shown = most.slice(0, SHOWN_OUTCOMES).map(({ text }) => text);
  const more = most.length > SHOWN_OUTCOMES ? [`and ${counted(most.length - SHOWN_OUTCOMES, 'other reason')}`] : [];
  return warn(
    'dropped in 24 h',
    [...shown, ...more].join('\n'),
    'docs/missing-events.md explains the reasons; per project: GET …/error_tracking/outcomes',
  );
}

function outcomeLine(outcome: string, byProject: ReadonlyMap<string, number>): { total: number; text: string } {
  const total = [...byProject.values()].reduce((sum, quantity) => sum + quantity, 0);
  const [top] = [...byProject].sort((a, b) => b[1] - a[1]);
  const [path, quantity] = top ?? ['', 0];
  const where = byProject.size === 1 ? `in ${path}` : `in ${byProject.size} projects, ${quantity} of them in ${path}`;
  return { total, text: `${total} ${outcome} ${where}` };
}
