import { isIP } from 'node:net';
import { hideAssignments } from './assignments.ts';
import type { FieldKind } from './field-names.ts';
import { FILTERED } from './filtered.ts';
import { endsRare, KNOWN_SECRETS } from './known-secrets.ts';
import { CREDENTIAL_CHARACTERS, CREDENTIAL_WORDS, hideQuotedCredentials } from './quoted-credentials.ts';
import { hideUrlCredentials } from './url-credentials.ts';

export type KindOf = (name: string) => FieldKind;

/** Kind of text. In `prose` and `source` the word bearer and names of variables also occur without a secret. */
type Manner = 'data' | 'prose' | 'source';

/** Minimum length of a text with a secret. */
const SHORTEST = 8;
/** Spells out words in both cases: the flag for any case doubles the time of the pass. */
const anyCase = (words: string): string => words.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
/*
 * Two tests that almost every text of an event fails, so that the patterns behind them are rarely run. V8 skips quickly
 * to a rare character, and over texts without any of some words. One expression for both takes a fifth longer.
 */
const RARE_SIGN = new RegExp(
  [
    String.raw`-----B|[?&#][^\s=&?#]{1,64}=`,
    // Names of `hideAssignments`, by their ends.
    `[:=](?<=(?:${anyCase('ssword|sswd|phrase|pwd|ecret|token|key')})\\d{0,2}\\\\{0,4}["'\`]?\\]?\\s{0,8}[:=])`,
    CREDENTIAL_CHARACTERS,
    ...KNOWN_SECRETS.filter(endsRare).map(({ begins }) => `${begins.at(-1)}(?<=${begins})`),
  ].join('|'),
);
const SIGN_WORD = new RegExp(
  [
    String.raw`\d{4}[ -]?\d{4}`,
    `${anyCase('earer')}\\s`,
    CREDENTIAL_WORDS,
    ...KNOWN_SECRETS.filter((secret) => !endsRare(secret)).map(({ begins }) => begins),
  ].join('|'),
);
const KNOWN = new RegExp(`(?<![A-Za-z0-9])(?:${KNOWN_SECRETS.map(({ pattern }) => pattern).join('|')})`, 'g');

/* These four also run before grouping, where the keys of version 1 depend on them: see `scrubMessageBeforeGrouping`. */
const BEARER = /\b(bearer\s+)[\w.~+/-]+=*/gi;
/**
 * Numbers of Visa, Mastercard, Discover (16 digits), Amex (15) and old Visa (13), with blanks or dashes between groups.
 */
const CARD =
  /(?<![\w.-])(?:(?:4\d{3}|5[1-5]\d{2}|2(?:2[2-9]|[3-6]\d|7[01])\d|2720|6(?:011|5\d{2}|4[4-9]\d))(?:[ -]?\d{4}){3}|3[47]\d{2}[ -]?\d{6}[ -]?\d{5}|4\d{12})(?![\w-])/g;
const PEM = /(-----BEGIN[A-Z ]{0,40}(?:PRIVATE|PUBLIC) KEY-----)[\s\S]*?(-----END[A-Z ]{0,40}-----|$)/g;
const URL_PARAMETER = /([?&#])([^\s=&?#]{1,64})=([^\s&#"'<>]*)/g;

/** Patterns as of version 1 of grouping: up to the first `@`, and only with a colon. */
const FORMER_SUSPICIOUS = /\d{4}|:\/\/|-----B|earer\s|[?&#][^\s=&?#]{1,64}=/i;
const FORMER_URL_CREDENTIALS = /:\/\/[^\s/?#@:]*:[^\s/?#@]*@/g;

/** Bearer token, which has a digit, or a point between letters; words behind "bearer" do not. */
const BEARER_TOKEN = /\b(bearer\s+)(?=[\w~+/-]*(?:\d|\.\w))[\w.~+/-]{6,}=*/gi;
/** Parameter of an address whose value is not inserted at run time. */
const LITERAL_URL_PARAMETER = /([?&#])([^\s=&?#]{1,64})=(?![$%{#+:[])([^\s&#"'<>`{}()]*)/g;

const IP_V4 = /(?<![\w.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\w.]*\d)/g;
const IP_V6 = /(?<![\w:.])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?:(?:\.\d{1,3}){3})?(?![\w:])/gi;

/**
 * Replaces bearer tokens, card numbers, key bodies, and credentials and secret parameters in addresses. Also replaces
 * values behind `password=` and similar names, and secrets of a known shape. The text around them stays.
 */
export function scrubText(text: string, kindOf: KindOf, manner: Manner = 'data'): string {
  if (text.length < SHORTEST) {
    return text;
  }
  let scrubbed = hideUrlCredentials(text);
  if (!RARE_SIGN.test(scrubbed) && !SIGN_WORD.test(scrubbed)) {
    return scrubbed;
  }
  scrubbed = hideCards(scrubbed.replace(manner === 'data' ? BEARER : BEARER_TOKEN, `$1${FILTERED}`));
  scrubbed = scrubbed.includes('-----B') ? hideKeyBodies(scrubbed, manner === 'source' ? '' : '\n') : scrubbed;
  scrubbed = hideQuotedCredentials(scrubbed.replace(KNOWN, FILTERED));
  if (scrubbed.includes('=')) {
    scrubbed = hideParameters(scrubbed, manner === 'source' ? LITERAL_URL_PARAMETER : URL_PARAMETER, kindOf);
  }
  return hideAssignments(scrubbed, manner === 'source', kindOf);
}

/**
 * Replaces bearer tokens and card numbers in messages and their templates before grouping. Frozen with the keys of
 * version 1.
 */
export function scrubMessageBeforeGrouping(text: string): string {
  return hideCards(text.replace(BEARER, `$1${FILTERED}`));
}

/**
 * Does the same, and replaces key bodies, and credentials and secret parameters of addresses. Used for tags and the
 * address of the request, which are part of a key through a fingerprint. Frozen with the keys of version 1.
 */
export function scrubTextBeforeGrouping(text: string, kindOf: KindOf): string {
  if (text.length < SHORTEST || !FORMER_SUSPICIOUS.test(text)) {
    return text;
  }
  const scrubbed = hideKeyBodies(scrubMessageBeforeGrouping(text)).replace(FORMER_URL_CREDENTIALS, `://${FILTERED}@`);
  return scrubbed.includes('=') ? hideParameters(scrubbed, URL_PARAMETER, kindOf) : scrubbed;
}

/** Returns true when a number of JSON is a card number. */
export function isCardNumber(value: number): boolean {
  return Number.isSafeInteger(value) && value >= LEAST_CARD && hideCards(String(value)) === FILTERED;
}

/** Least card number: 13 digits. */
const LEAST_CARD = 1e12;

/** Removes IP addresses. Keeps similar text, such as a time or a version with a build number. */
export function scrubAddresses(text: string): string {
  // IPv6 goes first, because it may end in an IPv4 address.
  const scrubbed = text.includes(':')
    ? text.replace(IP_V6, (found) => (found.length > 2 && isIP(found) === 6 ? FILTERED : found))
    : text;
  return scrubbed.includes('.') ? scrubbed.replace(IP_V4, FILTERED) : scrubbed;
}

function hideCards(text: string): string {
  return text.replace(CARD, (number) => (hasCardChecksum(number) ? FILTERED : number));
}

/** Replaces the bodies of keys. `gap` surrounds the replacement; a source line stays one line. */
function hideKeyBodies(text: string, gap = '\n'): string {
  return text.replace(PEM, (whole: string, begin: string, end: string) =>
    gap === '' && whole === begin + end ? whole : `${begin}${gap}${FILTERED}${gap}${end}`.trimEnd(),
  );
}

function hideParameters(text: string, pattern: RegExp, kindOf: KindOf): string {
  return text.replace(pattern, (whole, mark: string, name: string, value: string) =>
    value !== '' && kindOf(name) === 'sensitive' ? `${mark}${name}=${FILTERED}` : whole,
  );
}

/** Checks Luhn's digit, to keep order numbers and timestamps with the length of a card. */
function hasCardChecksum(number: string): boolean {
  let sum = 0;
  let double = false;
  for (let i = number.length - 1; i >= 0; i -= 1) {
    const digit = number.charCodeAt(i) - 48;
    if (digit >= 0 && digit <= 9) {
      const value = double ? digit * 2 : digit;
      sum += value > 9 ? value - 9 : value;
      double = !double;
    }
  }
  return sum % 10 === 0;
}
