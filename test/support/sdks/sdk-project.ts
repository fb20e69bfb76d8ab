import assert from 'node:assert/strict';
import type { StartedService } from '../service-process.ts';

/** Project for the events of one program. */
export interface SdkProject {
  readonly dsn: string;
  /** Path of its errors in the REST API. */
  readonly errors: string;
}

/** Creates a project with this path on a running service. */
export async function givenSdkProject(service: StartedService, path: string): Promise<SdkProject> {
  const ask = async (address: string, method: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${service.url}/api/v4/projects${address}`, {
      method,
      headers: { 'PRIVATE-TOKEN': service.first.token, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.ok(answer.ok, `${address} answered ${answer.status}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  const { id } = await ask('', 'POST', { path });
  const base = `/${String(id)}/error_tracking`;
  await ask(`${base}/settings`, 'PUT', { active: true, integrated: true });
  const { thirdparty_dsn: dsn } = await ask(`${base}/client_keys`, 'POST', {});
  assert.equal(typeof dsn, 'string');
  return { dsn: dsn as string, errors: `/api/v4/projects${base}/errors` };
}
