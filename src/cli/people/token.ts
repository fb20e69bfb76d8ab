import { Option, type Command } from 'commander';
import { generateAccessToken, hashAccessToken } from '../../auth/access-token.ts';
import { createBuildToken } from '../../auth/build-token.ts';
import {
  mayAdminister,
  type AccessToken,
  type NewAccessToken,
  type TokenScope,
  type User,
} from '../../domain/projects/account.ts';
import { entityOfProject, entityOfUser, targetOf, tokenValues } from '../../audit/shown-values.ts';
import { AppError } from '../../domain/app-error.ts';
import { systemClock } from '../../domain/ports/clock.ts';
import { parseExpiry, parseId, parseScopes } from '../call/arguments.ts';
import { findProject, findUser } from '../call/lookup.ts';
import { optionalReference, withOperands } from '../call/operands.ts';
import { printJson, printLine, printList, printWarning, timeText } from '../call/output.ts';
import type { Store } from '../../domain/ports/stores/store.ts';
import { externalUrl, withStore } from './session.ts';

interface CreateOptions {
  readonly name: string;
  readonly scopes?: TokenScope[];
  readonly scope?: 'ci';
  readonly project?: readonly string[];
  readonly expires?: number;
  readonly json?: boolean;
}

function tokenJson(token: AccessToken) {
  const { id, userId, name, scopes } = token;
  return {
    id,
    user_id: userId,
    name,
    scopes,
    created_at: timeText(token.createdAt),
    expires_at: timeText(token.expiresAt),
    revoked_at: timeText(token.revokedAt),
    last_used_at: timeText(token.lastUsedAt),
  };
}

/** Returns the owner of a token of builds: the named user, else the first administrator. */
async function ownerOf(store: Store, userReference: string | null): Promise<User> {
  if (userReference !== null) return findUser(store, userReference);
  const administrator = (await store.listUsers()).find(mayAdminister);
  if (administrator !== undefined) return administrator;
  throw new AppError('not_found', 'there is no administrator who could own the token: name a user');
}

async function createToken(userReference: string | null, options: CreateOptions, command: Command): Promise<void> {
  const { name, scopes = ['api'], project: projects = [], expires = null } = options;
  if (options.scope === undefined && userReference === null) command.error("error: missing required argument 'user'");
  if (options.scope === undefined && projects.length > 0) command.error('error: --project needs --scope ci');
  if (options.scope !== undefined && projects.length === 0) command.error('error: --scope ci needs --project');
  if (options.scope !== undefined && options.scopes !== undefined) command.error('error: use --scope or --scopes');
  await withStore(async ({ store, config, audit }) => {
    const user = await ownerOf(store, userReference);
    const given = { userId: user.id, name, expiresAt: expires };
    const forProjects = await Promise.all(projects.map((reference) => findProject(store, reference)));
    const url = await externalUrl(config);
    const [onlyProject, ...others] = forProjects;
    const entity = onlyProject !== undefined && others.length === 0 ? entityOfProject(onlyProject) : entityOfUser(user);
    const { token, text } = await audit.change(
      { event: 'token_created', entity, target: targetOf('Access token', null, name) },
      () =>
        options.scope === undefined
          ? createPersonalToken(store, { ...given, scopes })
          : createBuildToken(store, { ...given, projects: forProjects, url }, systemClock.now()),
      (made) => ({ target: targetOf('Access token', made.token.id, name), after: tokenValues(made.token) }),
    );
    if (options.json === true) {
      printJson({ ...tokenJson(token), token: text });
    } else {
      printWarning(`created token ${token.id} of ${user.username}, shown only now:`);
      printLine(text);
      if (options.scope !== undefined) warnBelowPath(await externalUrl(config));
    }
  });
}

/** Says what to do for `sentry-cli`, which accepts no address below a path. */
function warnBelowPath(address: string): void {
  const { origin, pathname } = new URL(address);
  if (pathname === '/') return;
  printWarning(
    `sentry-cli and plugins that run it accept no address below a path: give them ${origin}, and let the reverse proxy there pass /api/0/ on to errgate`,
  );
}

async function createPersonalToken(store: Store, given: Omit<NewAccessToken, 'hash'>) {
  const text = generateAccessToken();
  return { token: await store.createToken({ ...given, hash: hashAccessToken(text) }), text };
}

export function addTokenCommands(program: Command): void {
  const token = program.command('token').description('personal access tokens for the API');

  const create = token
    .command('create')
    .description('create a token and print it once')
    .option('--name <name>', 'what it is for', 'errgate')
    .option('--scopes <scopes>', 'api, read_api or both, separated by a comma (default: api)', parseScopes)
    .addOption(
      new Option('--scope <scope>', 'ci: a token for build tools, for the named projects only').choices(['ci']),
    )
    .option('--project <project...>', 'with --scope ci: path or id; may be repeated')
    .option('--expires <date|days>', '2027-01-31 or 90d (default: never)', (value: string) =>
      parseExpiry(value, systemClock.now()),
    )
    .option('--json', 'print JSON');
  withOperands(
    create,
    { user: optionalReference('username or id; with --scope ci by default the first administrator') },
    ({ user }, options: CreateOptions, command) => createToken(user, options, command),
  );

  token
    .command('list')
    .description('list the tokens; the tokens themselves are not stored')
    .option('--user <user>', 'only of this user (username or id)')
    .option('--json', 'print JSON')
    .action(async (options: { user?: string; json?: boolean }) => {
      const tokens = await withStore(async ({ store }) =>
        store.listTokens(options.user === undefined ? null : (await findUser(store, options.user)).id),
      );
      const head = ['id', 'user id', 'name', 'scopes', 'created', 'expires', 'revoked', 'last used'];
      printList(tokens.map(tokenJson), options.json, head, (one) => [
        one.id,
        one.user_id,
        one.name,
        one.scopes.join(' '),
        one.created_at,
        one.expires_at,
        one.revoked_at,
        one.last_used_at,
      ]);
    });

  withOperands(
    token.command('revoke').description('revoke a token'),
    { id: { description: 'as `errgate token list` shows it', parse: parseId } },
    async ({ id }) => {
      await withStore(async ({ store, audit }) => {
        const found = await store.tokenById(id);
        const user = found === null ? null : await store.userById(found.userId);
        if (found === null || user === null) throw new AppError('not_found', `there is no token ${id}`);
        await audit.change(
          {
            event: 'token_revoked',
            entity: entityOfUser(user),
            target: targetOf('Access token', id, found.name),
            before: tokenValues(found),
          },
          () => store.revokeToken(id),
          async () => {
            const revoked = await store.tokenById(id);
            return { after: revoked === null ? null : tokenValues(revoked) };
          },
        );
        printLine(`revoked token ${id}`);
      });
    },
  );
}
