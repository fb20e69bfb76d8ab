/**
 * Bounds of an event. Texts are in UTF-16 units and end in `...` where cut; `tolerance` is an accepted overshoot. Trees
 * (`size`) are measured in units of text plus a few per scalar, close to their size as JSON. `depth` counts levels of
 * objects and lists. Clients of the protocol know these values from other servers.
 */
export interface TextLimit {
  readonly max: number;
  readonly tolerance: number;
}

export interface TreeLimit {
  readonly depth: number;
  readonly size: number;
}

const text = (max: number, tolerance = 0): TextLimit => ({ max, tolerance });

export const TEXT = {
  message: text(8192, 200),
  exceptionType: text(256, 20),
  exceptionValue: text(8192, 200),
  exceptionModule: text(256),
  threadId: text(128),
  threadName: text(256),
  symbol: text(256),
  path: text(256, 40),
  contextLine: text(256),
  mechanism: text(256),
  transaction: text(200),
  release: text(200),
  dist: text(64),
  environment: text(64),
  logger: text(64),
  serverName: text(256),
  userText: text(128),
  email: text(75),
  url: text(256, 40),
  method: text(32),
  breadcrumbType: text(128),
  breadcrumbMessage: text(8192, 200),
  sdk: text(128),
} as const;

export const TREE = {
  vars: { depth: 5, size: 2048 },
  params: { depth: 5, size: 2048 },
  mechanismData: { depth: 5, size: 2048 },
  userData: { depth: 5, size: 8192 },
  requestData: { depth: 7, size: 8192 },
  env: { depth: 5, size: 2048 },
  breadcrumbData: { depth: 5, size: 2048 },
  extra: { depth: 7, size: 262_144 },
  modules: { depth: 1, size: 8192 },
  /** Bound of each context. */
  context: { depth: 5, size: 8192 },
} as const satisfies Record<string, TreeLimit>;

/** Bound of each value of `extra`, within the bound of all. */
export const EXTRA_VALUE_SIZE = 16_384;

export const PAIRS = { queryString: 1024, headers: 8192, cookies: 2048 } as const;

/** Maximum length of a member name in a tree, in UTF-16 units. */
export const MAX_KEY = 256;

/** Frames per stack trace: the first 249 and the last stay. */
export const MAX_FRAMES = 250;
/** Maximum exceptions; the newest stay: the shown one and its nearest causes. */
export const MAX_EXCEPTIONS = 50;
export const MAX_THREADS = 100;
/** Maximum breadcrumbs; the newest stay. */
export const MAX_BREADCRUMBS = 100;
export const MAX_CONTEXTS = 100;
/** Maximum values of a fingerprint; the first stay. */
export const MAX_FINGERPRINT = 100;
/** Maximum tags; the first stay. */
export const MAX_TAGS = 100;
export const MAX_TAG_KEY = 200;
export const MAX_TAG_VALUE = 200;
export const MAX_NOTES = 100;
