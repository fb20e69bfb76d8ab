/** First path segments that are routes of the gateway. */
const RESERVED = new Set(['-', 'admin', 'api', 'assets', 'errortracking', 'users']);
const MAX_PATH_LENGTH = 255;

/**
 * What is wrong with a full project path, in a sentence; null when it will do: `group/name` or deeper. Without a
 * group a project could not be addressed by path in the API.
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

/** What is wrong with a username; null when it will do. Digits alone would be mistaken for a user's id. */
export function usernameProblem(username: string): string | null {
  if (/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}$/.test(username) && !/^\d+$/.test(username)) return null;
  return 'Use letters, digits, "_", "." and "-", and not digits alone.';
}
