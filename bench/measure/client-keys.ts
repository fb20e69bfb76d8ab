import type { Service } from './service.ts';
import type { Target } from './wrk.ts';

export const PROJECTS = 50;
export const KEYS = 500;

/** Milliseconds within which the service takes new keys. */
const KNOWN_MS = 10_000;

/** Creates the projects and keys of the load through the API; returns where their SDKs would send. */
export async function addClientKeys({ port, first }: Service): Promise<Target[]> {
  const send = async (method: string, path: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v4/projects${path}`, {
      method,
      headers: { 'PRIVATE-TOKEN': first.token, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  const targets: Target[] = [];
  for (let project = 1; project <= PROJECTS; project += 1) {
    const { id } = await send('POST', '', { path: `bench/project-${project}` });
    await send('PUT', `/${String(id)}/error_tracking/settings`, { active: true, integrated: true });
    for (let key = 0; key < KEYS / PROJECTS; key += 1) {
      const { public_key } = await send('POST', `/${String(id)}/error_tracking/client_keys`, {});
      targets.push({ path: `/errortracking/api/v1/projects/api/${String(id)}/store/`, key: String(public_key) });
    }
  }
  await Promise.all(targets.map((target) => known(port, target)));
  return targets;
}

/** Waits until the service knows the key: it refuses a broken body, but not the key. */
async function known(port: number, { path, key }: Target): Promise<void> {
  const until = performance.now() + KNOWN_MS;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}?sentry_key=${key}`, { method: 'POST', body: '{' });
    const text = await answer.text();
    if (answer.status === 400 || answer.status === 200) return;
    if (performance.now() > until) throw new Error(`a new key was refused with ${answer.status}: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
