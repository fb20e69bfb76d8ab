import { asList, asObject, asText, checked, type FakeReceiver, type Json, onlyMembers, Refused } from './receiver.ts';

const BLOCKS = 'invalid_blocks';
/** Sum of the text of all blocks that is still taken. */
const MAX_SUM = 13_200;
const STYLES = ['bold', 'italic', 'strike', 'code'];

interface Blocks {
  text: string[];
  links: string[];
}

function checkElement(value: unknown, seen: Blocks): void {
  const element = asObject(value, BLOCKS);
  const { type } = element;
  if (type === 'text') onlyMembers(element, ['type', 'text', 'style'], BLOCKS);
  else if (type === 'link') onlyMembers(element, ['type', 'text', 'url', 'style'], BLOCKS);
  else throw new Refused(400, `${BLOCKS}: ${String(type)}`);
  if (element['style'] !== undefined) onlyMembers(asObject(element['style'], BLOCKS), STYLES, BLOCKS);
  seen.text.push(asText(element['text'], 3000, BLOCKS));
  if (type === 'link') seen.links.push(asText(element['url'], 3000, BLOCKS));
}

function checkBlock(value: unknown, seen: Blocks): void {
  const block = asObject(value, BLOCKS);
  switch (block['type']) {
    case 'header': {
      const text = asObject(block['text'], BLOCKS);
      onlyMembers(text, ['type', 'text', 'emoji'], BLOCKS);
      if (text['type'] !== 'plain_text') throw new Refused(400, BLOCKS);
      seen.text.push(asText(text['text'], 150, BLOCKS));
      return;
    }
    case 'rich_text':
      for (const section of asList(block['elements'], BLOCKS)) {
        const { type, elements } = asObject(section, BLOCKS);
        if (type !== 'rich_text_section') throw new Refused(400, BLOCKS);
        for (const element of asList(elements, BLOCKS)) checkElement(element, seen);
      }
      return;
    default:
      throw new Refused(400, `${BLOCKS}: ${String(block['type'])}`);
  }
}

function read(body: string): { message: Json; seen: Blocks } {
  const message = asObject(JSON.parse(body), 'invalid_payload');
  onlyMembers(message, ['text', 'blocks', 'mrkdwn', 'unfurl_links', 'unfurl_media'], 'invalid_payload');
  asText(message['text'], 40_000, 'no_text');
  const seen: Blocks = { text: [], links: [] };
  const blocks = asList(message['blocks'], BLOCKS);
  if (blocks.length > 50) throw new Refused(400, BLOCKS);
  for (const block of blocks) checkBlock(block, seen);
  if (seen.text.join('').length > MAX_SUM) throw new Refused(400, 'msg_blocks_too_long');
  return { message, seen };
}

/** Incoming webhook of Slack, after api.slack.com/messaging/webhooks and /reference/block-kit. */
export const fakeSlack: FakeReceiver = {
  answer: ({ body }) =>
    checked(() => {
      read(body);
      return { status: 200, body: 'ok' };
    }),
  show(body) {
    const { message, seen } = read(body);
    const text = String(message['text']);
    // Without mrkdwn false the text of notifications would have formats; commands in `<…>` work in any case.
    const commands = text.match(/<[^>]*>/g) ?? [];
    const previews = message['unfurl_links'] === false && message['unfurl_media'] === false ? [] : ['preview'];
    return {
      links: [...seen.links, ...previews],
      mentions: [...commands, ...(message['mrkdwn'] === false ? [] : ['formats'])],
      text: [text, ...seen.text].join('\n'),
    };
  },
};
