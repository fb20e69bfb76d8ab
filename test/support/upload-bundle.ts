import assert from 'node:assert/strict';
import { formOf, sha1 } from './build-tools.ts';
import type { StartedService } from './service-process.ts';

/** Uploads a bundle to the first project of a service, as build tools do. */
export async function uploadBundle(
  { url, first }: Pick<StartedService, 'url' | 'first'>,
  bundle: Buffer,
  members: { readonly version?: string; readonly dist?: string } = {},
): Promise<void> {
  const authorization = `Bearer ${first.token}`;
  const base = `${url}/api/0/organizations/${first.project_path.split('/')[0] ?? ''}`;
  const [checksum, projects] = [sha1(bundle), [String(first.project_id)]];
  const assemble = async () => {
    const answer = await fetch(`${base}/artifactbundle/assemble/`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ checksum, chunks: [checksum], projects, ...members }),
    });
    return (await answer.json()) as { state: string; detail: string | null };
  };
  const before = await assemble();
  if (before.state === 'not_found') {
    const { body, contentType } = formOf([{ name: 'file', filename: checksum, content: bundle }]);
    const sent = await fetch(`${base}/chunk-upload/`, {
      method: 'POST',
      headers: { authorization, 'content-type': contentType },
      body: new Uint8Array(body),
    });
    assert.equal(sent.status, 200, await sent.text());
  }
  const { state, detail } = await assemble();
  assert.equal(state, 'ok', detail ?? '');
}
