import { EMAIL, IP, MAC, URL } from './address-patterns.ts';
import { DATE } from './date-patterns.ts';
import { HOSTNAME } from './hostname-pattern.ts';
import { FILE, FOLDER, RELATIVE_FILE } from './path-patterns.ts';
import { DURATION, NUMBER, SIZE, VERSION } from './quantity-patterns.ts';
import { HEX, ID, POD, TOKEN, USER_AGENT } from './token-patterns.ts';
import { BARE_VALUE, BOOLEAN, QUOTED } from './value-patterns.ts';

/** End of a long token; `_` may follow, as in `job_<uuid>_done`. */
const END = '(?![A-Za-z0-9])';

/**
 * Kinds of variable text by priority; each is replaced with its name in angle brackets. Every repetition is bounded.
 * Patterns of one kind share a placeholder: a host by name or address, a number whole or not.
 */
export const PARAMETERS: readonly (readonly [kind: string, pattern: string])[] = [
  ['quoted', QUOTED],
  ['email', EMAIL],
  ['url', URL],
  ['user_agent', USER_AGENT],
  ['path', FILE],
  ['path', FOLDER],
  ['path', RELATIVE_FILE],
  ['host', HOSTNAME],
  ['host', IP],
  ['mac', MAC],
  // W3C trace context, and the trace header of a cloud's load balancers.
  ['traceparent', `00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}${END}|1-[0-9a-f]{8}-[0-9a-f]{24}${END}`],
  ['uuid', `[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}${END}`],
  ['sha1', `[0-9a-fA-F]{40}${END}`],
  ['md5', `[0-9a-fA-F]{32}${END}`],
  ['date', DATE],
  ['duration', DURATION],
  ['size', SIZE],
  ['swift_txn_id', 'tx[0-9a-z]{21}-[0-9a-z]{10}[\\w-]{0,64}'],
  ['pod', POD],
  ['token', TOKEN],
  ['hex', HEX],
  ['id', ID],
  ['git_sha', `(?<!_)(?=[a-f]{0,6}\\d)(?=\\d{0,6}[a-f])[0-9a-f]{7}(?!\\w)`],
  ['version', VERSION],
  ['number', NUMBER],
  ['bool', BOOLEAN],
  ['value', BARE_VALUE],
];
