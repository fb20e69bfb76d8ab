/** `@` and a username, not within a word such as an e-mail address. */
const MENTION = /(?<![\w.@-])@([\w](?:[\w.-]*[\w])?)/g;

export interface NotePart {
  readonly text: string;
  /** Whether it names a member. */
  readonly mention: boolean;
}

/** Splits a note into text and mentions of members. `isMember`: checks a username in lower case. */
export function noteParts(text: string, isMember: (username: string) => boolean): NotePart[] {
  const parts: NotePart[] = [];
  let end = 0;
  for (const { 0: whole, 1: name = '', index } of text.matchAll(MENTION)) {
    if (!isMember(name.toLowerCase())) continue;
    if (index > end) parts.push({ text: text.slice(end, index), mention: false });
    parts.push({ text: whole, mention: true });
    end = index + whole.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), mention: false });
  return parts;
}

/** Mention that is being written. */
export interface OpenMention {
  /** Index of its `@`. */
  readonly start: number;
  /** Its letters so far, in lower case. */
  readonly prefix: string;
}

/** Finds the mention that ends at the caret; null without one. */
export function openMention(text: string, caret: number): OpenMention | null {
  const match = /(?<![\w.@-])@([\w.-]{0,60})$/.exec(text.slice(0, caret));
  return match === null ? null : { start: match.index, prefix: (match[1] ?? '').toLowerCase() };
}
