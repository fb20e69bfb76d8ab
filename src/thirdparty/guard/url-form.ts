/** Refuses addresses by their syntax, before resolution. */

const MAX_HOST_CHARACTERS = 1024;
const MAX_SAVED_CHARACTERS = 255;

/** Limits of stored addresses; messages begin with `Api url …`. */
export const TOO_LONG = `is too long (maximum is ${MAX_SAVED_CHARACTERS} characters)`;

export function isTooLong(address: string): boolean {
  return address.length > MAX_SAVED_CHARACTERS;
}

/** Quotes the text; characters beyond printable ASCII become `\u00E4` or `\u{1F600}`. */
function dump(text: string): string {
  const escaped = Array.from(text).map((character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0x20 && code < 0x7f) return character === '"' || character === '\\' ? `\\${character}` : character;
    const hex = code.toString(16).toUpperCase();
    return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
  });
  return `"${escaped.join('')}"`;
}

/** Returns the host as written, before the URL parser normalises it. */
function writtenHost(address: string): string {
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(address)?.[1] ?? '';
  return authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '');
}

/**
 * Returns the reason for refusing an address by its form; null for a valid one. Then `new URL(address)` does not throw.
 */
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
  // Credentials in the address would be sent and appear in logs and responses.
  return username === '' && password === '' && !/^[^/]*\/\/[^/?#]*@/.test(address) ? null : 'User info is not allowed';
}
