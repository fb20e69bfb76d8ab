import type { TrackerReply } from '../../../../src/thirdparty/http/answer.ts';
import type { TrackerRequest } from '../../../../src/thirdparty/http/client.ts';
import { Dialect } from '../../../../src/thirdparty/dialect/dialect.ts';
import type { TrackerSession } from '../../../../src/thirdparty/session.ts';
import { target } from './tracker.ts';

export type Answer = { readonly status?: number; readonly body?: unknown; readonly link?: string; readonly detail?: string }; // prettier-ignore

/** A session whose tracker answers as the script says; `asked` lists `METHOD /path?query`. */
export function scriptedSession(
  script: (path: string, query: URLSearchParams, method: string) => Answer,
  patch: Partial<TrackerSession> = {},
) {
  const asked: string[] = [];
  const request = async (_target: unknown, { path, query, method = 'GET' }: TrackerRequest): Promise<TrackerReply> => {
    const parameters = new URLSearchParams((query ?? []).map(([name, value]): [string, string] => [name, value]));
    asked.push(`${method} ${path}${parameters.size === 0 ? '' : `?${parameters.toString()}`}`);
    const { status = 200, body = null, link = null, detail = null } = script(path, parameters, method);
    return { status, ok: status >= 200 && status <= 204, body, link, detail };
  };
  const session: TrackerSession = {
    client: { request },
    target: target('https://tracker.example'),
    organization: 'acme',
    project: 'shop',
    projectId: '5',
    dialect: new Dialect(),
    ...patch,
  };
  return { session, asked, dialect: session.dialect };
}

export const issueBody = (id: number, patch: object = {}) => ({
  id: String(id),
  title: `issue ${id}`,
  status: 'unresolved',
  count: '1',
  project: { id: '5', slug: 'shop' },
  ...patch,
});
