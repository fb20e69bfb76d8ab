import { cleanText, cutText } from '../../lib/text/clean-text.ts';
import { parseExactJson } from '../../lib/json/json-exact-numbers.ts';
import { isRecord } from '../../lib/own-property.ts';
import { trackerError } from './tracker-errors.ts';

/** HTTP response with its body decompressed. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Parsed response: a success with JSON, or a refusal with the explanation of the tracker. */
export interface TrackerReply {
  readonly status: number;
  /** True for 200 to 204. The caller handles other statuses; see `refused`. */
  readonly ok: boolean;
  /** Parsed JSON; null for an empty 204, and for a refusal that is not JSON. */
  readonly body: unknown;
  /** The `Link` header; null when there is none. */
  readonly link: string | null;
  /** Error text of the tracker in one line without the token; null for successes and refusals without text. */
  readonly detail: string | null;
  /** Target of a redirect in one line without query and fragment; absent when not given. */
  readonly location?: string;
  /** Present when a refusal looks like a login page in front of the tracker. */
  readonly isLogin?: true;
  /** The `Date` header in milliseconds: time of the answer by the tracker's clock; absent when missing or invalid. */
  readonly date?: number;
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

/** Extracts an error text from any form trackers use: text, list of problems, object with a message, map of fields. */
function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(plainText).join('; ');
  if (!isRecord(value)) return '';
  if (typeof value.msg === 'string') {
    return Array.isArray(value.loc) ? `${value.loc.join('.')}: ${value.msg}` : value.msg;
  }
  const message = value.detail ?? value.message ?? value.error ?? value.info;
  if (message !== undefined) return plainText(message);
  return Object.entries(value)
    .filter(([, problem]) => typeof problem === 'string' || Array.isArray(problem))
    .map(([field, problem]) => `${field}: ${plainText(problem)}`)
    .join('; ');
}

/** Formats a text of a tracker for use within a sentence. */
export function oneLine(text: string, maxCharacters: number): string {
  return cutText(
    cleanText(text)
      .replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ')
      .trim(),
    maxCharacters,
  );
}

function detailOf(body: unknown, token: string): string | null {
  const text = oneLine(plainText(body), Infinity);
  const hidden = token === '' ? text : text.replaceAll(token, '[hidden]');
  return hidden === '' ? null : cutText(hidden, MAX_DETAIL_CHARACTERS);
}

/** Returns origin and path only: the rest may be confidential. */
function locationOf(answer: RawAnswer, host: string, token: string): URL | null {
  const location = header(answer, 'location');
  const base = `http://${host}/`;
  if (answer.status < 300 || answer.status >= 400 || location === null || !URL.canParse(location, base)) return null;
  const url = new URL(location, base);
  return token !== '' && url.href.includes(token) ? null : url;
}

const isPage = (answer: RawAnswer): boolean =>
  /html/i.test(header(answer, 'content-type') ?? '') || /^\s*</.test(answer.body);

/** Extracts the target of a login redirect, or detects a login page. */
function asLogin(answer: RawAnswer, host: string, token: string): Pick<TrackerReply, 'location' | 'isLogin'> {
  const refusesAccess = answer.status === 401 || answer.status === 403;
  if (refusesAccess) return isPage(answer) ? { isLogin: true } : {};
  const url = locationOf(answer, host, token);
  if (url === null) return {};
  const location = oneLine(url.origin + url.pathname, MAX_DETAIL_CHARACTERS);
  const elsewhere = url.hostname !== new URL(`http://${host}/`).hostname;
  return { location, ...(elsewhere || LOGIN_PATH.test(url.pathname) ? { isLogin: true } : {}) };
}

function notJson(answer: RawAnswer, host: string): Error {
  const html = isPage(answer);
  const what = html
    ? `the server at ${host} answered with a web page instead of data: check for a login page or a proxy in front of the tracker, and check the address`
    : `${host} answered with something that is not JSON: check that this is the tracker's address`;
  return trackerError('tracker_invalid_answer', what, 'Third-party API response is not JSON', {
    status: answer.status,
    reason: html ? 'html' : 'not_json',
  });
}

function dateOf(answer: RawAnswer): Pick<TrackerReply, 'date'> {
  const date = Date.parse(header(answer, 'date') ?? '');
  return Number.isNaN(date) ? {} : { date };
}

/** Throws `tracker_invalid_answer` for a success that is not JSON. Removes `token` from `detail`. */
export function readAnswer(answer: RawAnswer, host: string, token: string): TrackerReply {
  return { ...repliedIn(answer, host, token), ...dateOf(answer) };
}

function repliedIn(answer: RawAnswer, host: string, token: string): TrackerReply {
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
