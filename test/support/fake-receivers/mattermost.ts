import {
  asList,
  asObject,
  asText,
  checked,
  type FakeReceiver,
  type Json,
  onlyMembers,
  Refused,
  showMarkdown,
} from './receiver.ts';

const MAX_POST = 16_383;
const ATTACHMENT = ['fallback', 'color', 'pretext', 'text', 'title', 'title_link', 'fields', 'footer'];

function read(body: string): { message: Json; attachments: Json[] } {
  const message = asObject(JSON.parse(body), 'Unable to parse incoming data.');
  onlyMembers(message, ['text', 'username', 'icon_url', 'channel', 'attachments', 'props', 'type'], 'Unable to parse');
  asText(message['text'], MAX_POST, 'No text specified.');
  const attachments = asList(message['attachments'] ?? [], 'Unable to parse').map((one) =>
    asObject(one, 'Unable to parse'),
  );
  for (const attachment of attachments) {
    onlyMembers(attachment, ATTACHMENT, 'Unable to parse');
    asText(attachment['fallback'], MAX_POST, 'fallback is required');
    if (!/^#[0-9a-f]{6}$/.test(String(attachment['color']))) throw new Refused(400, 'color');
  }
  if (JSON.stringify(message).length > MAX_POST) throw new Refused(400, 'The post is too long.');
  return { message, attachments };
}

/** Incoming webhook of Mattermost, after docs.mattermost.com on incoming webhooks and message attachments. */
export const fakeMattermost: FakeReceiver = {
  answer: ({ body }) =>
    checked(() => {
      read(body);
      return { status: 200, body: 'ok' };
    }),
  show(body) {
    const { message, attachments } = read(body);
    const parts = attachments.flatMap(({ fallback, title, text, footer }) => [fallback, title, text, footer ?? '']);
    const shown = showMarkdown([message['text'], ...parts].map(String).join('\n'));
    return { ...shown, links: [...shown.links, ...attachments.map((attachment) => String(attachment['title_link']))] };
  },
};
