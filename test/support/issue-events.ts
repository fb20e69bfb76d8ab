import { createHmac } from 'node:crypto';
import { parseWebhookSecret } from '../../src/lib/standard-webhooks.ts';

/** Address of an issue, as GitLab sends it. */
export const issueUrl = (number: number): string => `https://git.test/group/sub/shop/-/issues/${number}`;

export interface IssueEventOptions {
  readonly action?: string | null;
  readonly number?: number;
  readonly at: number;
  readonly attributes?: object;
  readonly more?: object;
}

/** An event of issues in the form of GitLab 18. `at`: time of the change. */
export function makeIssueEvent({ action = 'close', number = 12, at, attributes = {}, more = {} }: IssueEventOptions) {
  const state = action === 'close' ? 'closed' : 'opened';
  return {
    object_kind: 'issue',
    event_type: 'issue',
    user: { id: 1, name: 'Administrator', username: 'root', email: '[REDACTED]' },
    project: { id: 5, web_url: 'https://git.test/group/sub/shop', path_with_namespace: 'group/sub/shop' },
    object_attributes: {
      ...{
        id: 301,
        title: 'The shop\nis down',
        project_id: 5,
        description: 'long',
        state_id: action === 'close' ? 2 : 1,
      },
      ...{ confidential: false, moved_to_id: null, duplicated_to_id: null, type: 'Issue', iid: number, state },
      ...{ updated_at: new Date(at).toISOString(), url: issueUrl(number) },
      ...(action === null ? {} : { action }),
      ...attributes,
    },
    labels: [],
    changes: {},
    repository: { name: 'shop', url: 'git@git.test:group/sub/shop.git' },
    ...more,
  };
}

/** Signs as GitLab does: the HMAC of id, time and body. */
export function signedHeaders(body: string, secret: string, id: string, seconds: number): Record<string, string> {
  const key = parseWebhookSecret(secret);
  if (key === null) throw new TypeError('the secret is malformed');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` };
}
