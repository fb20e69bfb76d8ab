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

const INVALID = '{"message": "Invalid Form Body", "code": 50035}';
const EMBED = ['title', 'url', 'description', 'color', 'timestamp', 'fields', 'footer'];

function read(body: string): { message: Json; embeds: Json[] } {
  const message = asObject(JSON.parse(body), INVALID);
  onlyMembers(message, ['content', 'embeds', 'allowed_mentions', 'username', 'flags'], INVALID);
  const embeds = asList(message['embeds'] ?? [], INVALID).map((embed) => asObject(embed, INVALID));
  if (message['content'] === '' && embeds.length === 0) {
    throw new Refused(400, '{"message": "Cannot send an empty message", "code": 50006}');
  }
  asText(message['content'], 2000, INVALID);
  if (embeds.length > 10) throw new Refused(400, INVALID);
  let sum = 0;
  for (const embed of embeds) {
    onlyMembers(embed, EMBED, INVALID);
    sum += asText(embed['title'], 256, INVALID).length;
    if (embed['description'] !== '') sum += asText(embed['description'], 4096, INVALID).length;
    const { color, timestamp } = embed;
    if (!Number.isInteger(color) || (color as number) > 0xffffff) throw new Refused(400, INVALID);
    if (Number.isNaN(Date.parse(String(timestamp)))) throw new Refused(400, INVALID);
  }
  if (sum > 6000) throw new Refused(400, INVALID);
  return { message, embeds };
}

/** Webhook of Discord, after discord.com/developers/docs/resources/webhook. */
export const fakeDiscord: FakeReceiver = {
  answer: ({ body, path }) =>
    checked(() => {
      read(body);
      return path.includes('wait=true') ? { status: 200, body: '{"id":"1"}' } : { status: 204, body: '' };
    }),
  show(body) {
    const { message, embeds } = read(body);
    const shown = showMarkdown(
      [message['content'], ...embeds.map((embed) => embed['description'])].map(String).join('\n'),
    );
    const allowed = asObject(message['allowed_mentions'], INVALID)['parse'];
    const rings = Array.isArray(allowed) && allowed.length === 0 ? [] : ['everyone'];
    return {
      links: [...shown.links, ...embeds.map((embed) => String(embed['url']))],
      mentions: [...shown.mentions, ...rings],
      text: shown.text,
    };
  },
};
