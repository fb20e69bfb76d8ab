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

const BAD = 'TriggerInputSchemaMismatch';
const MAX_BYTES = 28 * 1024;
const RUN = ['type', 'text', 'weight', 'size', 'isSubtle', 'fontType', 'color', 'selectAction'];

interface Card {
  readonly text: string[];
  readonly links: string[];
  readonly markdown: string[];
}

function openUrl(value: unknown, card: Card): void {
  const action = asObject(value, BAD);
  onlyMembers(action, ['type', 'title', 'url'], BAD);
  if (action['type'] !== 'Action.OpenUrl') throw new Refused(400, BAD);
  card.links.push(asText(action['url'], 2048, BAD));
}

function checkRun(value: unknown, card: Card): void {
  const run = asObject(value, BAD);
  onlyMembers(run, RUN, BAD);
  if (run['type'] !== 'TextRun') throw new Refused(400, BAD);
  card.text.push(asText(run['text'], 28_000, BAD));
  if (run['selectAction'] !== undefined) openUrl(run['selectAction'], card);
}

function checkElement(value: unknown, card: Card): void {
  const element = asObject(value, BAD);
  if (element['type'] === 'TextBlock') {
    card.markdown.push(asText(element['text'], 28_000, BAD));
    return;
  }
  if (element['type'] !== 'RichTextBlock') throw new Refused(400, `${BAD}: ${String(element['type'])}`);
  onlyMembers(element, ['type', 'inlines', 'spacing', 'separator'], BAD);
  for (const run of asList(element['inlines'], BAD)) checkRun(run, card);
}

function read(body: string): Card {
  if (Buffer.byteLength(body) > MAX_BYTES) throw new Refused(413, 'RequestEntityTooLarge');
  const message: Json = asObject(JSON.parse(body), BAD);
  if (message['type'] !== 'message') throw new Refused(400, BAD);
  const card: Card = { text: [], links: [], markdown: [] };
  const attachments = asList(message['attachments'], BAD);
  if (attachments.length !== 1) throw new Refused(400, BAD);
  const { contentType, content } = asObject(attachments[0], BAD);
  if (contentType !== 'application/vnd.microsoft.card.adaptive') throw new Refused(400, BAD);
  const { type, version, body: elements, actions } = asObject(content, BAD);
  if (type !== 'AdaptiveCard' || version !== '1.4') throw new Refused(400, BAD);
  for (const element of asList(elements, BAD)) checkElement(element, card);
  for (const action of asList(actions, BAD)) openUrl(action, card);
  return card;
}

/** Workflow of Teams that posts an adaptive card, after learn.microsoft.com and adaptivecards.io/explorer. */
export const fakeTeams: FakeReceiver = {
  answer: ({ body }) =>
    checked(() => {
      read(body);
      return { status: 202, body: '' };
    }),
  show(body) {
    const { text, links, markdown } = read(body);
    const shown = showMarkdown(markdown.join('\n'));
    // Teams turns addresses with a scheme into links in any text.
    const bare = text.join('\n').match(/\b(?:https?:\/\/|www\.)\S+/gi) ?? [];
    return { links: [...links, ...shown.links, ...bare], mentions: shown.mentions, text: text.join('\n') };
  },
};
