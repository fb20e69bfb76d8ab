import type { FromSchema } from 'json-schema-to-ts';
import { AppError } from '../../../domain/app-error.ts';
import type { Person } from '../../../domain/errors/error-state.ts';
import { issueUrlProblem } from '../../../domain/projects/link-rules.ts';
import type { MadeIssue } from '../../../domain/ports/link-setup.ts';
import { MAX_ISSUE_TITLE, MAX_LINKED_ISSUES, type LinkedIssue } from '../../../domain/projects/project-links.ts';
import { IN_ACTIVITY } from '../../http/audit/audit-rule.ts';
import { bodyValidator } from '../../http/body-validator.ts';
import { time, problems, problemSchema } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';
import { idOf } from '../../http/path-ids.ts';
import { presenter } from '../../http/presenter.ts';
import { projectRoute, type ProjectCall, type Route } from '../../http/route.ts';
import { errorIdOf, integratedOnly, projectBackend } from '../shared/project-backend.ts';
import { nullablePerson } from './triage-schema.ts';

const linkedIssueSchema = objectSchema({
  title: 'LinkedIssue',
  properties: {
    id: { type: 'integer' },
    url: { type: 'string' },
    title: { type: 'string' },
    created_at: { ...time, description: 'Time at which it was linked' },
    user: { ...nullablePerson, description: 'Who linked it; null: an import' },
  },
});

const linkedIssuesSchema = { type: 'array', items: linkedIssueSchema } as const;

const newLinkedIssueSchema = {
  title: 'NewLinkedIssue',
  type: 'object',
  description: 'Links the issue at url, or with create makes one in the issue tracker of the project and links it',
  properties: {
    url: {
      type: 'string',
      maxLength: 1000,
      description: 'Address of an issue that exists; the same one is linked once',
    },
    create: { const: true, description: 'Makes an issue with title and description' },
    title: { type: 'string', maxLength: 200, description: 'With url: what is shown; absent: the address' },
    description: { type: 'string', maxLength: 30_000, description: 'With create: in Markdown' },
  },
} as const;

type NewLinkedIssue = FromSchema<typeof newLinkedIssueSchema>;

const PATH = '/api/v4/projects/:id/error_tracking/errors/:error_id/issues';
const IN_TRACKER = 'Issues of errors in a third-party tracker are linked there: use the tracker';

const present = presenter(linkedIssueSchema);
const validateNew = bodyValidator(newLinkedIssueSchema);

const invalid = (message: string): AppError => new AppError('invalid_parameter', message);

async function integrated(call: ProjectCall<unknown>) {
  return integratedOnly(await projectBackend(call), IN_TRACKER);
}

/** Returns a title in one line, cut to its maximum. */
function titleOf(text: string): string {
  if (!text.isWellFormed()) throw invalid('title is invalid');
  return text
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_ISSUE_TITLE);
}

/** Finds an issue by its address, which is checked. */
function existing({ url: text = '', title = '', description }: NewLinkedIssue): MadeIssue {
  if (description !== undefined) throw invalid('description is for create only');
  const url = text.trim();
  if (url === '') throw invalid('url is missing: give the address of an issue, or create');
  const problem = issueUrlProblem(url);
  if (problem !== null) throw invalid(`url ${problem}`);
  return { url: new URL(url).href, title: titleOf(title) || url.slice(0, MAX_ISSUE_TITLE) };
}

/** Makes an issue on the host; the error has room for it. */
async function made(
  { deps, project }: ProjectCall<unknown>,
  present: readonly LinkedIssue[],
  { url, title = '', description = '' }: NewLinkedIssue,
): Promise<MadeIssue> {
  if (url !== undefined) throw invalid('url and create cannot be combined');
  const asked = titleOf(title);
  if (asked === '') throw invalid('title is missing');
  if (description.includes('\0') || !description.isWellFormed()) throw invalid('description is invalid');
  if (present.length >= MAX_LINKED_ISSUES) {
    throw new AppError('conflict', `an error has at most ${MAX_LINKED_ISSUES} linked issues: remove one first`);
  }
  return deps.links.makeIssue(project.id, { title: asked, description });
}

async function presenterFor({ deps }: ProjectCall<unknown>, issues: readonly LinkedIssue[]) {
  const ids = [...new Set(issues.map(({ userId }) => userId).filter((id) => id !== null))];
  const people = await Promise.all(ids.map((id) => deps.store.userById(id)));
  const known = new Map<number | null, Person>(people.flatMap((user) => (user === null ? [] : [[user.id, user]])));
  return (issue: LinkedIssue) => present({ ...issue, createdAt: issue.at, user: known.get(issue.userId) ?? null });
}

export const linkedIssueRoutes: readonly Route[] = [
  projectRoute({
    method: 'GET',
    path: PATH,
    operationId: 'listLinkedIssues',
    summary: 'List the issues on the host that belong to an error, at most 20 per error',
    action: 'read_errors',
    responses: { 200: { description: 'The issues, oldest first', schema: linkedIssuesSchema }, ...problems },
    async handle(call) {
      const errors = await integrated(call);
      const issues = await errors.linkedIssues(call.project, errorIdOf(call));
      return { status: 200, body: issues.map(await presenterFor(call, issues)) };
    },
  }),
  projectRoute({
    method: 'POST',
    path: PATH,
    operationId: 'addLinkedIssue',
    summary: 'Link an issue on the host to an error, or make one there and link it',
    action: 'update_errors',
    audit: IN_ACTIVITY,
    body: newLinkedIssueSchema,
    responses: {
      201: { description: 'The linked issue', schema: linkedIssueSchema },
      ...problems,
      409: { description: 'The error has the maximum of linked issues', schema: problemSchema },
      502: { description: 'The host refused, or did not answer', schema: problemSchema },
    },
    async handle(call) {
      const errors = await integrated(call);
      const { project, principal } = call;
      const errorId = errorIdOf(call);
      const body = validateNew(call.rawParameters);
      const present = await errors.linkedIssues(project, errorId);
      const issue = body.create === true ? await made(call, present, body) : existing(body);
      const linked = await errors.linkIssue(project, errorId, issue, principal.user.id).catch((error: unknown) => {
        if (body.create !== true || !(error instanceof AppError)) throw error;
        const message = `the issue was made at ${issue.url}, but it is not linked: ${error.message}. Link it by its address`;
        throw new AppError('issue_host_failed', message);
      });
      return { status: 201, body: (await presenterFor(call, [linked]))(linked) };
    },
  }),
  projectRoute({
    method: 'DELETE',
    path: `${PATH}/:issue_id`,
    operationId: 'removeLinkedIssue',
    summary: 'Remove the link from an error to an issue; the issue stays on the host',
    action: 'update_errors',
    audit: IN_ACTIVITY,
    responses: { 204: { description: 'The link is removed' }, ...problems },
    async handle(call) {
      const errors = await integrated(call);
      const id = idOf(call.path.issue_id);
      if (id === null) throw new AppError('not_found', 'the error has no such linked issue');
      await errors.unlinkIssue(call.project, errorIdOf(call), id, call.principal.user.id);
      return { status: 204, body: null };
    },
  }),
];
