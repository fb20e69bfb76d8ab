import { AppError } from '../../../domain/app-error.ts';
import { problems, problemSchema } from '../../http/common-schema.ts';
import { presenter } from '../../http/presenter.ts';
import { accountRoute, type AccountCall, type Reply, type Route } from '../../http/route.ts';
import { ownSecondFactorTarget, secondFactorTarget } from './audit-targets.ts';
import { attemptsOf, checkOwnPassword } from './own-password.ts';
import {
  removeSecondFactorSchema,
  renewRecoveryCodesSchema,
  secondFactorSchema,
  setUpSecondFactorSchema,
  type SetUpSecondFactor,
} from './second-factor-schema.ts';
import { addressOf, endOthers, NOT_KEPT } from './session-reply.ts';
import { userOf } from './user-lookup.ts';

const PATH = '/api/v4/user/second_factor';
const present = presenter(secondFactorSchema);
const refusals = {
  400: problems[400],
  401: problems[401],
  403: problems[403],
  404: problems[404],
  409: { description: 'It is on already, or was not begun', schema: problemSchema },
  429: { description: 'Too many attempts; Retry-After says how many seconds to wait', schema: problemSchema },
};

interface ShownOnce {
  readonly secret?: string;
  readonly url?: string;
  readonly recoveryCodes?: readonly string[];
}

async function presentOwn({ deps, principal }: AccountCall<unknown>, once: ShownOnce = {}) {
  const { confirmedAt, recoveryCodesLeft } = await deps.secondFactors.state(principal.user.id);
  const { required } = deps.secondFactors;
  return present({ enabled: confirmedAt !== null, enabledAt: confirmedAt, recoveryCodesLeft, required, ...once });
}

/** Throws `bad_request` for people who sign in elsewhere: they are never asked for a code. */
function assertOwnSignIn({ session }: AccountCall<unknown>): void {
  if (session !== null && session.stored === null) {
    throw new AppError('bad_request', 'Your organization signs you in: errgate asks you for no second factor.');
  }
}

/** Ends the other sessions of the user. Returns the headers for the browser of the request. */
async function headersWithoutOthers(call: AccountCall<unknown>, secondFactor: boolean): Promise<Reply['headers']> {
  const { deps, principal, session } = call;
  if (session !== null) return (await endOthers({ ...call, session }, secondFactor)).headers;
  await deps.webSessions.endAll(principal.user.id);
  return NOT_KEPT;
}

async function setUp(call: AccountCall<SetUpSecondFactor>): Promise<Reply> {
  const { deps, params, principal } = call;
  const { user } = principal;
  assertOwnSignIn(call);
  if (params.code !== undefined) {
    const takeBack = deps.signInThrottle.attempt(user.username, addressOf(call), attemptsOf(call));
    const recoveryCodes = await deps.secondFactors.confirm(user.id, params.code);
    if (recoveryCodes === null) {
      throw new AppError('bad_request', 'The code is wrong. Enter the one that the app shows now; check its clock.');
    }
    takeBack();
    const headers = (await headersWithoutOthers(call, true)) ?? {};
    return { status: 200, headers, body: await presentOwn(call, { recoveryCodes }) };
  }
  if (params.password === undefined) {
    throw new AppError('bad_request', 'Send your password to begin, or a code to turn the second factor on.');
  }
  await checkOwnPassword(call, params.password);
  return { status: 200, headers: NOT_KEPT, body: await presentOwn(call, await deps.secondFactors.begin(user)) };
}

/** Checks password or code. Throws `bad_request` for a wrong one, and `rate_limited`. */
async function assertOwner(call: AccountCall<SetUpSecondFactor>): Promise<void> {
  const { password, code } = call.params;
  if (password !== undefined) {
    await checkOwnPassword(call, password);
    return;
  }
  if (code === undefined) throw new AppError('bad_request', 'Send your password or a code.');
  await useCode(call, code);
}

/** Uses a code of the caller. Throws `bad_request` for a wrong one, and `rate_limited`. */
async function useCode(call: AccountCall<unknown>, code: string): Promise<void> {
  const { deps, principal } = call;
  const { id, username } = principal.user;
  const takeBack = deps.signInThrottle.attempt(username, addressOf(call), attemptsOf(call));
  if ((await deps.secondFactors.use(id, code)) === null) {
    throw new AppError('bad_request', 'The code is wrong, or was used before.');
  }
  takeBack();
}

export const secondFactorRoutes: readonly Route[] = [
  accountRoute({
    method: 'GET',
    path: PATH,
    operationId: 'getSecondFactor',
    summary: 'Read whether your sign-ins ask for a second factor',
    action: 'read_self',
    setsUpSecondFactor: true,
    responses: {
      200: { description: 'The second factor', schema: secondFactorSchema },
      401: problems[401],
      403: problems[403],
    },
    handle: async (call) => ({ status: 200, headers: NOT_KEPT, body: await presentOwn(call) }),
  }),
  accountRoute({
    method: 'POST',
    path: PATH,
    operationId: 'setUpSecondFactor',
    summary: 'Begin a second factor with your password, then turn it on with a code, which ends other sessions',
    action: 'manage_sessions',
    setsUpSecondFactor: true,
    audit: {
      event: 'second_factor_enabled',
      target: ownSecondFactorTarget,
      only: {
        when: ({ params }) => (params as SetUpSecondFactor).code !== undefined,
        else: 'sign-ins do not ask for a secret that no code has confirmed',
      },
    },
    parameters: setUpSecondFactorSchema,
    jsonOnly: true,
    responses: { 200: { description: 'The second factor', schema: secondFactorSchema }, ...refusals },
    handle: setUp,
  }),
  accountRoute({
    method: 'DELETE',
    path: PATH,
    operationId: 'removeSecondFactor',
    summary: 'Turn your second factor off, with your password or a code; this ends other sessions',
    action: 'manage_sessions',
    setsUpSecondFactor: true,
    audit: { event: 'second_factor_disabled', target: ownSecondFactorTarget },
    parameters: removeSecondFactorSchema,
    jsonOnly: true,
    responses: { 200: { description: 'The second factor, which is off', schema: secondFactorSchema }, ...refusals },
    async handle(call) {
      const { deps, principal } = call;
      await assertOwner(call);
      if (!(await deps.secondFactors.remove(principal.user.id))) {
        throw new AppError('not_found', 'you have no second factor');
      }
      const headers = (await headersWithoutOthers(call, false)) ?? {};
      return { status: 200, headers, body: await presentOwn(call) };
    },
  }),
  accountRoute({
    method: 'POST',
    path: `${PATH}/recovery_codes`,
    operationId: 'renewRecoveryCodes',
    summary: 'Make new recovery codes, with a code of your second factor; those of before stop working',
    action: 'manage_sessions',
    audit: { event: 'recovery_codes_renewed', target: ownSecondFactorTarget },
    parameters: renewRecoveryCodesSchema,
    jsonOnly: true,
    responses: {
      200: { description: 'The second factor with the new codes', schema: secondFactorSchema },
      ...refusals,
    },
    async handle(call) {
      const { deps, params, principal } = call;
      const { confirmedAt } = await deps.secondFactors.state(principal.user.id);
      if (confirmedAt === null) throw new AppError('not_found', 'you have no second factor');
      await useCode(call, params.code);
      const recoveryCodes = await deps.secondFactors.renewRecoveryCodes(principal.user.id);
      return { status: 200, headers: NOT_KEPT, body: await presentOwn(call, { recoveryCodes }) };
    },
  }),
  accountRoute({
    method: 'DELETE',
    path: '/api/v4/users/:user_id/second_factor',
    operationId: 'resetSecondFactor',
    summary: 'Remove the second factor of a user who lost the device, and end their sessions; administrators only',
    action: 'manage_users',
    audit: { event: 'second_factor_reset', target: secondFactorTarget },
    responses: { 204: { description: 'It is removed' }, ...problems },
    async handle(call) {
      const user = await userOf(call);
      if (user.id === call.principal.user.id) {
        throw new AppError(
          'bad_request',
          'Turn your own second factor off on your profile page or with DELETE /api/v4/user/second_factor: both ask for your password or a code.',
        );
      }
      if (!(await call.deps.secondFactors.remove(user.id))) {
        throw new AppError('not_found', `${user.username} has no second factor`);
      }
      await call.deps.webSessions.endAll(user.id);
      return { status: 204, body: null };
    },
  }),
];
