import { AppError } from '../../../domain/app-error.ts';
import { problems } from '../../http/common-schema.ts';
import { accountRoute, type Route } from '../../http/route.ts';
import { ownUserTarget } from './audit-targets.ts';
import { emailParameter } from './email-parameter.ts';
import { fullUserSchema, presentFullUser, presentWithFactor, updateSelfSchema, userSchema } from './user-schema.ts';

const { 401: unauthorised, 403: forbidden } = problems;

export const ownAccountRoutes: readonly Route[] = [
  accountRoute({
    method: 'GET',
    path: '/api/v4/user',
    operationId: 'getUser',
    summary: 'Read the user that the access token belongs to',
    action: 'read_self',
    responses: { 200: { description: 'The user', schema: fullUserSchema }, 401: unauthorised, 403: forbidden },
    handle: async ({ deps, principal }) => ({ status: 200, body: await presentFullUser(deps, principal.user) }),
  }),
  accountRoute({
    method: 'PUT',
    path: '/api/v4/user',
    operationId: 'updateSelf',
    summary: 'Change your own e-mail address',
    action: 'update_self',
    audit: { event: 'user_changed', target: ownUserTarget },
    parameters: updateSelfSchema,
    responses: {
      200: { description: 'The user', schema: userSchema },
      400: problems[400],
      401: unauthorised,
      403: forbidden,
    },
    async handle(call) {
      const { deps, principal } = call;
      const email = emailParameter(call, call.params.email);
      if (email === undefined) return { status: 200, body: await presentWithFactor(deps, principal.user) };
      if (deps.proxySignIn.isOn) {
        throw new AppError(
          'bad_request',
          'A proxy may sign people in by their e-mail address here. Ask an administrator to change yours.',
        );
      }
      const updated = await deps.store.updateUser(principal.user.id, { email });
      deps.webSessions.forget();
      if (updated === null) throw new AppError('not_found', 'the user was removed in the meantime');
      return { status: 200, body: await presentWithFactor(deps, updated) };
    },
  }),
];
