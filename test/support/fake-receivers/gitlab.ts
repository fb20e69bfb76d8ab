import { asObject, asText, checked, type FakeReceiver, type Json, Refused, showMarkdown } from './receiver.ts';

const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info', 'unknown'];

function read(body: string): Json {
  const alert = asObject(JSON.parse(body), 'Bad Request');
  asText(alert['title'], 200, 'title');
  asText(alert['description'], 1000, 'description');
  asText(alert['service'], 100, 'service');
  asText(alert['monitoring_tool'], 100, 'monitoring_tool');
  asText(alert['fingerprint'], 255, 'fingerprint');
  if (!SEVERITIES.includes(String(alert['severity']))) throw new Refused(400, 'severity');
  if (Number.isNaN(Date.parse(String(alert['start_time'])))) throw new Refused(400, 'start_time');
  return alert;
}

/** Alert endpoint of GitLab, after docs.gitlab.com on alert integrations. */
export function fakeGitlab(token: string): FakeReceiver {
  return {
    answer: ({ body, headers }) =>
      checked(() => {
        if (headers.authorization !== `Bearer ${token}`) throw new Refused(401, 'Unauthorized');
        return { status: 200, body: JSON.stringify([{ iid: 1, title: read(body)['title'] }]) };
      }),
    show(body) {
      const { title, description } = read(body);
      const shown = showMarkdown(String(description));
      // An incident made of the alert runs quick actions, which begin a line.
      const actions = String(description).match(/^\/\w+/gm) ?? [];
      const inTitle = String(title).match(/(?<![\p{L}\p{N}_])@[\w.-]+/gu) ?? [];
      return {
        ...shown,
        mentions: [...shown.mentions, ...actions, ...inTitle],
        text: `${String(title)}\n${shown.text}`,
      };
    },
  };
}
