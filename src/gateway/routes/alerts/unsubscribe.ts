import { DEFAULT_PREFERENCES } from '../../../domain/alert-rule.ts';
import { UNSUBSCRIBE_PATH } from '../../../domain/ports/unsubscribe-links.ts';
import { unsubscribeSchema, type Unsubscribe } from '../../../schemas/api/alert-settings.ts';
import { unsubscribePage, type UnsubscribePage } from '../../presenters/unsubscribe-page.ts';
import { publicRoute, type Call, type Reply, type Route } from '../../route.ts';

const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'Referrer-Policy': 'no-referrer',
};

function page({ deps }: Call<unknown>, status: number, name: UnsubscribePage): Reply {
  const body = unsubscribePage(name, `${deps.externalUrl()}/-/profile`);
  return { status, headers: HEADERS, contentType: 'text/html; charset=utf-8', body };
}

/** Returns the user of the signed link; null for an invalid one. */
function userOf({ deps, params }: Call<Unsubscribe>): number | null {
  return deps.unsubscribeLinks.userOf(params.token ?? '');
}

const invalid = { 400: { description: 'The link is not valid; a page' } };

/**
 * Routes of the links in mails. Mail services send the POST themselves (RFC 8058), from anywhere and without a session:
 * the signature of the link stands for both.
 */
export const unsubscribeRoutes: readonly Route[] = [
  publicRoute<Unsubscribe>({
    surface: 'ops',
    method: 'GET',
    path: UNSUBSCRIBE_PATH,
    operationId: 'askUnsubscribe',
    summary: 'Show the page that ends alert mails to the person of a signed link; changes nothing',
    parameters: unsubscribeSchema,
    produces: 'text/html',
    responses: { 200: { description: 'A page with a button' }, ...invalid },
    handle: async (call) => (userOf(call) === null ? page(call, 400, 'invalid') : page(call, 200, 'ask')),
  }),
  publicRoute<Unsubscribe>({
    surface: 'ops',
    method: 'POST',
    path: UNSUBSCRIBE_PATH,
    operationId: 'unsubscribe',
    summary: 'End alert mails to the person of a signed link (RFC 8058, one click)',
    parameters: unsubscribeSchema,
    produces: 'text/html',
    responses: { 200: { description: 'The person gets no more alert mails; a page' }, ...invalid },
    async handle(call) {
      const { alertStore, store } = call.deps;
      const userId = userOf(call);
      if (userId === null) return page(call, 400, 'invalid');
      if ((await store.userById(userId)) !== null) {
        const before = (await alertStore.alertPreferences(userId)) ?? DEFAULT_PREFERENCES;
        await alertStore.saveAlertPreferences(userId, { ...before, mail: 'off', projects: [], heartbeat: false });
      }
      return page(call, 200, 'done');
    },
  }),
];
