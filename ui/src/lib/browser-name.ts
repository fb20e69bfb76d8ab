import Bowser from 'bowser';

/** Names of systems as their makers write them today, where the library has another one. */
const SYSTEMS: Readonly<Record<string, string>> = { 'Chrome OS': 'ChromeOS' };

/**
 * Returns how people call a browser, such as "Firefox on Linux", of its user agent. A program that is no browser has
 * the first word of its text; null and text that names nothing: "Unknown browser".
 */
export function browserName(userAgent: string | null): string {
  const text = userAgent?.trim() ?? '';
  if (text === '') return 'Unknown browser';
  const parser = Bowser.getParser(text);
  const system = parser.getOSName();
  if (system === '') return text.split(/[\s/(]/, 1)[0] || 'Unknown browser';
  const browser = parser.getBrowserName() || 'Unknown browser';
  return `${browser} on ${SYSTEMS[system] ?? system}`;
}
