import { type ErrorWords, type MessageWords, moreInWords, type PartWords, repeatNote } from '../words.ts';
import type { ChatOptions } from './chat-options.ts';
import { fitted, jsonBytes, namedOf, SHOW_ALL } from './fit.ts';

/** Teams takes about 28 KB. */
const MAX_BYTES = 25_000;

/** A run of text that is shown as it is: unlike a TextBlock it does not read Markdown. */
interface TextRun {
  readonly type: 'TextRun';
  readonly text: string;
  readonly weight?: 'Bolder';
  readonly size?: 'Large';
  readonly isSubtle?: true;
  readonly fontType?: 'Monospace';
  readonly selectAction?: { readonly type: 'Action.OpenUrl'; readonly url: string };
}

interface RichTextBlock {
  readonly type: 'RichTextBlock';
  readonly inlines: readonly TextRun[];
  readonly spacing?: 'None';
  readonly separator?: true;
}

type Look = Omit<TextRun, 'type' | 'text'>;

const run = (text: string, look: Look = {}): TextRun => ({ type: 'TextRun', text, ...look });
const block = (
  inlines: readonly TextRun[],
  place: Pick<RichTextBlock, 'spacing' | 'separator'> = {},
): RichTextBlock => ({
  type: 'RichTextBlock',
  inlines,
  ...place,
});

function errorBlocks(error: ErrorWords): RichTextBlock[] {
  const under = { spacing: 'None' } as const;
  const label = run(error.label, { weight: 'Bolder', selectAction: { type: 'Action.OpenUrl', url: error.url } });
  return [
    block([label, ...(error.reason === null ? [] : [run(`, ${error.reason}`)])], { separator: true }),
    block([run(error.title, { fontType: 'Monospace' })], under),
    ...(error.message === null ? [] : [block([run(error.message, { fontType: 'Monospace' })], under)]),
    block([run([error.size, ...error.places].join(' · '), { isSubtle: true })], under),
  ];
}

function partBlocks(part: PartWords, isOne: boolean): RichTextBlock[] {
  const more = moreInWords(part, part.errors.length);
  return [
    ...(isOne ? [] : [block([run(part.headline, { weight: 'Bolder' })])]),
    ...(part.release === null ? [] : [block([run(`Release ${part.release}`)])]),
    ...part.errors.flatMap(errorBlocks),
    ...(more === null ? [] : [block([run(more)])]),
  ];
}

function card(words: MessageWords, named: number, repeat: string | null): object {
  const parts = namedOf(words.parts, named);
  const lines = [words.note, words.period].filter((line) => line !== null);
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: [
      block([run(words.headline, { weight: 'Bolder', size: 'Large' })]),
      ...lines.map((line) => block([run(line, { isSubtle: true })])),
      ...parts.flatMap((part) => partBlocks(part, parts.length === 1)),
      ...(repeat === null ? [] : [block([run(repeat, { isSubtle: true })])]),
    ],
    actions: parts.slice(0, 1).map(({ url }) => ({ type: 'Action.OpenUrl', title: SHOW_ALL, url })),
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  };
}

/** Body for a workflow of Teams: an adaptive card whose text is in runs, which show it as it is. */
export function teamsBody(words: MessageWords, { mayRepeat }: ChatOptions): object {
  const repeat = repeatNote(mayRepeat);
  return fitted(
    words,
    (named) => card(words, named, repeat),
    (built) => jsonBytes(built) <= MAX_BYTES,
  );
}
