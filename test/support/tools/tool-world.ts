import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildOnce } from '../cli-process.ts';
import { startFrontProxy } from '../front-proxy.ts';
import { startServiceProcess } from '../service-process.ts';
import type { ProcessStore, StoreKind } from '../test-stores.ts';
import { openToolSandbox, type ToolSandbox } from './tool-sandbox.ts';

/** Project whose builds upload, with what people enter in their build. */
export interface ToolProject {
  readonly id: number;
  readonly dsn: string;
  readonly organization: string;
  readonly name: string;
  /** Token for builds of this project. */
  readonly token: string;
}

/** Service that tools upload to. */
export interface ToolWorld {
  /** External address. */
  readonly url: string;
  /** Address for `sentry-cli` and plugins that run it: they accept no path. */
  readonly rootUrl: string;
  readonly folder: string;
  readonly sandbox: ToolSandbox;
  /** Calls the REST API as the administrator. */
  api(method: string, path: string, body?: object): Promise<unknown>;
  /** Makes a project with a repository of its sources. */
  givenProject(name: string): Promise<ToolProject>;
  close(): Promise<void>;
}

/** Path of the other site, which passes requests of `sentry-cli` on, as docs/source-maps.md says. */
const SUB_PATH = '/errgate';
const ALSO = '/api/0/';

/** Starts a service; `belowPath`: whether it is below a path of another site. */
export async function openToolWorld(kind: StoreKind, belowPath: boolean): Promise<ToolWorld> {
  await buildOnce();
  const folder = mkdtempSync(join(tmpdir(), 'errgate-tools-'));
  const store: ProcessStore = kind.forProcesses();
  const front = await startFrontProxy(belowPath ? SUB_PATH : '', ALSO);
  const service = await startServiceProcess(join(folder, 'data'), { ...store.env, ERRGATE_EXTERNAL_URL: front.url });
  front.to(service.url);
  const sandbox = await openToolSandbox(folder);
  const api = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${front.url}/api/v4/${path}`, {
      method,
      headers: { 'PRIVATE-TOKEN': service.first.token, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    assert.ok(answer.ok, `${method} ${path} answered ${answer.status}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
  return {
    url: front.url,
    rootUrl: new URL(front.url).origin,
    folder,
    sandbox,
    api,
    async givenProject(name) {
      const { id } = (await api('POST', 'projects', { path: `demo/${name}` })) as { id: number };
      const tracking = `projects/${id}/error_tracking`;
      await api('PUT', `${tracking}/settings`, { active: true, integrated: true });
      const repository = {
        ...{ url_template: 'https://github.com/acme/shop/blob/{ref}/{path}#L{line}', default_ref: 'main' },
        ...{ ref_template: '', prefixes: [] },
      };
      await api('PUT', `${tracking}/links`, { repository, issue_tracker: null });
      const key = (await api('POST', `${tracking}/client_keys`, {})) as { thirdparty_dsn: string };
      const { token } = (await api('POST', `projects/${id}/access_tokens`, { name: 'ci', scopes: ['ci'] })) as {
        token: string;
      };
      return { id, dsn: key.thirdparty_dsn, organization: 'demo', name, token };
    },
    async close() {
      await sandbox.close();
      assert.equal(await service.end('SIGTERM'), 0);
      await front.close();
      rmSync(folder, { recursive: true, force: true });
      await store.remove();
    },
  };
}
