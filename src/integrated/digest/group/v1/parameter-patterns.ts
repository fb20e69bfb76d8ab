import { EMAIL, FOLDER, IP, MAC, URL } from './address-patterns.ts';
import { DATE } from './date-patterns.ts';
import { HOSTNAME } from './hostname-pattern.ts';

/** Behind long tokens; `_` may follow, as in `job_<uuid>_done`. */
const END = '(?![A-Za-z0-9])';
/** Behind numbers; a unit of bytes may follow. */
const NUMBER_END = '(?:(?!\\w)|(?=[kKMGTP]?i?B(?!\\w)))';
/** A minus sign belongs to the number unless it joins words: `-5`, but `item-5`. */
const NUMBER_START = '(?:(?<![\\w)\\]-])-)?(?<!\\w)';
const THOUSANDS = '\\d{1,3}(?:,\\d{3}){1,6}';

/** Kinds of variable text in their priority; each becomes its name in angle brackets. Every repetition is bounded. */
export const PARAMETERS: readonly (readonly [kind: string, pattern: string])[] = [
  ['email', EMAIL],
  ['url', URL],
  ['path', FOLDER],
  ['hostname', HOSTNAME],
  ['ip', IP],
  ['mac', MAC],
  // W3C trace context, and the trace header of a cloud's load balancers.
  ['traceparent', `00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}${END}|1-[0-9a-f]{8}-[0-9a-f]{24}${END}`],
  ['uuid', `[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}${END}`],
  ['sha1', `[0-9a-fA-F]{40}${END}`],
  ['md5', `[0-9a-fA-F]{32}${END}`],
  ['date', DATE],
  ['duration', '(?<!\\w)(?:\\d{1,10}(?:\\.\\d{1,10})?(?:ns|us|[µμ]s|ms|secs?|mins?|hrs?|s|m|h)){1,4}(?!\\w)'],
  ['swift_txn_id', 'tx[0-9a-z]{21}-[0-9a-z]{10}[\\w-]{0,64}'],
  // Figures alone are an integer, however many; behind `@` stands an object's identity hash.
  [
    'hex',
    `0[xX][0-9a-fA-F]{1,128}${END}|(?=\\d{0,127}[a-f])(?=[a-f]{0,127}\\d)[0-9a-f]{8,128}${END}` +
      `|(?=\\d{0,127}[A-F])(?=[A-F]{0,127}\\d)[0-9A-F]{8,128}${END}|\\d{21,128}${END}` +
      `|(?<=\\w@)(?=[a-f]{0,7}\\d)[0-9a-f]{5,8}${END}`,
  ],
  // Ids of 62 or 32 signs, as ULID and the like: letters and figures change places at least three times.
  ['id', `(?=[A-Za-z]{0,24}\\d{1,24}[A-Za-z]{1,24}\\d{1,24}[A-Za-z])[A-Za-z0-9]{20,64}${END}`],
  ['git_sha', `(?<!_)(?=[a-f]{0,6}\\d)(?=\\d{0,6}[a-f])[0-9a-f]{7}(?!\\w)`],
  [
    'float',
    `${NUMBER_START}(?:${THOUSANDS}|\\d{1,20})(?:\\.\\d{1,20}(?:[eE][+-]?\\d{1,4})?|[eE][+-]?\\d{1,4})${NUMBER_END}`,
  ],
  // Behind `_` too, as in `order_17`, unless the two make the name of a format or code.
  [
    'int',
    `${NUMBER_START}(?:${THOUSANDS}|\\d{1,20})${NUMBER_END}|(?<=[A-Za-z]_)(?<!(?:sha|utf|int|float|md|latin|err|http)_)\\d{1,20}${END}`,
  ],
  ['quoted_str', `(?<==)[bu]?(?:'(?:[^'\\\\\\n]|\\\\.){0,1024}'|"(?:[^"\\\\\\n]|\\\\.){0,1024}")`],
  ['bool', '(?<==)(?:[tT]rue|[fF]alse|TRUE|FALSE)(?!\\w)'],
];
