import type { FromSchema } from 'json-schema-to-ts';
import { DEFAULT_PREFERENCES, type AlertPreferences } from '../../../domain/alerts/alert-rule.ts';
import { UNSUBSCRIBE_PATH, type UnsubscribeScope } from '../../../domain/ports/unsubscribe-links.ts';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { escapeHtml } from '../../http/escape-html.ts';
import { plainPageReply } from '../shared/plain-page.ts';
import { publicRoute, type Call, type Reply, type Route } from '../../http/route.ts';

/** Text of the page. `ask`: has the buttons; `project`, null: all projects, else the path of the one that is meant. */
type UnsubscribePage =
  { readonly name: 'ask' | 'done'; readonly project: string | null } | { readonly name: 'invalid' };

const STOP_ALL = 'Stop all alert mails';

function titleAndText(page: UnsubscribePage): readonly [title: string, text: string] {
  if (page.name === 'invalid') {
    return ['This link is not valid', 'Use the whole address of the link, or change the setting in your profile.'];
  }
  const { name, project } = page;
  if (name === 'ask') {
    const only = project === null ? '' : ` You may also keep those of your other projects.`;
    return ['Stop alert mails?', `errgate will send you no more mails about errors.${only}`];
  }
  return project === null
    ? ['You get no more alert mails', 'Your profile has the setting, should you want them again.']
    : [`You get no more mails of ${project}`, 'Mails of your other projects go on. Your profile has the setting.'];
}

function button(mails: 'project' | 'all', text: string): string {
  return `<p><button name="mails" value="${mails}">${escapeHtml(text)}</button></p>`;
}

/** Returns the buttons of a page, whose form goes to its own address; empty without any. */
function formOf(page: UnsubscribePage): string {
  if (page.name !== 'ask') return '';
  const { project } = page;
  const only = project === null ? '' : button('project', `Stop mails of ${project}`);
  return `<form method="post">${only}${button('all', STOP_ALL)}</form>`;
}

const unsubscribeSchema = {
  type: 'object',
  properties: {
    token: { type: 'string', maxLength: 200, description: 'Signature of the link' },
    mails: {
      type: 'string',
      enum: ['project', 'all'],
      description: 'What the buttons of the page end; default: the list that the link names',
    },
  },
  additionalProperties: false,
} as const satisfies ParametersSchema;

type Unsubscribe = FromSchema<typeof unsubscribeSchema>;

function reply({ deps }: Call<unknown>, status: number, page: UnsubscribePage): Reply {
  const [title, text] = titleAndText(page);
  const link = { href: `${deps.externalUrl()}/-/profile`, text: 'Profile' };
  return plainPageReply(status, { title, text, form: formOf(page), link });
}

const invalidLink = (call: Call<unknown>): Reply => reply(call, 400, { name: 'invalid' });

/** Returns what the signed link ends; null for an invalid one. */
function scopeOf({ deps, params }: Call<Unsubscribe>): UnsubscribeScope | null {
  return deps.unsubscribeLinks.scopeOf(params.token ?? '');
}

/** Returns what a page calls the project of a link; the path only to members, because it may have a new one. */
async function nameOf({ deps }: Call<unknown>, { userId, projectId }: UnsubscribeScope): Promise<string | null> {
  if (projectId === null) return null;
  const projects = await deps.store.projectsOfUser(userId);
  return projects.find(({ id }) => id === projectId)?.path ?? 'this project';
}

const invalid = { 400: { description: 'The link is not valid; a page' } };

/**
 * Routes of the links in mails. Mail services send the POST themselves (RFC 8058), from anywhere and without a session:
 * the signature of the link stands for both.
 */
export const unsubscribeRoutes: readonly Route[] = [
  publicRoute({
    surface: 'ops',
    method: 'GET',
    path: UNSUBSCRIBE_PATH,
    operationId: 'askUnsubscribe',
    summary: 'Show the page that ends alert mails to the person of a signed link; changes nothing',
    parameters: unsubscribeSchema,
    produces: 'text/html',
    responses: { 200: { description: 'A page with buttons' }, ...invalid },
    async handle(call) {
      const scope = scopeOf(call);
      return scope === null ? invalidLink(call) : reply(call, 200, { name: 'ask', project: await nameOf(call, scope) });
    },
  }),
  publicRoute({
    surface: 'ops',
    method: 'POST',
    path: UNSUBSCRIBE_PATH,
    operationId: 'unsubscribe',
    summary: 'End the alert mails of a signed link: of its project, or all (RFC 8058, one click)',
    audit: { not: 'changes only which mails a person gets, by a link in one of them' },
    parameters: unsubscribeSchema,
    produces: 'text/html',
    responses: { 200: { description: 'The person gets no more of these mails; a page' }, ...invalid },
    async handle(call) {
      const { alertStore, store } = call.deps;
      const linked = scopeOf(call);
      if (linked === null) return invalidLink(call);
      const scope = call.params.mails === 'all' ? { ...linked, projectId: null } : linked;
      const { userId, projectId } = scope;
      if ((await store.userById(userId)) !== null) {
        const before = (await alertStore.alertPreferences(userId)) ?? DEFAULT_PREFERENCES;
        await alertStore.saveAlertPreferences(
          userId,
          projectId === null ? withoutMail(before) : without(before, projectId),
        );
      }
      return reply(call, 200, { name: 'done', project: await nameOf(call, scope) });
    },
  }),
];

function withoutMail(before: AlertPreferences): AlertPreferences {
  return { ...before, mail: 'off', projects: [], heartbeat: false };
}

function without(before: AlertPreferences, projectId: number): AlertPreferences {
  const others = before.projects.filter((entry) => entry.projectId !== projectId);
  return { ...before, projects: [...others, { projectId, mail: 'off' }] };
}
