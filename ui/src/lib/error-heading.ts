import { shortType } from './short-type.ts';
import { visibleExcerpt } from './visible-text.ts';

/** Maximum of characters shown of each part; more than one line of any screen. */
const MAX_SHOWN = 400;

/** What an error is called in a list. */
export interface ErrorHeading {
  /** Type with shortened packages, or the whole title of an error without a type. */
  readonly lead: string;
  /** Message beside the type; empty without a type or a message. */
  readonly message: string;
  /** Whole title, for tooltips and labels. */
  readonly title: string;
}

interface Titled {
  readonly title: string;
  readonly type: string | null;
  readonly message: string | null;
}

/** Splits the title of an error into its type and its message. Titles that do not begin with the type stay whole. */
export function errorHeading({ title, type, message }: Titled): ErrorHeading {
  const whole = visibleExcerpt(title, MAX_SHOWN);
  if (type === null || type === '' || !title.startsWith(type)) return { lead: whole, message: '', title: whole };
  const rest = title.slice(type.length);
  if (rest !== '' && !rest.startsWith(': ')) return { lead: whole, message: '', title: whole };
  const cut = rest.slice(2);
  // The title has only the beginning of a long message.
  const full = (message ?? '').trim();
  const text = full.startsWith(cut.replace(/(?:…|\.\.\.)$/, '')) && cut !== '' ? full : cut;
  return {
    lead: visibleExcerpt(shortType(type), MAX_SHOWN),
    message: text === '' ? '' : visibleExcerpt(text, MAX_SHOWN),
    title: whole,
  };
}
