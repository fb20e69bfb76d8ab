/** First path segments that the routes of the gateway use. */
const RESERVED = new Set(['-', 'admin', 'api', 'assets', 'errortracking', 'users']);
const MAX_PATH_LENGTH = 255;

const GROUP_PATH = `Use group or group/subgroup: letters, digits, "_", "." and "-"; not first ${[...RESERVED].join(', ')}.`;

/**
 * Describes the problem of a full project path, or null for a valid one: `group/name` or deeper. The API addresses
 * projects by path only with a group.
 */
export function projectPathProblem(path: string): string | null {
  const segments = path.split('/');
  const plain = segments.every(
    (part) => /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(part) && !/\.(git|atom|json)$/i.test(part),
  );
  if (segments.length < 2 || !plain || path.length > MAX_PATH_LENGTH) {
    return 'Use group/name (deeper groups are fine): letters, digits, "_", "." and "-".';
  }
  if (RESERVED.has((segments[0] ?? '').toLowerCase())) {
    return `The first part must not be one of ${[...RESERVED].join(', ')}.`;
  }
  return null;
}

/** Describes the problem of a full path of a group, or null for a valid one. Digits alone would be read as an id. */
export function groupPathProblem(path: string): string | null {
  if (/^\d+$/.test(path)) return 'Use a name that is not digits alone.';
  // What is good before a name of a project is a good group.
  return projectPathProblem(`${path}/x`) === null ? null : GROUP_PATH;
}

/** Control characters, which no address, name or template of one line has. Parsers of addresses drop some of them. */
const CONTROL = /\p{Cc}/u;

/** True for a text with a control character, such as a line break. */
export function hasControl(text: string): boolean {
  return CONTROL.test(text);
}

/** Maximum characters of an e-mail address. */
const MAX_EMAIL = 254;

/** Describes the problem of an e-mail address, or null for a usable one: one `@` between visible characters. */
export function emailProblem(email: string): string | null {
  if (email.length <= MAX_EMAIL && !hasControl(email) && /^[^\s@<>,;:"()]+@[^\s@<>,;:"()]+$/.test(email)) return null;
  return 'Use an address such as name@example.org.';
}

/** Describes the problem of a username, or null for a valid one. Digits alone would be read as a user id. */
export function usernameProblem(username: string): string | null {
  if (/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}$/.test(username) && !/^\d+$/.test(username)) return null;
  return 'Use letters, digits, "_", "." and "-", and not digits alone.';
}
