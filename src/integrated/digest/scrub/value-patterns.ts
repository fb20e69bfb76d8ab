import { isIP } from 'node:net';
import type { FieldKind } from './field-names.ts';

/** What stands where a secret stood. */
export const FILTERED = '[Filtered]';

/** Nothing shorter holds a secret that a pattern finds. */
const SHORTEST = 8;
/** One pass that almost every text of an event fails, so that the patterns behind it are rarely run. */
const SUSPICIOUS = /\d{4}|:\/\/|-----B|earer\s|[?&#][^\s=&?#]{1,64}=/i;

const BEARER = /\b(bearer\s+)[\w.~+/-]+=*/gi;
/** Visa, Mastercard, Discover (16 digits), Amex (15) and old Visa (13), with blanks or dashes between groups. */
const CARD =
  /(?<![\w.-])(?:(?:4\d{3}|5[1-5]\d{2}|2(?:2[2-9]|[3-6]\d|7[01])\d|2720|6(?:011|5\d{2}|4[4-9]\d))(?:[ -]?\d{4}){3}|3[47]\d{2}[ -]?\d{6}[ -]?\d{5}|4\d{12})(?![\w-])/g;
const PEM = /(-----BEGIN[A-Z ]{0,40}(?:PRIVATE|PUBLIC) KEY-----)[\s\S]*?(-----END[A-Z ]{0,40}-----|$)/g;
const URL_CREDENTIALS = /:\/\/[^\s/?#@:]*:[^\s/?#@]*@/g;
const URL_PARAMETER = /([?&#])([^\s=&?#]{1,64})=([^\s&#"'<>]*)/g;

const IP_V4 = /(?<![\w.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\w.]*\d)/g;
const IP_V6 = /(?<![\w:.])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?:(?:\.\d{1,3}){3})?(?![\w:])/gi;

export type KindOf = (name: string) => FieldKind;

/** Replaces bearer tokens, card numbers, key bodies, and in addresses user:password and secret parameters. */
export function scrubText(text: string, kindOf: KindOf): string {
  if (text.length < SHORTEST || !SUSPICIOUS.test(text)) {
    return text;
  }
  const scrubbed = scrubMessage(text)
    .replace(PEM, (_whole, begin: string, end: string) => `${begin}\n${FILTERED}\n${end}`.trimEnd())
    .replace(URL_CREDENTIALS, `://${FILTERED}@`);
  return scrubbed.includes('=')
    ? scrubbed.replace(URL_PARAMETER, (whole, mark: string, name: string, value: string) =>
        value !== '' && kindOf(name) === 'sensitive' ? `${mark}${name}=${FILTERED}` : whole,
      )
    : scrubbed;
}

/** What is replaced in messages, which people read and groups are made of: bearer tokens and card numbers only. */
export function scrubMessage(text: string): string {
  return text.replace(BEARER, `$1${FILTERED}`).replace(CARD, (number) => (hasCardChecksum(number) ? FILTERED : number));
}

/** Removes IP addresses. What only looks like one (a time, a version with a build number) stays. */
export function scrubAddresses(text: string): string {
  // IPv6 first: it may end in an IPv4 address.
  const scrubbed = text.includes(':')
    ? text.replace(IP_V6, (found) => (found.length > 2 && isIP(found) === 6 ? FILTERED : found))
    : text;
  return scrubbed.includes('.') ? scrubbed.replace(IP_V4, FILTERED) : scrubbed;
}

/** Luhn's check digit: keeps order numbers and timestamps that merely have a card's length. */
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
