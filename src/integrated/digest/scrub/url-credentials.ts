import { FILTERED } from './filtered.ts';

const MARK = '://';
/** Schemes whose user info without a colon is a token, not the name of an account. */
const WEB = /(?:^|[^a-z])(?:https?|wss?)$/i;
/** Schemes of services with sign-in. Behind their host an `@` ends a password with `/`; it is not part of a path. */
const SERVICE =
  /(?:^|[^a-z])(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|mssql|sqlserver|oracle|clickhouse|ldaps?|smtps?|imaps?|nats|mqtts?|kafka)(?:\+[a-z\d]{1,20})?$/i;
const LONGEST_SCHEME = 32;
/** Placeholders of a template, or values already hidden by another program. */
const PLACEHOLDERS = /^(?:%\w|%\(\w+\)s|[#$]?\{[^{}]{0,64}\}|\$\w+|[:*]|\[Filtered\])*$/;
/** Public account names. */
const PUBLIC_USER = /^(?:git|hg|svn|anonymous)$/;
/** Characters that show that user info without a colon is code or a list around an address. */
const NO_TOKEN = /["'`<>()[\]{},;\\]/;
/**
 * User info of an address without a scheme (RFC 3986 section 4.2): with a password, and no word that begins a comment.
 */
const WITHOUT_SCHEME =
  /\/\/(?<=(?:^|[\s"'`([{<=,;|>])\/\/)(?!(?:todo|fixme|hack|note|xxx|author|e?mail|mailto):)([\w.~%+-]{0,128}):([^\s/?#"'`<>]{1,256})@(?=[\w[$%{])/gi;
const PORT = /^(?:\d{0,5}|port)$/i;
/** End of an address, or begin of another one: an `@` behind it belongs to other text. */
const SEGMENT_END = /[\s<>]|["'`](?![a-z\d])|:\/\//gi;
/** Begin of a query. An `@` behind it ends no password. */
const QUERY = /[?&][\w.[\]-]{1,64}=/;
/** Maximum characters of a host with its port, and of one character behind it. */
const LONGEST_HOST = 320;
/** Text that may be a host, also one of a single word. */
const HOST = /^(?:[\w-][\w.-]{0,252}|\[[\da-f:.%]{2,64}\])(?::\d{0,5})?(?=[\s/?#,;)\]}"'`<>]|$)/i;
/** Text that is a host by its form: a domain, an IP address, or any name with a port. A version (`1.2.3`) is none. */
const SURE_HOST =
  /^(?:localhost|(?:[\w-]{1,63}\.){1,20}[a-z][a-z\d-]{1,62}|\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.%]{2,64}\]|[\w.-]{1,253}(?=:\d))(?::\d{0,5})?\.?(?=[\s/?#,;)\]}"'`<>]|$)/i;
/** Host of a service that is complete: with its port, or in brackets. */
const COMPLETE_HOST = /:\d{1,5}$|^\[/;

/**
 * Replaces the user info of addresses in a text (RFC 3986 section 3.2.1): everything before the last `@` of the
 * authority. Also covers passwords with `@`, and with `/`, `?` or `#`, although these must be encoded. Keeps an `@` in
 * a path or a query, and a name without a password (`ssh://git@host`). Linear in the text.
 *
 * A password with `@` and then `/` is ambiguous: `u:p@s/s@h` may have the path `s@h`. A later `@` ends it where a host
 * follows that `@`. With a service the first `@` must not be followed by a host with a port. With other addresses it
 * must not be followed by anything that has the form of a host.
 */
export function hideUrlCredentials(text: string): string {
  const slashes = text.indexOf('//');
  if (slashes < 0 || !text.includes('@', slashes)) return text;
  const hidden = text.replace(WITHOUT_SCHEME, (whole: string, _user: string, password: string) =>
    PLACEHOLDERS.test(password) ? whole : `//${FILTERED}@`,
  );
  return hideBehindScheme(hidden);
}

function hideBehindScheme(text: string): string {
  let mark = text.indexOf(MARK);
  if (mark < 0) return text;
  let out = '';
  let from = 0;
  let tokenEnd = 0;
  let lastAt = -1;
  while (mark >= 0) {
    const start = mark + MARK.length;
    if (start > tokenEnd) {
      tokenEnd = endOfToken(text, start);
      lastAt = lastAtWithin(text, start, tokenEnd);
    }
    // Without a further `@` in this token, none of its addresses has user info.
    const end = lastAt < start ? -1 : endOfUserInfo(text, mark, start, tokenEnd, lastAt);
    if (end >= 0) {
      out += text.slice(from, start) + FILTERED;
      from = end;
    }
    mark = text.indexOf(MARK, Math.max(start, end, lastAt < start ? tokenEnd : 0));
  }
  return from === 0 ? text : out + text.slice(from);
}

/** Returns the index of the `@` that ends user info to hide; -1 without one. */
function endOfUserInfo(text: string, mark: number, start: number, tokenEnd: number, lastAt: number): number {
  const authorityEnd = endOfAuthority(text, start, tokenEnd);
  const at = lastAtWithin(text, start, authorityEnd);
  const scheme = text.slice(Math.max(0, mark - LONGEST_SCHEME), mark);
  const colon = text.indexOf(':', start);
  if (at >= start) {
    const hasPassword = colon >= 0 && colon < at - 1;
    if (hasPassword) {
      if (PLACEHOLDERS.test(text.slice(colon + 1, at))) return -1;
      return Math.max(at, laterEnd(text, at, authorityEnd, scheme));
    }
    const user = text.slice(start, colon === at - 1 ? colon : at);
    if (PUBLIC_USER.test(user) || NO_TOKEN.test(user) || PLACEHOLDERS.test(user)) return -1;
    // `bob@mail.example:pass/word@host` has a username with `@`.
    const later = isPlainHost(text.slice(at + 1, authorityEnd)) ? -1 : laterEnd(text, at, authorityEnd, scheme);
    return later < 0 && WEB.test(scheme) ? at : later;
  }
  // `user:pass/word@host` has its `@` behind the authority; `host:80/@scope` has a port instead.
  if (colon < 0 || colon >= authorityEnd || text.charCodeAt(start) === 0x5b) return -1;
  const port = text.slice(colon + 1, authorityEnd);
  if (port !== '' && PLACEHOLDERS.test(port)) return -1;
  if (SERVICE.test(scheme)) return PORT.test(port) ? atOfSegment(text, authorityEnd) : lastAt;
  return WEB.test(scheme) && !PORT.test(port) && !NO_TOKEN.test(port) ? lastAt : -1;
}

/** True for a host with or without a port; false where other text follows its colon. */
function isPlainHost(host: string): boolean {
  const colon = host.indexOf(':');
  if (colon < 0 || host.startsWith('[')) return true;
  const port = host.slice(colon + 1);
  return PORT.test(port) || PLACEHOLDERS.test(port);
}

/** Returns the `@` behind the authority that ends a password with `@` and `/`; -1 where the authority has its end. */
function laterEnd(text: string, at: number, authorityEnd: number, scheme: string): number {
  const later = atOfSegment(text, authorityEnd);
  if (later < 0) return -1;
  const host = text.slice(at + 1, authorityEnd);
  const following = text.slice(later + 1, later + 1 + LONGEST_HOST);
  if (SERVICE.test(scheme)) return !COMPLETE_HOST.test(host) && HOST.test(following) ? later : -1;
  // Scopes of packages begin with `/@`.
  const isScope = text[later - 1] === '/';
  return !isScope && !SURE_HOST.test(host) && SURE_HOST.test(following) ? later : -1;
}

/** Returns the last `@` of an address behind its authority and before its query; -1 without one. */
function atOfSegment(text: string, authorityEnd: number): number {
  SEGMENT_END.lastIndex = authorityEnd;
  const end = SEGMENT_END.exec(text)?.index ?? text.length;
  const query = text.slice(authorityEnd, end).search(QUERY);
  return lastAtWithin(text, authorityEnd, query < 0 ? end : authorityEnd + query);
}

/** Returns the last `@` between `start` and `end`; -1 without one. */
function lastAtWithin(text: string, start: number, end: number): number {
  const at = text.slice(start, end).lastIndexOf('@');
  return at < 0 ? -1 : start + at;
}

function endOfAuthority(text: string, start: number, tokenEnd: number): number {
  for (let at = start; at < tokenEnd; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x2f || code === 0x3f || code === 0x23) return at;
  }
  return tokenEnd;
}

/** Finds the end of an address: a blank, or a quotation mark without a letter or digit behind it. */
function endOfToken(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 0x20) return at;
    if ((code === 0x22 || code === 0x27 || code === 0x60 || code === 0x3e) && !isWord(text.charCodeAt(at + 1)))
      return at;
  }
  return text.length;
}

function isWord(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}
