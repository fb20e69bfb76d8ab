/**
 * Normalised event: the stored and returned form of an event from any SDK. Text is bounded, cleaned (no NUL, no lone
 * surrogate) and scrubbed; readers must escape it. Absent values are null or empty, never missing.
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
  /** Formatted message of a message event or log call; null for plain exceptions. */
  message: string | null;
  /** Template and parameters of `message`, if the SDK sent them. */
  logentry: { message: string | null; params: unknown } | null;
  /** Root cause first; the outermost exception last. */
  exceptions: EventException[];
  threads: EventThread[];
  breadcrumbs: Breadcrumb[];
  request: EventRequest | null;
  user: EventUser | null;
  /** Order of the SDK; the first occurrence of a key wins. */
  tags: EventTag[];
  contexts: Record<string, unknown>;
  extra: Record<string, unknown>;
  modules: Record<string, string>;
  sdk: { name: string | null; version: string | null } | null;
  fingerprint: string[];
  /** Files of the build that frames are in, with the ids by which their maps are found. Missing where the SDK sent none. */
  debug_images?: DebugImage[];
  /**
   * Grouping and title fields of a browser's security report; its full content is the context of the same name. Missing
   * in other events.
   */
  security_report?: SecurityReport;
  /** Truncated, cleaned or refused parts, for display: `exceptions[0].value: truncated`. */
  notes: string[];
}

/** Event members that hold a browser's report of a policy violation. */
export const SECURITY_REPORT_KINDS = ['csp', 'hpkp', 'expectct', 'expectstaple'] as const;

export interface SecurityReport {
  kind: (typeof SECURITY_REPORT_KINDS)[number];
  /** Violated directive of `csp`, such as `script-src`; null for other kinds and when the browser did not send it. */
  directive: string | null;
  /**
   * Lower case. For `csp`: host and port of the blocked resource, its scheme, `'self'`, or a keyword such as `inline`.
   */
  host: string;
  /** Complete directive of `csp`, with the host of the document replaced by `'self'`. */
  rule: string | null;
}

export const LEVELS = ['fatal', 'error', 'warning', 'info', 'debug'] as const;
export type Level = (typeof LEVELS)[number];

export interface EventTag {
  key: string;
  value: string;
}

/** File of a build whose original is found by an id. */
export interface DebugImage {
  /** `sourcemap`: a minified script; `proguard`: the classes of the program. */
  type: 'sourcemap' | 'proguard';
  /** Path or address of the script, as its frames have it; null for `proguard`. */
  code_file: string | null;
  /** In lower case with hyphens. */
  debug_id: string;
}

export interface EventException {
  type: string | null;
  value: string | null;
  module: string | null;
  /** What the SDK sent where type and module are the original ones now. Missing in others. */
  raw?: { type: string | null; module: string | null };
  thread_id: string | null;
  mechanism: Mechanism | null;
  /** Outermost call first, the crashing frame last; null without a stack trace. */
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
  /** Flag for display and grouping: from the SDK, or from the rules of the server when absent. */
  in_app: boolean;
  /** Overrides the event's platform for this frame. */
  platform: string | null;
  context_line: string | null;
  pre_context: string[];
  post_context: string[];
  vars: Record<string, unknown> | null;
  /** What the SDK sent of a frame that shows its original place. Missing in others. */
  raw?: RawFrame;
  /** Why the original place is not shown, as a sentence without a period. Missing where there is nothing to say. */
  unmapped?: string;
}

/** Members of a frame that its original place replaces. */
export const RAW_MEMBERS = [
  ...(['filename', 'abs_path', 'module', 'function', 'lineno', 'colno', 'in_app'] as const),
  ...(['context_line', 'pre_context', 'post_context'] as const),
] as const;
export type RawFrame = Pick<Frame, (typeof RAW_MEMBERS)[number]>;

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
