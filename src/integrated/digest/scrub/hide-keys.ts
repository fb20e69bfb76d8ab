import { FILTERED } from './filtered.ts';

/**
 * Key of a DSN, also with escaped slashes in JSON (once or more), and percent-encoded as a parameter. All repeats are
 * bounded, so that matching stays linear.
 */
const DSN =
  /(https?(?::|%3[Aa])(?:\\{0,8}\/|%2[Ff]){2})\w{1,255}?(?::\w{0,255}?)?(?=(?:@|%40)(?:[\w.:[\]-]|%3[Aa]){1,255}?(?:(?:\\{0,8}\/|%2[Ff])[\w.~-]{1,100}?){0,20}?(?:\\{0,8}\/|%2[Ff])\d)/g;
/** Keys of this service in any surroundings. In code, names like `triglet_added` have fewer hex digits. */
const OWN_KEY = /glet_[0-9a-f]{16,255}|(?<![a-z])glet_[0-9a-f]{6,255}/gi;
/** Key as parameter, in a header, as member of an object or as pair. */
const KEY_PARAMETER = /(sentry_key(?:=|%3[Dd]|\\{0,8}["'] ?[:,] ?\\{0,8}["']))\w{1,255}/g;
/** End of `sentry_key`. It begins with a rare letter, so searching for it takes a quarter of the time of the whole. */
const END_OF_NAME = 'y_key';

/**
 * Hides client keys in a text, or in a whole JSON text, which stays JSON. Readers of events need not have the keys, but
 * source lines, variables and configurations contain them. No setting turns this off.
 */
export function hideKeys(text: string): string {
  // Searching for plain text is cheap, even in a large event.
  let hidden = text.includes('@') || text.includes('%40') ? text.replace(DSN, `$1${FILTERED}`) : text;
  hidden = hidden.includes('glet_') ? hidden.replace(OWN_KEY, FILTERED) : hidden;
  return hidden.includes(END_OF_NAME) ? hidden.replace(KEY_PARAMETER, `$1${FILTERED}`) : hidden;
}
