import { FILTERED } from './filtered.ts';

/* Regular expressions of which a text must match one for the patterns below to be tried. */
export const CREDENTIAL_WORDS = '[Aa]uthorization|AUTHORIZATION';
export const CREDENTIAL_CHARACTERS =
  ':(?<=(?:[Cc]ookie|COOKIE)["\']?\\s{0,4}:)|--(?:pass|secret|token|api)|@(?:tcp|unix)\\(';

/** Credentials behind a scheme of RFC 9110, section 11.6.2, or behind an unregistered one. */
const AUTHORIZATION =
  /\b(authorization\\?["']?\]?\s{0,4}(?:=>|[:=,])\s{0,4}\\?["']?(?:basic|token|digest|apikey|negotiate|bearer)\s{1,4})(?![$%#{<[(]|\\?["'])(?:\\(?!["'])|[^\s"',;\\]){4,2048}/gi;
/** Cookies in a header: at least one pair of name and value. */
const COOKIE = /\b((?:set-)?cookie["']?\s{0,4}:\s{0,4}["']?)[\w.-]{1,256}=[^\r\n"']{1,4096}/gi;
/** Option of a command with its value, unless that is a placeholder or a word of a sentence. */
const OPTION =
  /(--(?:password|passwd|passphrase|secret|token|api-?key)(?:=|\s{1,4}))(?![-\s<[{($]|%[sd({]|#\{|(?:and|argument|cannot|flag|for|has|in|is|may|must|needs|nor|not|option|or|to|was|with)\b|(?:PASSWORD|PASS|SECRET|TOKEN|API_?KEY|KEY)\b)(?:\\(?!["'`])|[^\s"'`\\]){1,512}/g;
/** Address of the MySQL driver for Go: `user:password@tcp(host)/name`. */
const MYSQL_DSN = /(\b[\w.-]{1,64}:)[^\s:@/"']{1,256}(?=@(?:tcp|unix)\()/g;

/** Hides credentials in request headers, options of commands and database addresses that a text quotes. */
export function hideQuotedCredentials(text: string): string {
  return text
    .replace(AUTHORIZATION, `$1${FILTERED}`)
    .replace(COOKIE, `$1${FILTERED}`)
    .replace(OPTION, `$1${FILTERED}`)
    .replace(MYSQL_DSN, `$1${FILTERED}`);
}
