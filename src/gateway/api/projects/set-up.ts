import { AppError } from '../../../domain/app-error.ts';
import { servedByIntegrated } from '../../../domain/projects/settings-rules.ts';
import { problems, problemSchema } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';
import { projectRoute, type ProjectCall, type Reply, type Route } from '../../http/route.ts';

const testEventSchema = objectSchema({
  title: 'TestEvent',
  properties: { event_id: { type: 'string', description: 'Id of the event, which can be read shortly' } },
});

const BASE = '/api/v4/projects/:id/error_tracking';

/** Converts an error of the intake, which addresses SDKs, to one of the API. */
function toApiError(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'ingest_unavailable') return error;
  const { message, retryAfterSeconds } = error;
  return new AppError('store_unavailable', message, {
    cause: error,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

async function send({ deps, project }: ProjectCall<unknown>): Promise<Reply> {
  const settings = await deps.store.settings(project.id);
  if (settings?.active !== true) throw new AppError('tracking_disabled', 'error tracking is not enabled');
  if (!servedByIntegrated(settings, deps.integratedOffered)) {
    throw new AppError(
      'bad_request',
      'The errors of this project are in an external tracker: send a test event there.',
    );
  }
  const key = (await deps.store.listKeys(project.id)).find(({ active }) => active);
  if (key === undefined) throw new AppError('conflict', 'The project has no active client key: create one first.');
  try {
    const eventId = await deps.sendTestEvent({ projectId: project.id, keyId: key.id });
    return { status: 201, body: { event_id: eventId } };
  } catch (error) {
    throw toApiError(error);
  }
}

export const setUpRoutes: readonly Route[] = [
  projectRoute({
    method: 'POST',
    path: `${BASE}/test_event`,
    operationId: 'sendTestEvent',
    summary: 'Send a test event as an SDK would, and return its id',
    action: 'send_test_event',
    audit: { not: 'sends an event, as SDKs do' },
    responses: {
      201: { description: 'The event was accepted and can be read shortly', schema: testEventSchema },
      ...problems,
      409: { description: 'There is no active client key', schema: problemSchema },
      429: { description: 'A rate limit was exceeded', schema: problemSchema },
      503: { description: 'Events cannot be stored now', schema: problemSchema },
    },
    handle: send,
  }),
];
