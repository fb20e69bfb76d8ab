import { SECURITY_REPORT_KINDS, type SecurityReport } from '../../../domain/events/event.ts';
import { isRecord } from '../../../lib/own-property.ts';
import { lenientText } from './bounds/lenient-text.ts';
import { TEXT, TREE } from './bounds/limits.ts';
import type { Notes } from './bounds/notes.ts';
import { trimTree } from './bounds/trim-tree.ts';

interface NormalisedSecurityReport {
  readonly report: SecurityReport;
  /** Report of the browser, shown under the name of its kind. */
  readonly context: unknown;
  /** Message for events without one. */
  readonly message: string;
}

/** Values of `blocked_uri` that are no address (CSP 3, section 5.2), and values for the document's own origin. */
const KEYWORDS = new Set(['inline', 'eval', 'wasm-eval', 'trusted-types-policy', 'trusted-types-sink']);
const SELF = "'self'";
const OWN = new Set(['', 'self', SELF]);

/**
 * Reads a browser's report of a violated policy from the member of its kind: `csp`, `hpkp`, `expectct` or
 * `expectstaple`. The names follow https://develop.sentry.dev/sdk/data-model/event-payloads/. Null without one, or when
 * it names neither directive nor host. Cleans the member in place.
 */
export function normaliseSecurityReport(
  raw: Readonly<Record<string, unknown>>,
  notes: Notes,
): NormalisedSecurityReport | null {
  for (const kind of SECURITY_REPORT_KINDS) {
    const given = raw[kind];
    if (isRecord(given)) {
      const made = kind === 'csp' ? policyReport(given, notes) : hostReport(kind, given, notes);
      if (made !== null) {
        return { ...made, context: trimTree(given, TREE.context, notes, kind) };
      }
    }
  }
  return null;
}

type Made = Omit<NormalisedSecurityReport, 'context'>;

/** Reads a CSP report. Firefox omits `effective_directive`; older browsers put the whole rule into both members. */
function policyReport(given: Readonly<Record<string, unknown>>, notes: Notes): Made | null {
  const text = (name: string): string | null =>
    lenientText(given[name] ?? given[name.replaceAll('_', '-')], TEXT.message, notes, `csp.${name}`);
  const rule = text('violated_directive');
  const directive = (text('effective_directive') ?? rule)?.split(/\s/, 1)[0]?.toLowerCase() ?? null;
  const blocked = text('blocked_uri');
  if (directive === null && blocked === null) {
    return null;
  }
  const host = placeOf(blocked ?? '');
  const what = directive ?? 'unknown directive';
  const isInline = host === SELF || KEYWORDS.has(host);
  const message = isInline
    ? `Blocked ${host === SELF ? 'inline' : host} '${what}'`
    : `Blocked '${what}' from '${host}'`;
  const document = placeOf(text('document_uri') ?? '');
  return {
    report: { kind: 'csp', directive, host, rule: rule === null ? null : withOwnHost(rule, document) },
    message,
  };
}

const WORDS = { hpkp: 'Public key pinning validation', expectct: 'Expect-CT', expectstaple: 'Expect-Staple' };

function hostReport(
  kind: Exclude<SecurityReport['kind'], 'csp'>,
  given: Readonly<Record<string, unknown>>,
  notes: Notes,
): Made | null {
  const host = lenientText(given.hostname, TEXT.serverName, notes, `${kind}.hostname`)?.toLowerCase();
  if (host === undefined) {
    return null;
  }
  return { report: { kind, directive: null, host, rule: null }, message: `${WORDS[kind]} failed for '${host}'` };
}

/** Returns host and port of web addresses, scheme and host of others, the scheme without a host. */
function placeOf(uri: string): string {
  if (OWN.has(uri)) return SELF;
  const lower = uri.toLowerCase();
  if (KEYWORDS.has(lower)) return lower;
  // For `data:` and `blob:` only the scheme is reported, mostly without the colon.
  if (!uri.includes(':')) return lower.includes('.') || lower === 'localhost' ? lower : `${lower}:`;
  try {
    const { protocol, host } = new URL(uri);
    return protocol === 'http:' || protocol === 'https:' ? host : host === '' ? protocol : `${protocol}//${host}`;
  } catch {
    return lower;
  }
}

/** Replaces the document's origin, which Firefox sends where the policy has 'self'. */
function withOwnHost(rule: string, document: string): string {
  const [directive = '', ...sources] = rule.split(/\s+/);
  const isOwn = (source: string): boolean =>
    document !== SELF && /^https?:|\./.test(source) && placeOf(source) === document;
  return [directive, ...sources.map((source) => (isOwn(source) ? SELF : source))].join(' ');
}
