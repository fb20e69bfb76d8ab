import { AppError } from '../../domain/app-error.ts';
import type { TrackerForm } from '../../domain/ports/tracker-setup.ts';
import { definedMembers } from '../../lib/defined-members.ts';
import { checkOffered, saveSettings } from '../api/projects/save-settings.ts';
import { problems, problemSchema } from '../http/common-schema.ts';
import { answerFor } from '../http/http-errors.ts';
import { projectRoute, type ProjectCall, type Reply, type Route } from '../http/route.ts';
import {
  operationsAnswerSchema,
  operationsBodySchema,
  readOperations,
  type OperationsForm,
} from './operations-schema.ts';
import { settingsTarget } from '../api/projects/audit-targets.ts';

/**
 * Converts the page's form, which is complete: a missing member is blank. A partial request may contain only the
 * switches.
 */
function trackerForm({ attributes, project, whole }: OperationsForm): TrackerForm {
  const switches = definedMembers({ active: attributes.enabled, integrated: attributes.integrated });
  if (!whole) return switches;
  return {
    ...switches,
    apiHost: attributes.api_host ?? '',
    token: attributes.token ?? '',
    project: {
      slug: project?.slug ?? '',
      name: project?.name ?? '',
      organizationSlug: project?.organization_slug ?? '',
      organizationName: project?.organization_name ?? '',
      thirdpartyProjectId: project?.thirdparty_project_id ?? project?.sentry_project_id ?? '',
    },
  };
}

function refusal(status: number, message: string): Reply {
  return { status, body: { status: 'error', message } };
}

async function save(call: ProjectCall<unknown>): Promise<Reply> {
  const { deps, project } = call;
  const read = readOperations(call.rawParameters);
  if (!read.ok) return refusal(400, read.problems.join(', '));
  const form = trackerForm(read.form);
  checkOffered(call, form.integrated);
  const before = await deps.store.settings(project.id);
  await saveSettings(call, before, deps.trackers.draft(project.id, before, form));
  return { status: 200, body: { status: 'success' } };
}

/** Codes of refusals that are sent in the form of the page. */
const SPOKEN = new Set(['bad_request', 'integrated_not_offered']);

export const operationsRoutes: readonly Route[] = [
  projectRoute({
    surface: 'web',
    method: 'PATCH',
    path: '/*project_path/-/settings/operations{.json}',
    operationId: 'webSaveOperations',
    summary: 'Save the form of the settings page',
    action: 'update_settings',
    audit: { event: 'settings_changed', target: settingsTarget },
    body: operationsBodySchema,
    responses: {
      200: { description: 'Saved', schema: operationsAnswerSchema },
      400: {
        description: 'The reason why the settings were not saved; with `error` if the body is not JSON',
        schema: { anyOf: [operationsAnswerSchema, problemSchema] },
      },
      401: problems[401],
      404: { description: 'Not visible to the user (empty body), or the integrated backend is not offered' },
    },
    async handle(call) {
      try {
        return await save(call);
      } catch (error) {
        if (!(error instanceof AppError) || !SPOKEN.has(error.code)) throw error;
        return refusal(answerFor(error).status, error.message);
      }
    },
  }),
];
