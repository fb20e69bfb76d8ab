/** Parts of names with secret values, at any place in the name, in any case. */
const SENSITIVE_PART = /password|secret|passwd|api[_-]?key|auth|credentials|mysql_pwd|private[_-]?key|token/i;
const SENSITIVE_NAME = /^(?:otp|two[_-]factor)$/i;

/** Cookies of sessions and against forged requests, by whole name in lower case. */
const SENSITIVE_COOKIES = new Set(
  (
    'session __session sessionid user_session phpsessid symfony fasthttpsessionid sentrysid sudo su mysession ' +
    'irissessionid _vercel_jwt csrf xsrf _csrf _xsrf csrf-token csrf_token xsrf-token xsrf_token fastcsrf _iris_csrf ' +
    // Java servlets, Express, Rails and Laravel, ASP.NET, ColdFusion, Play, Django, Flask, Phoenix, PostHog, others.
    'jsessionid jsessionidsso connect.sid laravel_session asp.net_sessionid .aspxauth cfid cftoken play_session ' +
    'known_sign_in remember_me rememberme remember-me session_id session-id sess sid ssid'
  ).split(' '),
);
/** Endings of session cookies: `_gitlab_session`, `errgate_session`, `koa.sid`, `SSESSID`, `koa.sess.sig`. */
const SENSITIVE_COOKIE_END = /(?:[._-]session|sess(?:ion)?id|[._-]session[._-]?id|[._-]sid|[._-]sess|\.sig)$/;
/** Beginnings of session cookies: persistent sign-ins of Rails and Laravel, classic ASP. */
const SENSITIVE_COOKIE_START =
  /^(?:remember_|aspsessionid|wordpress_(?:logged_in|sec)_|\.aspnetcore\.(?:cookies|session|identity))/;
/** Prefix with a meaning for browsers (RFC 6265bis section 4.1.3); the name follows. */
const COOKIE_PREFIX = /^__(?:host|secure|http|host-http)-/;

/**
 * Maximum cached names per scrubber; above it all are dropped. Looking up a member of an event takes 22 ns in a map, 32
 * ns in an LRU cache.
 */
const MAX_REMEMBERED = 5000;
/** Maximum length of a cached name; longer ones are rare. */
const MAX_REMEMBERED_LENGTH = 64;

/** `safe`: the value stays and is not searched. `sensitive`: the whole value is replaced. */
export type FieldKind = 'plain' | 'sensitive' | 'safe';

/**
 * Creates a function that classifies fields by name. `sensitiveFields` and `safeFields` are whole names in any case;
 * safe wins. Caches results, because events repeat their names.
 */
export function createFieldKinds(
  sensitiveFields: readonly string[],
  safeFields: readonly string[],
): (name: string) => FieldKind {
  const sensitive = new Set(sensitiveFields.map((name) => name.toLowerCase()));
  const safe = new Set(safeFields.map((name) => name.toLowerCase()));
  const known = new Map<string, FieldKind>();
  const decide = (name: string): FieldKind => {
    const lower = name.toLowerCase();
    if (safe.has(lower)) {
      return 'safe';
    }
    return sensitive.has(lower) || SENSITIVE_PART.test(name) || SENSITIVE_NAME.test(name) ? 'sensitive' : 'plain';
  };
  return (name) => {
    let kind = known.get(name);
    if (kind === undefined) {
      kind = decide(name);
      if (name.length <= MAX_REMEMBERED_LENGTH) {
        if (known.size >= MAX_REMEMBERED) {
          known.clear();
        }
        known.set(name, kind);
      }
    }
    return kind;
  };
}

/** Returns true when a cookie of this name, in any case, grants access as its user. */
export function isSensitiveCookie(name: string): boolean {
  const lower = name.toLowerCase().replace(COOKIE_PREFIX, '');
  return SENSITIVE_COOKIES.has(lower) || SENSITIVE_COOKIE_END.test(lower) || SENSITIVE_COOKIE_START.test(lower);
}
