/** Why an address is refused by its form alone, before anybody thinks about where it leads. */

const MAX_HOST_CHARACTERS = 1024;
const MAX_SAVED_CHARACTERS = 255;

/** What a stored address of a tracker may look like at most; the reasons are told as `Api url …`. */
export const TOO_LONG = `is too long (maximum is ${MAX_SAVED_CHARACTERS} characters)`;

export function isTooLong(address: string): boolean {
  return address.length > MAX_SAVED_CHARACTERS;
}

/** The text in quotes, everything beyond printable ASCII written as `\u00E4` or `\u{1F600}`. */
function dump(text: string): string {
  const escaped = Array.from(text).map((character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0x20 && code < 0x7f) return character === '"' || character === '\\' ? `\\${character}` : character;
    const hex = code.toString(16).toUpperCase();
    return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
  });
  return `"${escaped.join('')}"`;
}

/** The host as written, before the parser of addresses makes one of many spellings out of it. */
function writtenHost(address: string): string {
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(address)?.[1] ?? '';
  return authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '');
}

/** Null when the form is fine; then `new URL(address)` cannot throw. */
export function formRefusal(address: string): string | null {
  if (/<[a-z!/?]/i.test(address)) return 'HTML/CSS/JS tags are not allowed';
  if (/[\u0000-\u0020\u007f\\]/.test(address)) return 'URI is invalid';
  if (/[^\u0000-\u007f]/.test(address)) return `URI must be ascii only ${dump(address)}`;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase();
  if (scheme !== 'http' && scheme !== 'https') return 'Only allowed schemes are http, https';
  const host = writtenHost(address);
  if (host.length > MAX_HOST_CHARACTERS) return `Host is too long (maximum is ${MAX_HOST_CHARACTERS} characters)`;
  if (host === '' || !/^([a-z0-9]|\[[0-9a-f:])/i.test(host)) return 'Hostname or IP address invalid';
  if (!URL.canParse(address)) return host.includes('%') ? 'Hostname or IP address invalid' : 'URI is invalid';
  const { username, password } = new URL(address);
  // A user in the address would travel as a second credential, and stand in logs and answers.
  return username === '' && password === '' && !/^[^/]*\/\/[^/?#]*@/.test(address) ? null : 'User info is not allowed';
}
