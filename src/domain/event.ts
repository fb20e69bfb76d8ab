/**
 * A normalised event: what is stored and what readers get, whatever shape the SDK sent. Text is
 * bounded, cleaned (no NUL, no lone surrogate) and scrubbed; nothing in it is trusted as markup.
 * Absent things are null or empty, never missing.
 */
export interface NormalisedEvent {
  /** 32 lower-case hex digits. */
  event_id: string;
  /** RFC 3339, UTC, milliseconds. */
  timestamp: string;
  level: Level;
  platform: string;
  logger: string | null;
  release: string | null;
  dist: string | null;
  environment: string | null;
  server_name: string | null;
  transaction: string | null;
  /** The formatted message of a message event or of a log call; null for plain exceptions. */
  message: string | null;
  /** Template and parameters of `message`, where the SDK sent them. */
  logentry: { message: string | null; params: unknown } | null;
  /** Oldest cause first, the exception that was shown last. */
  exceptions: EventException[];
  threads: EventThread[];
  breadcrumbs: Breadcrumb[];
  request: EventRequest | null;
  user: EventUser | null;
  /** In the SDK's order, first occurrence of a key wins. */
  tags: EventTag[];
  contexts: Record<string, unknown>;
  extra: Record<string, unknown>;
  modules: Record<string, string>;
  sdk: { name: string | null; version: string | null } | null;
  fingerprint: string[];
  /** What groups and names a browser's security report; its whole content is the context of the same name. Missing elsewhere. */
  security_report?: SecurityReport;
  /** What was cut, cleaned or refused while normalising, for display: `exceptions[0].value: truncated`. */
  notes: string[];
}

/** Members of an event that hold what a browser reported of a broken policy. */
export const SECURITY_REPORT_KINDS = ['csp', 'hpkp', 'expectct', 'expectstaple'] as const;

export interface SecurityReport {
  kind: (typeof SECURITY_REPORT_KINDS)[number];
  /** Of `csp`: what was broken, such as `script-src`; null where the browser did not say, and for other kinds. */
  directive: string | null;
  /** Lower case. Of `csp` host and port of what was blocked, its scheme, `'self'`, or a word such as `inline`. */
  host: string;
  /** Of `csp`: the whole rule, with the document's own host as `'self'`. */
  rule: string | null;
}

export const LEVELS = ['fatal', 'error', 'warning', 'info', 'debug'] as const;
export type Level = (typeof LEVELS)[number];

export interface EventTag {
  key: string;
  value: string;
}

export interface EventException {
  type: string | null;
  value: string | null;
  module: string | null;
  thread_id: string | null;
  mechanism: Mechanism | null;
  /** Oldest call first, the crashing frame last; null when the SDK sent no stack trace. */
  frames: Frame[] | null;
}

export interface Mechanism {
  type: string;
  handled: boolean | null;
  synthetic: boolean;
  exception_id: number | null;
  parent_id: number | null;
  is_exception_group: boolean;
  source: string | null;
  description: string | null;
  data: Record<string, unknown> | null;
}

export interface Frame {
  filename: string | null;
  abs_path: string | null;
  module: string | null;
  package: string | null;
  function: string | null;
  lineno: number | null;
  colno: number | null;
  /** What is shown and grouped by: the SDK's word, or the server's rules where the SDK is silent. */
  in_app: boolean;
  /** Overrides the event's platform for this frame. */
  platform: string | null;
  context_line: string | null;
  pre_context: string[];
  post_context: string[];
  vars: Record<string, unknown> | null;
}

export interface EventThread {
  id: string | null;
  name: string | null;
  crashed: boolean;
  current: boolean;
  frames: Frame[] | null;
}

export interface Breadcrumb {
  timestamp: string | null;
  type: string;
  category: string | null;
  level: string;
  message: string | null;
  data: Record<string, unknown> | null;
}

export interface EventRequest {
  url: string | null;
  method: string | null;
  query_string: [string, string][];
  headers: [string, string][];
  cookies: [string, string][];
  data: unknown;
  env: Record<string, unknown>;
}

export interface EventUser {
  id: string | null;
  username: string | null;
  email: string | null;
  name: string | null;
  ip_address: string | null;
  data: Record<string, unknown>;
}
