import type { ShownEvent } from './tracked-event.ts';

/** What looks as if it were written for a reader that obeys, not for a log. */
export const SUSPICIONS = [
  'shell command',
  'order to a reader',
  'section with a fix',
  'encoded text',
  'invisible characters',
  'imitation of a fence',
] as const;
export type Suspicion = (typeof SUSPICIONS)[number];

/** Part of an event, as marks name it. */
export const SUSPICIOUS_PARTS = [
  'message',
  'stack trace',
  'breadcrumbs',
  'tags',
  'contexts',
  'request',
  'release',
] as const;
export type SuspiciousPart = (typeof SUSPICIOUS_PARTS)[number];

/** `shell command in message`. */
export type SuspicionMark = `${Suspicion} in ${SuspiciousPart}`;

/** Characters of a text that are looked at. */
const MAX_TEXT = 10_000;
/**
 * Characters of a part of an event that are looked at, so that a large one costs milliseconds. Each part has its own: a
 * long message must not hide what stands in the tags.
 */
const MAX_PART = 20_000;

const TOOLS = 'npm|pnpm|yarn|bun|pip3?|pipx|uv|gem|cargo|brew|apt|apt-get|dnf|yum|apk|choco|winget|go|composer';

/** Words without which a pattern is not looked for: most texts have none of them, and are read fast. */
const WORDS: Partial<Readonly<Record<Suspicion, readonly string[]>>> = {
  'shell command': [
    ...[
      'curl',
      'wget',
      'npx',
      'uvx',
      'bunx',
      'pipx run',
      ' dlx',
      'install',
      ' add ',
      ' exec ',
      'sh -c',
      'rm -',
      'sudo',
    ],
    ...['invoke-', 'powershell', 'eval'],
  ],
  'order to a reader': [
    ...[
      'ignore',
      'disregard',
      'forget',
      'override',
      'system ',
      'developer ',
      'you are ',
      'agent',
      'assistant',
      'model',
    ],
    ...['do not ', 'never ', 'don', '<system', '</system', 'instruction', '_result', '[inst', '[/inst', '<|im_'],
  ],
  'section with a fix': [
    ...['resolution', 'remediation', 'fix', 'solution', 'workaround', 'next step', 'instruction', 'to resolve'],
    ...['execute the', 'run the'],
  ],
  'imitation of a fence': ['event-data'],
};

/** Each runs in a time that grows with the length of the text alone. */
const PATTERNS: Readonly<Record<Suspicion, RegExp>> = {
  'shell command': new RegExp(
    [
      '\\b(?:curl|wget)\\b[^\\n|]{0,120}\\|\\s{0,9}(?:sudo\\s{1,9})?(?:ba|z|da|k)?sh\\b',
      '\\b(?:npx|uvx|bunx|pipx run|pnpm dlx|yarn dlx)\\s{1,9}[\\w@.-]',
      `\\b(?:${TOOLS})\\s{1,9}(?:install|add|exec)\\s{1,9}[\\w@./-]`,
      '\\b(?:ba|z)?sh\\s{1,9}-c\\b',
      '\\brm\\s{1,9}-\\w{0,5}[rf]',
      '\\bsudo\\s{1,9}\\w',
      '\\bInvoke-(?:Expression|WebRequest)\\b|\\bpowershell(?:\\.exe)?\\s{1,9}-',
      '\\beval\\s{0,9}"?\\$\\(',
    ].join('|'),
    'i',
  ),
  'order to a reader': new RegExp(
    [
      '\\b(?:ignore|disregard|forget|override)\\b[^.\\n]{0,30}\\b(?:previous|prior|above|earlier|all|your)\\b[^.\\n]{0,20}\\b(?:instructions?|prompts?|rules?|context)\\b',
      '\\b(?:system|developer) (?:prompt|message|override)\\b',
      '\\byou are (?:now )?(?:an? )?(?:\\w{1,20} ){0,2}(?:agent|assistant|model|ai)\\b',
      '\\b(?:ai|coding|llm) (?:agents?|assistants?|models?)\\b[^.\\n]{0,40}\\b(?:must|should|please|need to|have to)\\b',
      '\\b(?:do not|don.t|never) (?:tell|inform|ask|mention to|warn) (?:the )?(?:user|human|developer)\\b',
      '</?(?:system|assistant|instructions?|tool_result|function_results?)\\b',
      '\\[/?INST\\]|<\\|im_(?:start|end)\\|>',
    ].join('|'),
    'i',
  ),
  'section with a fix':
    /(?:^|\n)\s{0,9}(?:#{1,6}\s{0,9}|\*\*|[-=]{2,9}\s{0,9})(?:recommended |suggested |required )?(?:resolution|remediation|fix|solution|workaround|next steps?|instructions?)\b|\b(?:to (?:fix|resolve) this(?: \w+)?,? (?:run|execute|install|open|visit|download)|(?:run|execute) the following)\b/i,
  'encoded text': /[A-Za-z0-9+/]{160,}={0,2}/,
  'invisible characters': /[\u{e0000}-\u{e007f}\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff]|[\u{e0100}-\u{e01ef}]/u,
  'imitation of a fence': /<{3}\s{0,9}event-data|event-data\s{0,9}>{3}/i,
};

type Looked = readonly (readonly [SuspiciousPart, Iterable<string | null>])[];

function has(what: Suspicion, text: string, inLowerCase: string): boolean {
  const words = WORDS[what];
  return (words === undefined || words.some((word) => inLowerCase.includes(word))) && PATTERNS[what].test(text);
}

function marksOf(parts: Looked): SuspicionMark[] {
  const marks: SuspicionMark[] = [];
  for (const [part, texts] of parts) {
    let left = MAX_PART;
    const looked: string[] = [];
    for (const text of texts) {
      if (left <= 0) break;
      if (text === null) continue;
      looked.push(text.slice(0, Math.min(MAX_TEXT, left)));
      left -= looked.at(-1)?.length ?? 0;
    }
    const whole = looked.join('\n');
    const lower = whole.toLowerCase();
    marks.push(...SUSPICIONS.filter((what) => has(what, whole, lower)).map((what) => `${what} in ${part}` as const));
  }
  return marks;
}

/** Names what looks suspicious in texts of one part. */
export function suspicionsIn(part: SuspiciousPart, texts: readonly (string | null)[]): SuspicionMark[] {
  return marksOf([[part, texts]]);
}

/** Texts within a value of any form, and names of members; bounded, because marksOf stops reading. */
function* textsIn(value: unknown, depth = 0): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null && depth < 6) {
    for (const [name, member] of Object.entries(value)) {
      if (!Array.isArray(value)) yield name;
      yield* textsIn(member, depth + 1);
    }
  }
}

function* framesOf({ exceptions, threads }: ShownEvent): Generator<string | null> {
  for (const { frames } of [...exceptions, ...threads]) {
    for (const frame of frames ?? []) {
      yield* [frame.function, frame.filename, frame.module, frame.context_line];
      yield* frame.pre_context;
      yield* frame.post_context;
    }
  }
}

/**
 * Names what in an event looks as if it were meant for a reader that obeys, such as a coding agent. A hint for people and
 * agents, not a filter: harmless events may have marks, and harmful ones none.
 */
export function suspicionsOf(event: ShownEvent): SuspicionMark[] {
  const { exceptions, message, logentry, transaction, breadcrumbs, tags, contexts, extra, request } = event;
  const { release, dist, environment, logger, server_name: server } = event;
  return marksOf([
    [
      'message',
      [message, logentry?.message ?? null, transaction, ...exceptions.flatMap(({ type, value }) => [type, value])],
    ],
    ['stack trace', framesOf(event)],
    [
      'breadcrumbs',
      breadcrumbs.flatMap((crumb) => [crumb.message, crumb.category, crumb.type, ...textsIn(crumb.data)]),
    ],
    ['tags', [environment, logger, server, ...tags.flatMap(({ key, value }) => [key, value])]],
    ['contexts', [...textsIn(contexts), ...textsIn(extra)]],
    ['request', request === null ? [] : [request.method, request.url, ...request.headers.flat()]],
    ['release', [release, dist]],
  ]);
}
