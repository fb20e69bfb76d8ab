import { isRecord } from '../../../lib/own-property.ts';
import { cutNoted, rawText, scalarText } from './bounds/lenient-text.ts';
import { TEXT, TREE } from './bounds/limits.ts';
import type { Notes } from './bounds/notes.ts';
import { trimTree } from './bounds/trim-tree.ts';

export interface EventMessage {
  readonly message: string | null;
  readonly logentry: { message: string | null; params: unknown } | null;
}

/**
 * Builds the message from `message` (text, or an object as Java and PHP send it) and `logentry` (object or text). For
 * clients that send only template and parameters (Python 1, JavaScript), fills the template.
 */
export function normaliseMessage(rawMessage: unknown, rawLogentry: unknown, notes: Notes): EventMessage {
  const entry = isRecord(rawLogentry) ? rawLogentry : isRecord(rawMessage) ? rawMessage : {};
  const plain = plainText(rawLogentry, notes, 'logentry') ?? plainText(rawMessage, notes, 'message');
  const template = text(entry.message, notes, 'logentry.message');
  const params = isFilled(entry.params) ? trimTree(entry.params, TREE.params, notes, 'logentry.params') : null;
  const message =
    text(entry.formatted, notes, 'logentry.formatted') ??
    (template !== null && params !== null ? fill(template, params, notes) : null) ??
    plain ??
    template;
  const addsDetail = template !== null && (params !== null || template !== message);
  return { message, logentry: addsDetail ? { message: template, params } : null };
}

/** Returns a text; null for an object, whose members are read. */
function plainText(value: unknown, notes: Notes, name: string): string | null {
  return isRecord(value) ? null : text(value, notes, name);
}

function text(value: unknown, notes: Notes, name: string): string | null {
  // Old PHP clients send `message: false` for none.
  return typeof value === 'boolean' ? null : rawText(value, TEXT.message, notes, name);
}

function isFilled(params: unknown): params is object {
  return typeof params === 'object' && params !== null && Object.keys(params).length > 0;
}

const PRINTF = /%(?:%|(?:\((\w{1,64})\))?[-+ #0]{0,5}\d{0,3}(?:\.\d{1,3})?[sdifrgeuxXoOjc])/g;
const BRACES = /\{(\w{0,64})\}/g;

/** Fills parameters into `%s`, `%(name)s`, `{}`, `{0}` or `{name}`; null when none fits. */
function fill(template: string, params: unknown, notes: Notes): string | null {
  const named: ReadonlyMap<string, unknown> = new Map(Object.entries(params as object));
  const used = { count: 0 };
  const take = (whole: string, name: string | undefined): string => {
    if (whole === '%%') {
      return '%';
    }
    const value = named.get(name === undefined || name === '' ? String(used.count) : name);
    if (value === undefined) {
      return whole;
    }
    used.count += 1;
    return scalarText(value) ?? JSON.stringify(value);
  };
  const printed = template.replace(PRINTF, take);
  const filled = used.count > 0 ? printed : template.replace(BRACES, take);
  return used.count > 0 ? cutNoted(filled, TEXT.message, notes, 'message') : null;
}
