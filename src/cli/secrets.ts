import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { targetOf } from '../audit/shown-values.ts';
import { INSTANCE } from '../domain/audit/audit-event.ts';
import { AppError } from '../domain/app-error.ts';
import { counted } from '../lib/counted.ts';
import { createPrivateFile, replacePrivateFile } from '../lib/private-file.ts';
import { KEY_FILE, type KeyRing, parseSecretKey, readKeyRing } from '../thirdparty/secrets/key-ring.ts';
import { isDataDirOwned } from './data-dir/data-dir.ts';
import { printLine, printWarning } from './call/output.ts';
import { SECRET_KEY_ID } from './data-dir/secret-key.ts';
import { type Session, withStore } from './people/session.ts';

/**
 * Milliseconds after which a running service has saved what it encrypted under the old key. It uses another key file at
 * once.
 */
const SETTLING_MS = 2000;

function newKey(): string {
  return randomBytes(32).toString('hex');
}

/**
 * Encrypts all tokens of trackers and issue trackers, DSNs of forwards, secrets of alert channels, of webhooks and of
 * second factors with the first key of the ring. Throws when some cannot be decrypted: then every key must stay.
 */
async function reencrypt(session: Session, ring: () => KeyRing): Promise<number> {
  const { createTokenCipher } = await import('../thirdparty/secrets/encrypted-token.ts');
  const encrypt = await import('../thirdparty/secrets/reencrypt-tokens.ts');
  const tokens = await encrypt.reencryptTokens(session.store, createTokenCipher(ring));
  const forwards = await encrypt.reencryptForwards(session.store, createTokenCipher(ring, 'forward DSN'));
  const channels = await encrypt.reencryptChannels(session.store, createTokenCipher(ring, 'alert channel'));
  const issues = await encrypt.reencryptIssueTokens(session.store, createTokenCipher(ring, 'issue tracker token'));
  const hooks = await encrypt.reencryptIssueHooks(session.store, createTokenCipher(ring, 'issue hook'));
  const factors = await encrypt.reencryptSecondFactors(session.store, createTokenCipher(ring, 'second factor'));
  const parts = [tokens, forwards, channels, issues, hooks];
  const changed = parts.reduce((sum, part) => sum + part.changed, factors.changed);
  if (factors.unreadable.length > 0) await refuseFactors(session, factors.unreadable);
  const unreadable = parts.flatMap((part) => part.unreadable);
  if (unreadable.length === 0) return changed;
  const paths = [...new Set(unreadable.map(({ path }) => path))].join(', ');
  throw new AppError(
    'invalid_configuration',
    `no available key decrypts the tokens, forwards, issue trackers, webhooks of issues or channels of alerts of ${paths}; the other tokens (${changed}) were encrypted again and every key was kept. Restore the missing key (ERRGATE_SECRET_KEY_PREVIOUS), or enter these tokens again, then repeat the command`,
  );
}

async function refuseFactors({ store }: Session, userIds: readonly number[]): Promise<never> {
  const names = (await store.listUsers()).filter(({ id }) => userIds.includes(id)).map(({ username }) => username);
  throw new AppError(
    'invalid_configuration',
    `no available key decrypts the second factor of ${names.join(', ')}; every key was kept. Restore the missing key (ERRGATE_SECRET_KEY_PREVIOUS), or run \`errgate user reset-second-factor\`, then repeat the command`,
  );
}

async function remember(session: Session, ring: KeyRing): Promise<void> {
  const [current] = ring;
  if (current !== undefined) await session.store.setMeta(SECRET_KEY_ID, current.id);
}

function printResult(changed: number): void {
  printLine(`re-encrypted ${counted(changed, 'third-party token')}`);
}

/**
 * Rotates a key stored in a file: adds the new key, re-encrypts everything, removes the old key. Steps are repeatable.
 */
async function rotateFile(session: Session): Promise<void> {
  const file = join(session.dataDir, KEY_FILE);
  const ring = (): KeyRing => readKeyRing({ secretKey: null, secretKeyPrevious: null, dataDir: session.dataDir });
  const before = ring();
  if (before.length === 0) {
    throw new AppError(
      'invalid_configuration',
      `there is no key yet in ${file}; the first start of the service creates one`,
    );
  }
  if (before.length > 1) {
    printWarning('an earlier rotation was not finished: continuing with the key it created');
  } else {
    const lines = [newKey(), ...before.map(({ bytes }) => bytes.toString('hex'))];
    replacePrivateFile(file, `${lines.join('\n')}\n`);
  }
  let changed = await reencrypt(session, ring);
  if (await isDataDirOwned(session.dataDir)) {
    await delay(SETTLING_MS);
    changed += await reencrypt(session, ring);
  }
  await remember(session, ring());
  replacePrivateFile(file, `${ring()[0]?.bytes.toString('hex') ?? ''}\n`);
  printResult(changed);
  printLine(
    `the new key is in ${file}; the former key is no longer needed for this store (older backups still need it)`,
  );
}

/** Reads the key from the file; creates the file when it is missing. */
function keyOf(file: string): KeyRing[number] {
  createPrivateFile(file, `${newKey()}\n`);
  const key = parseSecretKey(readFileSync(file, 'utf8'));
  if (key !== null) return key;
  throw new AppError('invalid_configuration', `${file} holds no key: 32 bytes in hex or base64 are needed`);
}

async function rotateTo(session: Session, file: string): Promise<void> {
  const key = keyOf(file);
  const present = readKeyRing({ ...session.config, dataDir: session.dataDir });
  const ring = [key, ...present.filter(({ id }) => id !== key.id)];
  const changed = await reencrypt(session, () => ring);
  await remember(session, ring);
  printResult(changed);
  printLine(
    `now, on every gateway: set ERRGATE_SECRET_KEY to the content of ${file} and ERRGATE_SECRET_KEY_PREVIOUS to the current key`,
  );
  printLine('restart them, run `errgate secrets rotate` once more, then remove ERRGATE_SECRET_KEY_PREVIOUS');
}

async function rotateConfigured(session: Session): Promise<void> {
  const { config, dataDir } = session;
  const ring = readKeyRing({ ...config, dataDir });
  if (config.secretKeyPrevious === null) {
    printLine('nothing was changed yet. To change the key without downtime, on every gateway:');
    printLine(`  1. add   ERRGATE_SECRET_KEY_PREVIOUS=${newKey()}   (a new key made just now), and restart`);
    printLine('  2. swap the values of ERRGATE_SECRET_KEY and ERRGATE_SECRET_KEY_PREVIOUS, and restart');
    printLine('  3. run `errgate secrets rotate` with both set: it encrypts everything with the new one');
    printLine('  4. remove ERRGATE_SECRET_KEY_PREVIOUS, and restart');
    printLine('A single gateway may start with step 2; or use --new-key-file.');
    return;
  }
  let changed = 0;
  await audited(session, async () => {
    changed = await reencrypt(session, () => ring);
    await remember(session, ring);
  });
  printResult(changed);
  printLine(
    'everything is encrypted with ERRGATE_SECRET_KEY now: remove ERRGATE_SECRET_KEY_PREVIOUS from every gateway',
  );
}

/** Rotates the key; the audit log has that it was, and by which command line. */
function audited({ audit }: Session, work: () => Promise<void>): Promise<void> {
  const target = targetOf('Secret key', null, 'secret key');
  return audit.change({ event: 'secret_key_rotated', entity: INSTANCE, target }, work);
}

async function rotate(options: { readonly newKeyFile?: string }): Promise<void> {
  await withStore(async (session) => {
    const { newKeyFile } = options;
    if (session.config.secretKey === null) {
      if (newKeyFile !== undefined) {
        const message = 'the key is in the data dir: run `errgate secrets rotate` without --new-key-file';
        throw new AppError('invalid_parameter', message);
      }
      await audited(session, () => rotateFile(session));
    } else if (newKeyFile === undefined) await rotateConfigured(session);
    else await audited(session, () => rotateTo(session, resolve(newKeyFile)));
  });
}

export function addSecretsCommands(program: Command): void {
  program
    .command('secrets')
    .description('the key that encrypts third-party tokens')
    .command('rotate')
    .description('encrypt everything with a new key; safe to repeat; the service may be running')
    .option('--new-key-file <file>', 'if ERRGATE_SECRET_KEY is set: file with the new key, created if missing')
    .action(rotate);
}
