import { problems } from '../../http/common-schema.ts';
import { accountRoute, type Route } from '../../http/route.ts';
import { findFormerLink } from './find-former-link.ts';
import { formerLinkParametersSchema, formerLinksSchema } from './import-schema.ts';

export const formerLinkRoutes: readonly Route[] = [
  accountRoute({
    method: 'GET',
    path: '/api/v4/error_tracking/former_links',
    operationId: 'findFormerLink',
    summary: 'Find imported errors by their address or id in a former tracker; those that you may read',
    action: 'read_self',
    parameters: formerLinkParametersSchema,
    responses: {
      200: { description: 'The errors; empty when none was imported', schema: formerLinksSchema },
      ...problems,
    },
    handle: async ({ deps, principal, params }) => ({
      status: 200,
      body: await findFormerLink(deps, principal, params.path),
    }),
  }),
];
