import { FILTERED } from './filtered.ts';

/**
 * The key of a DSN: also where JSON escaped the slashes (once or more), and percent-encoded as a parameter. All repeats
 * are bounded, so that no text takes long.
 */
const DSN =
  /(https?(?::|%3[Aa])(?:\\{0,8}\/|%2[Ff]){2})\w{1,255}?(?::\w{0,255}?)?(?=(?:@|%40)(?:[\w.:[\]-]|%3[Aa]){1,255}?(?:(?:\\{0,8}\/|%2[Ff])[\w.~-]{1,100}?){0,20}?(?:\\{0,8}\/|%2[Ff])\d)/g;
/** Keys of this service, whatever stands around them. In code, names like `triglet_added` have fewer hex digits. */
const OWN_KEY = /glet_[0-9a-f]{16,255}|(?<![a-z])glet_[0-9a-f]{6,255}/gi;
/** As parameter, in a header, as member of an object or as pair. */
const KEY_PARAMETER = /(sentry_key(?:=|%3[Dd]|\\{0,8}["'] ?[:,] ?\\{0,8}["']))\w{1,255}/g;

/**
 * Hides the keys that let one send events in a text, or in all of a JSON text, which stays JSON: whoever may read events
 * need not be allowed to know them, and source lines, variables and configurations hold them. No setting turns this off.
 */
export function hideKeys(text: string): string {
  // Looking for plain text costs next to nothing, even in a large event.
  let hidden = text.includes('@') || text.includes('%40') ? text.replace(DSN, `$1${FILTERED}`) : text;
  hidden = hidden.includes('glet_') ? hidden.replace(OWN_KEY, FILTERED) : hidden;
  return hidden.includes('sentry_key') ? hidden.replace(KEY_PARAMETER, `$1${FILTERED}`) : hidden;
}
