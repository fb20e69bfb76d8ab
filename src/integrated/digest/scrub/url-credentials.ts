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

/**
 * Replaces the user info of addresses in a text (RFC 3986 section 3.2.1): everything before the last `@` of the
 * authority. Also covers passwords with `@`, and with `/`, `?` or `#`, although these must be encoded. Keeps an `@` in
 * a path or a query, and a name without a password (`ssh://git@host`). Linear in the text.
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
    if (hasPassword) return PLACEHOLDERS.test(text.slice(colon + 1, at)) ? -1 : at;
    const user = text.slice(start, colon === at - 1 ? colon : at);
    const isToken = WEB.test(scheme) && !PUBLIC_USER.test(user) && !NO_TOKEN.test(user);
    return isToken && !PLACEHOLDERS.test(user) ? at : -1;
  }
  // `user:pass/word@host` has its `@` behind the authority; `host:80/@scope` has a port instead.
  if (colon < 0 || colon >= authorityEnd || text.charCodeAt(start) === 0x5b) return -1;
  const port = text.slice(colon + 1, authorityEnd);
  if (port !== '' && PLACEHOLDERS.test(port)) return -1;
  if (SERVICE.test(scheme)) {
    const query = PORT.test(port) ? text.indexOf('?', authorityEnd) : -1;
    return query < 0 || query > lastAt ? lastAt : -1;
  }
  return WEB.test(scheme) && !PORT.test(port) && !NO_TOKEN.test(port) ? lastAt : -1;
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
