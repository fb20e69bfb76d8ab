import type { Command } from 'commander';
import { entityOfUser, targetOf, userValues } from '../../audit/shown-values.ts';
import { assertGoodPassword } from '../../auth/password-rules.ts';
import { generatePassword, hashPassword } from '../../auth/password.ts';
import { isLastAdministrator, type User } from '../../domain/projects/account.ts';
import { AppError } from '../../domain/app-error.ts';
import { INSTANCE } from '../../domain/audit/audit-event.ts';
import type { Store } from '../../domain/ports/stores/store.ts';
import { parseEmail, parseUsername } from '../call/arguments.ts';
import { forgetFirstPasswords } from '../data-dir/forget-first-password.ts';
import { surroundings } from '../call/invocation.ts';
import { findUser } from '../call/lookup.ts';
import { reference, withOperands } from '../call/operands.ts';
import { printJson, printLine, printList, printWarning, timeText } from '../call/output.ts';
import { withStore } from './session.ts';

interface PasswordOptions {
  readonly passwordStdin?: boolean;
  readonly json?: boolean;
}

interface CreateOptions extends PasswordOptions {
  readonly name?: string;
  readonly admin?: boolean;
  readonly email?: string;
}

function userPlace(user: User) {
  return { entity: entityOfUser(user), target: targetOf('User', user.id, user.username) };
}

function userJson(user: User) {
  const { id, username, name, admin, blocked, email } = user;
  return { id, username, name, admin, blocked, email, created_at: timeText(user.createdAt) };
}

async function readPassword(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of surroundings().stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}

/** Reads the given password. Null when none is given: one is generated once the user is known. */
async function givenPassword(options: PasswordOptions): Promise<string | null> {
  return options.passwordStdin === true ? readPassword() : null;
}

/** Returns the given password if it is good enough for the user, else a generated one. Throws `bad_request`. */
async function passwordFor(username: string, given: string | null): Promise<string> {
  if (given !== null) await assertGoodPassword(given, username);
  return given ?? generatePassword();
}

/** Prints a generated password to stdout alone, so that a script can read it. Does not repeat a given one. */
function printPassword(user: User, password: string, options: PasswordOptions, done: string): void {
  const generated = options.passwordStdin !== true;
  if (options.json === true) {
    printJson({ ...userJson(user), ...(generated && { password }) });
    return;
  }
  printWarning(`${done}${generated ? '; the password, shown only now:' : ''}`);
  if (generated) printLine(password);
}

async function createUser(username: string, options: CreateOptions): Promise<void> {
  const given = await givenPassword(options);
  await withStore(
    async ({ store, audit }) => {
      if ((await store.userByName(username)) !== null) {
        throw new AppError('conflict', `the username ${username} is taken`);
      }
      const password = await passwordFor(username, given);
      const passwordHash = await hashPassword(password);
      const admin = options.admin === true;
      const name = options.name ?? username;
      const email = options.email ?? null;
      const row = { username, name, admin, email, emailConfirmed: email !== null, passwordHash };
      const created = await audit.change(
        { event: 'user_created', entity: INSTANCE, target: targetOf('User', null, username) },
        () => store.createUser(row),
        (user) => ({ ...userPlace(user), after: userValues(user) }),
      );
      printPassword(created, password, options, `created user ${username} (id ${created.id})`);
    },
    { create: true },
  );
}

async function changePassword(userReference: string, options: PasswordOptions): Promise<void> {
  const given = await givenPassword(options);
  await withStore(async ({ store, dataDir, audit }) => {
    const found = await findUser(store, userReference);
    const password = await passwordFor(found.username, given);
    const passwordHash = await hashPassword(password);
    await audit.change({ event: 'password_changed', ...userPlace(found) }, () =>
      store.setPasswordHash(found.id, passwordHash),
    );
    await forgetFirstPasswords(store, dataDir);
    printPassword(found, password, options, `changed the password of ${found.username}`);
  });
}

async function resetSecondFactor(userReference: string): Promise<void> {
  await withStore(async ({ store, audit }) => {
    const found = await findUser(store, userReference);
    const { id, username } = found;
    if ((await store.secondFactor(id)) === null) throw new AppError('not_found', `${username} has no second factor`);
    await audit.change({ event: 'second_factor_reset', ...userPlace(found) }, async () => {
      await store.removeSecondFactor(id);
      await store.endSessionsOfUser(id);
    });
    printLine(`removed the second factor of ${username}, and ended their sessions`);
  });
}

/** Throws `conflict` for the last administrator: without one, access can be given only on this machine. */
async function checkOtherAdministrator(store: Store, user: User): Promise<void> {
  if (!isLastAdministrator(user, await store.listUsers())) return;
  const advice = '`errgate user create <username> --admin` creates another one';
  throw new AppError('conflict', `${user.username} is the last administrator who is not blocked; ${advice}`);
}

export function addUserCommands(program: Command): void {
  const user = program.command('user').description('users who can sign in');

  const create = user
    .command('create')
    .description('create a user; prints a generated password')
    .option('--name <name>', 'display name (default: the username)')
    .option('--admin', 'full access to every project')
    .option('--email <address>', 'e-mail address', parseEmail)
    .option('--password-stdin', 'read the password from standard input')
    .option('--json', 'print JSON');
  withOperands(
    create,
    { username: { description: 'letters, digits, "_", "." and "-"', parse: parseUsername } },
    ({ username }, options: CreateOptions) => createUser(username, options),
  );

  user
    .command('list')
    .description('list the users')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const users = await withStore(({ store }) => store.listUsers());
      const head = ['id', 'username', 'name', 'admin', 'blocked', 'created'];
      printList(users.map(userJson), options.json, head, (one) => [
        one.id,
        one.username,
        one.name,
        one.admin,
        one.blocked,
        one.created_at,
      ]);
    });

  const password = user
    .command('password')
    .description('set a new password; prints a generated one')
    .option('--password-stdin', 'read the password from standard input')
    .option('--json', 'print JSON');
  withOperands(password, { user: reference('username or id') }, (values, options: PasswordOptions) =>
    changePassword(values.user, options),
  );

  const allow = user
    .command('allow-password')
    .description('let a user sign in with a password, also where passwords are switched off')
    .option('--undo', 'follow the configuration again');
  withOperands(allow, { user: reference('username or id') }, async (values, options: { undo?: boolean }) => {
    await withStore(async ({ store, audit }) => {
      const found = await findUser(store, values.user);
      const passwordAllowed = options.undo === true ? null : true;
      const after = userValues({ ...found, passwordAllowed });
      await audit.change({ event: 'user_changed', ...userPlace(found), before: userValues(found), after }, () =>
        store.updateUser(found.id, { passwordAllowed }),
      );
      const rule = options.undo === true ? 'as the configuration says' : 'allowed';
      printLine(`passwords of ${found.username}: ${rule}`);
      if (options.undo !== true) printWarning('`errgate user password` sets a password for a user without one');
    });
  });
  const reset = user
    .command('reset-second-factor')
    .description('remove the second factor of a user who lost the device; ends their sessions');
  withOperands(reset, { user: reference('username or id') }, (values) => resetSecondFactor(values.user));

  const block = user
    .command('block')
    .description('block a user: tokens and password stop working')
    .option('--undo', 'unblock the user');
  withOperands(block, { user: reference('username or id') }, async (values, options: { undo?: boolean }) => {
    await withStore(async ({ store, audit }) => {
      const found = await findUser(store, values.user);
      const blocked = options.undo !== true;
      if (blocked) await checkOtherAdministrator(store, found);
      const event = blocked ? 'user_blocked' : 'user_unblocked';
      const after = userValues({ ...found, blocked });
      await audit.change({ event, ...userPlace(found), before: userValues(found), after }, () =>
        store.setUserBlocked(found.id, blocked),
      );
      printLine(`${options.undo === true ? 'unblocked' : 'blocked'} ${found.username}`);
    });
  });
}
