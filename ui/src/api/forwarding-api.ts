import { ApiFailure } from './api-failure.ts';
import { answered, api } from './client.ts';
import type { components } from './schema.d.ts';

export type Forwarding = components['schemas']['Forwarding'];

const PATH = '/api/v4/projects/{id}/error_tracking/forwarding';
const on = (project: string) => ({ params: { path: { id: project } } });

/** Reads where the project forwards to; null when it forwards nothing. */
export async function getForwarding(project: string): Promise<Forwarding | null> {
  try {
    return (await answered(api.GET(PATH, on(project)))).data;
  } catch (error) {
    if (error instanceof ApiFailure && error.kind === 'missing') return null;
    throw error;
  }
}

/** Absent members keep their stored value. */
interface ForwardingDraft {
  readonly dsn?: string;
  /** RFC 3339, or `never`. */
  readonly until?: string;
}

export async function saveForwarding(project: string, body: ForwardingDraft): Promise<Forwarding> {
  return (await answered(api.PUT(PATH, { ...on(project), body }))).data;
}

/** Ends forwarding; what waits is dropped. */
export async function removeForwarding(project: string): Promise<void> {
  await answered(api.DELETE(PATH, on(project)));
}
