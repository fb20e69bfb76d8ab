import type { Command } from 'commander';
import { generateAccessToken, hashAccessToken } from '../auth/access-token.ts';
import type { AccessToken, TokenScope } from '../domain/projects/account.ts';
import { AppError } from '../domain/app-error.ts';
import { systemClock } from '../domain/ports/clock.ts';
import { parseExpiry, parseId, parseScopes } from './call/arguments.ts';
import { findUser } from './call/lookup.ts';
import { reference, withOperands } from './call/operands.ts';
import { printJson, printLine, printList, printWarning, timeText } from './call/output.ts';
import { withStore } from './session.ts';

interface CreateOptions {
  readonly name: string;
  readonly scopes: TokenScope[];
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

async function createToken(userReference: string, options: CreateOptions): Promise<void> {
  await withStore(async ({ store }) => {
    const user = await findUser(store, userReference);
    const token = generateAccessToken();
    const created = await store.createToken({
      userId: user.id,
      name: options.name,
      hash: hashAccessToken(token),
      scopes: options.scopes,
      expiresAt: options.expires ?? null,
    });
    if (options.json === true) {
      printJson({ ...tokenJson(created), token });
    } else {
      printWarning(`created token ${created.id} of ${user.username}, shown only now:`);
      printLine(token);
    }
  });
}

export function addTokenCommands(program: Command): void {
  const token = program.command('token').description('personal access tokens for the API');

  const create = token
    .command('create')
    .description('create a token and print it once')
    .option('--name <name>', 'what it is for', 'errgate')
    .option('--scopes <scopes>', 'api, read_api or both, separated by a comma', parseScopes, ['api'])
    .option('--expires <date|days>', '2027-01-31 or 90d (default: never)', (value: string) =>
      parseExpiry(value, systemClock.now()),
    )
    .option('--json', 'print JSON');
  withOperands(create, { user: reference('username or id') }, ({ user }, options: CreateOptions) =>
    createToken(user, options),
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
      await withStore(async ({ store }) => {
        if (!(await store.revokeToken(id))) throw new AppError('not_found', `there is no token ${id}`);
        printLine(`revoked token ${id}`);
      });
    },
  );
}
