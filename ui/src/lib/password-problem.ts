/** Minimum and maximum characters of a password; the service has the same. */
const MIN_PASSWORD = 8;
const MAX_PASSWORD = 128;

/**
 * Message about a new password that the service would refuse for its length or the username; empty otherwise. Nothing
 * is said of the first characters, so that a message never comes while they are typed.
 */
export function passwordProblem(password: string, username: string): string {
  if (password.length > MAX_PASSWORD) return `Too long: at most ${MAX_PASSWORD} characters.`;
  if (password.length < MIN_PASSWORD) return '';
  return password.toLowerCase() === username.toLowerCase() ? 'Choose one that differs from your username.' : '';
}
