import { cleanText, cutText } from '../lib/clean-text.ts';
import { parseExactJson } from '../lib/json-exact-numbers.ts';
import { isRecord } from '../lib/own-property.ts';
import { trackerError } from './tracker-errors.ts';

/** An HTTP answer as it came, its body decompressed. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** An answer that could be read: a success with JSON, or a refusal with whatever the tracker says about it. */
export interface TrackerReply {
  readonly status: number;
  /** 200 to 204. Everything else is for the caller to judge; see `refused`. */
  readonly ok: boolean;
  /** Parsed JSON; null for an empty 204, and for a refusal that is not JSON. */
  readonly body: unknown;
  /** The `Link` header; null when there is none. */
  readonly link: string | null;
  /** What the tracker says is wrong, in one line without the token; null for successes and silent refusals. */
  readonly detail: string | null;
  /** Where a redirect leads, in one line without query and fragment; absent where it does not say. */
  readonly location?: string;
  /** Present where a refusal looks like that of a login in front of the tracker. */
  readonly isLogin?: true;
}

const MAX_DETAIL_CHARACTERS = 300;
const LOGIN_PATH = /login|auth|sso|oauth/i;
const JSON_TYPE = /^application\/([a-z0-9.-]+\+)?json\b/i;

export function header(answer: Pick<RawAnswer, 'headers'>, name: string): string | null {
  const value = answer.headers[name];
  if (value === undefined) return null;
  return Array.isArray(value) ? value.join(', ') : value;
}

function parsed(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}

/** The words in whichever shape trackers put them: text, list of problems, object with a message, map of fields. */
function words(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(words).join('; ');
  if (!isRecord(value)) return '';
  if (typeof value.msg === 'string') {
    return Array.isArray(value.loc) ? `${value.loc.join('.')}: ${value.msg}` : value.msg;
  }
  const spoken = value.detail ?? value.message ?? value.error ?? value.info;
  if (spoken !== undefined) return words(spoken);
  return Object.entries(value)
    .filter(([, problem]) => typeof problem === 'string' || Array.isArray(problem))
    .map(([field, problem]) => `${field}: ${words(problem)}`)
    .join('; ');
}

/** A tracker's text as it may stand in a sentence. */
export function oneLine(text: string, maxCharacters: number): string {
  return cutText(
    cleanText(text)
      .replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ')
      .trim(),
    maxCharacters,
  );
}

function detailOf(body: unknown, token: string): string | null {
  const text = oneLine(words(body), Infinity);
  const hidden = token === '' ? text : text.replaceAll(token, '[hidden]');
  return hidden === '' ? null : cutText(hidden, MAX_DETAIL_CHARACTERS);
}

/** Origin and path only: the rest may hold what is meant for one visitor. */
function locationOf(answer: RawAnswer, host: string, token: string): URL | null {
  const location = header(answer, 'location');
  const base = `http://${host}/`;
  if (answer.status < 300 || answer.status >= 400 || location === null || !URL.canParse(location, base)) return null;
  const url = new URL(location, base);
  return token !== '' && url.href.includes(token) ? null : url;
}

const isPage = (answer: RawAnswer): boolean =>
  /html/i.test(header(answer, 'content-type') ?? '') || /^\s*</.test(answer.body);

/** What redirects and pages of a login tell about themselves. */
function asLogin(answer: RawAnswer, host: string, token: string): Pick<TrackerReply, 'location' | 'isLogin'> {
  const refusesPeople = answer.status === 401 || answer.status === 403;
  if (refusesPeople) return isPage(answer) ? { isLogin: true } : {};
  const url = locationOf(answer, host, token);
  if (url === null) return {};
  const location = oneLine(url.origin + url.pathname, MAX_DETAIL_CHARACTERS);
  const elsewhere = url.hostname !== new URL(`http://${host}/`).hostname;
  return { location, ...(elsewhere || LOGIN_PATH.test(url.pathname) ? { isLogin: true } : {}) };
}

function notJson(answer: RawAnswer, host: string): Error {
  const html = isPage(answer);
  const what = html
    ? `${host} answered with a web page instead of data: is a login page or a proxy in between, or is this not the tracker's address?`
    : `${host} answered with something that is not JSON: check that this is the tracker's address`;
  return trackerError('tracker_invalid_answer', what, 'Third-party API response is not JSON', {
    status: answer.status,
    reason: html ? 'html' : 'not_json',
  });
}

/** Throws `tracker_invalid_answer` for a success that is not JSON. `token` is kept out of `detail`. */
export function readAnswer(answer: RawAnswer, host: string, token: string): TrackerReply {
  const { status } = answer;
  const ok = status >= 200 && status <= 204;
  const link = header(answer, 'link');
  const isJson = JSON_TYPE.test(header(answer, 'content-type') ?? '');
  if (!ok) {
    const body = isJson ? (parsed(answer.body) ?? null) : null;
    return { status, ok, body, link, detail: detailOf(body, token), ...asLogin(answer, host, token) };
  }
  if (status === 204) return { status, ok, body: null, link, detail: null };
  const body = isJson ? parsed(answer.body) : undefined;
  if (body === undefined) throw notJson(answer, host);
  return { status, ok, body, link, detail: null };
}
