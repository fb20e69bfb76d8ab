import type { IssueTrackerDraft } from '../../../domain/ports/link-setup.ts';
import type { SourceRepository } from '../../../domain/projects/project-links.ts';
import { CHANGES_NOTHING } from '../../http/audit/audit-rule.ts';
import { bodyValidator } from '../../http/body-validator.ts';
import { problems, problemSchema } from '../../http/common-schema.ts';
import { presenter } from '../../http/presenter.ts';
import { projectRoute, type Route } from '../../http/route.ts';
import {
  linksSchema,
  putLinksSchema,
  testIssueTrackerSchema,
  trackerTestSchema,
  type PutLinks,
  type TestIssueTracker,
} from './links-schema.ts';
import { linksTarget } from './audit-targets.ts';

const PATH = '/api/v4/projects/:id/error_tracking/links';

const presentLinks = presenter(linksSchema);
const validateLinks = bodyValidator(putLinksSchema);
const validateTracker = bodyValidator(testIssueTrackerSchema);

function repositoryOf(given: NonNullable<PutLinks['repository']>): SourceRepository {
  return {
    urlTemplate: given.url_template.trim(),
    defaultRef: given.default_ref.trim(),
    refTemplate: (given.ref_template ?? '').trim(),
    prefixes: (given.prefixes ?? []).map(({ from, to }) => ({ from, to })),
  };
}

function trackerOf(given: TestIssueTracker): IssueTrackerDraft {
  return {
    kind: given.kind,
    newIssueUrl: (given.new_issue_url ?? '').trim(),
    apiUrl: given.api_url?.trim() || null,
    project: given.project?.trim() || null,
    // An empty field of a form means that the stored token stays.
    ...(given.token === undefined || given.token?.trim() === '' ? {} : { token: given.token }),
  };
}

export const linkRoutes: readonly Route[] = [
  projectRoute({
    method: 'GET',
    path: PATH,
    operationId: 'getLinks',
    summary: 'Read where the sources and issues of a project are; the token of the issue tracker is never shown',
    action: 'read_links',
    responses: { 200: { description: 'The links; null: not set', schema: linksSchema }, ...problems },
    async handle({ deps, project }) {
      return { status: 200, body: presentLinks(await deps.links.links(project.id)) };
    },
  }),
  projectRoute({
    method: 'PUT',
    path: PATH,
    operationId: 'putLinks',
    summary: 'Set where the sources and issues of a project are',
    action: 'update_links',
    audit: { event: 'links_changed', target: linksTarget },
    body: putLinksSchema,
    jsonOnly: true,
    responses: { 200: { description: 'The links', schema: linksSchema }, ...problems },
    async handle({ deps, project, rawParameters }) {
      const { repository, issue_tracker: tracker } = validateLinks(rawParameters);
      const saved = await deps.links.save(project.id, {
        repository: repository === null ? null : repositoryOf(repository),
        issueTracker: tracker === null ? null : trackerOf(tracker),
      });
      return { status: 200, body: presentLinks(saved) };
    },
  }),
  projectRoute({
    method: 'POST',
    path: `${PATH}/test`,
    operationId: 'testIssueTracker',
    summary: 'Check an issue tracker and its token, else the stored one, without making or saving anything',
    action: 'update_links',
    audit: CHANGES_NOTHING,
    body: testIssueTrackerSchema,
    jsonOnly: true,
    responses: {
      200: { description: 'The token works', schema: trackerTestSchema },
      ...problems,
      502: { description: 'The host refused, or did not answer', schema: problemSchema },
    },
    async handle({ deps, project, rawParameters, signal }) {
      const draft = trackerOf(validateTracker(rawParameters));
      return { status: 200, body: { message: await deps.links.test(project.id, draft, signal) } };
    },
  }),
];
