/** Behind long tokens; `_` may follow, as in `job_<uuid>_done`. */
const END = '(?![A-Za-z0-9])';
/** Letters that names made by an orchestrator consist of: no vowels, nothing that looks like something else. */
const SAFE = '[bcdfghjklmnpqrstvwxz2456789]';

/** What follows a name in the names of pods: the hash of the set and five signs, or the five signs alone with a figure. */
export const POD =
  `(?<=[a-z0-9]-)(?=[a-z]{0,9}\\d)[bcdfghjklmnpqrstvwxz\\d]{5,10}-${SAFE}{5}(?![\\w-])` +
  `|(?<=[a-z0-9]-)(?=[a-z]{0,4}\\d)(?=\\d{0,4}[a-z])${SAFE}{5}(?![\\w-])`;

const JWT = 'eyJ[\\w-]{6,4096}\\.[\\w-]{2,4096}(?:\\.[\\w-]{0,4096})?';
const BASE64 = '(?=[a-z0-9+/]{0,200}[A-Z])(?=[A-Z0-9+/]{0,200}[a-z])[A-Za-z0-9+/]{16,4096}={1,2}(?![\\w=])';

/** Tokens behind the name of their scheme. */
export const BEARER = '(?<=[Bb]earer |[Bb]asic )[\\w.~+/-]{8,4096}={0,2}';
/** Tokens of three parts as JWT, and text in base 64 that shows its padding; `long-tokens.ts` finds them. */
export const LONG_TOKEN = `${JWT}|${BASE64}`;
export const TOKEN = `${LONG_TOKEN}|${BEARER}`;

/**
 * Runs of signs that end as a long token must end. Only there a long token can begin: at most 4,099 signs
 * before the end of the run, the most that its pattern takes.
 */
export const LONG_TOKEN_RUNS: readonly RegExp[] = [
  /(?<![\w-])[\w-]{9,}(?=\.[\w-]{2})/g,
  /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{16,}(?=={1,2}(?![\w=]))/g,
];
export const LONG_TOKEN_REACH = 4099;

/** What browsers and clients call themselves. */
export const USER_AGENT =
  'Mozilla/\\d\\.\\d \\([^()\\n]{1,300}\\)(?: (?:[\\w.]{1,40}/[\\w.]{1,40}|\\([^()\\n]{1,200}\\)|Mobile|like Gecko)){0,12}';

/**
 * Ids of 62, 36 or 32 signs, such as ULID: letters and figures change places at least three times; short ones
 * in capitals too. Behind capitals of a series six figures or more belong to them: `INV2024001`.
 */
export const ID =
  `(?=[A-Za-z]{0,24}\\d{1,24}[A-Za-z]{1,24}\\d{1,24}[A-Za-z])[A-Za-z0-9]{12,512}${END}` +
  `|(?=[A-Z]{0,12}\\d{1,12}[A-Z]{1,12}\\d)(?=[A-Z0-9]{0,12}[A-Z]\\d{1,12}[A-Z]|\\d)[A-Z0-9]{6,20}${END}` +
  `|[A-Z]{1,6}\\d{6,20}${END}`;

export const HEX =
  `0[xX][0-9a-fA-F]{1,128}${END}|(?=\\d{0,127}[a-f])(?=[a-f]{0,127}\\d)[0-9a-f]{8,128}${END}` +
  `|(?=\\d{0,127}[A-F])(?=[A-F]{0,127}\\d)[0-9A-F]{8,128}${END}|\\d{21,128}${END}` +
  // Behind `@` stands an object's identity hash.
  `|(?<=\\w@)(?=[a-f]{0,7}\\d)[0-9a-f]{5,8}${END}`;
