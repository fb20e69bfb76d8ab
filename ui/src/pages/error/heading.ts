import { visibleText } from '../../lib/visible-text.ts';

/** Heading of an error: its type, and its message below. */
export interface Heading {
  readonly type: string;
  /** Empty: the error has no message besides its type. */
  readonly message: string;
}

/** Maximum of characters of each part. */
const MAX_PART = 4_000;

interface Titled {
  readonly title: string;
  readonly type: string | null;
  readonly message: string | null;
}

/** Splits the title of an error. The message is whole, where the title has only its beginning. */
export function headingOf({ title, type, message }: Titled): Heading {
  const shown = (text: string) => visibleText(text.slice(0, MAX_PART));
  if (type === null || type === '' || !title.startsWith(type)) return { type: shown(title), message: '' };
  const rest = title.slice(type.length).replace(/^:?\s*/, '');
  // A message of other words than the title says something else, such as the name of a logger in some trackers.
  const full = (message ?? '').trim();
  const begin = rest.replace(/(\.{3}|…)$/, '');
  const whole = full.startsWith(begin) ? full : rest;
  return { type: shown(type), message: whole === '' || rest === '' ? '' : shown(whole) };
}
