import type { SdkBody, SourceEvent, SourceProject } from './source-records.ts';
import { exceptionsIn, messageIn } from './source-world.ts';

type Members = Record<string, unknown>;

const record = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
const list = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const str = (...values: unknown[]): string => values.find((value) => typeof value === 'string') ?? '';
const given = (value: unknown): boolean => value !== undefined && value !== null;

/** Rules of a tracker for `in_app`: what comes from package managers is none, whatever the SDK said. */
const isLibrary = (frame: Members): boolean =>
  /site-packages|node_modules|\/gems\/|\/vendor\/|\/go\/pkg\/mod\//.test(str(frame.abs_path, frame.filename));

/** Function of a native frame, shortened as for display: without hash and arguments. */
const trimmed = (name: string): string => name.replace(/::h[0-9a-f]{16}$/, '').replace(/^<(.+) as .+>::/, '$1::');

/** Frame as Sentry stores it: `in_app` decided, the value of the SDK in `data.orig_in_app` (-1: none). */
function storedFrame(frame: Members, platform: string, isOut: boolean): Members {
  const sent = frame.in_app;
  const inApp = !isLibrary(frame) && sent === true && !isOut;
  const filename = str(frame.filename, frame.abs_path);
  const isUrl = /^(?:https?|file|app):\/\//.test(filename);
  const stored: Members = { ...frame, in_app: inApp };
  // Names without content are none.
  if (stored.function === '?' || stored.function === '<unknown>') stored.function = null;
  if (filename !== '') {
    stored.abs_path = frame.abs_path ?? filename;
    stored.filename = isUrl ? (/^[a-z]+:\/\/[^/]*([^?#]*)/.exec(filename)?.[1] ?? filename) : filename;
  }
  if (platform === 'native' && typeof frame.function === 'string' && trimmed(frame.function) !== frame.function) {
    stored.function = trimmed(frame.function);
    stored.raw_function = frame.function;
  }
  if (sent !== inApp) stored.data = { orig_in_app: typeof sent === 'boolean' ? Number(sent) : -1 };
  return stored;
}

/** Frame after a source map was applied. */
function mappedFrame(frame: Members): Members {
  if (!/^https?:/.test(str(frame.abs_path))) return frame;
  return {
    ...frame,
    abs_path: `webpack:///src/${str(frame.function, 'main')}.ts`,
    filename: `src/${str(frame.function, 'main')}.ts`,
    module: `src/${str(frame.function, 'main')}`,
    function: `mapped_${str(frame.function, 'main')}`,
    context_line: '  return total(basket)',
    pre_context: ['function render() {'],
    post_context: ['}'],
    data: { ...record(frame.data), sourcemap: 'https://shop.example.com/static/main.js.map' },
  };
}

interface Storing {
  /** Frames of scripts with a URL were mapped by source maps; the stack as sent is in `raw_stacktrace`. */
  readonly mapped?: boolean;
  /** A rule of the server took every second frame out of the application. */
  readonly outRule?: boolean;
  /** A rule of the server gave this fingerprint. */
  readonly ruleFingerprint?: readonly string[];
}

const framesOf = (stacktrace: unknown, platform: string, { outRule = false }: Storing): Members[] =>
  list(record(stacktrace).frames).map((frame, index) =>
    storedFrame(record(frame), platform, outRule && index % 2 === 1),
  );

function storedOwner(owner: Members, platform: string, storing: Storing): Members {
  const { mapped = false } = storing;
  const frames = framesOf(owner.stacktrace, platform, storing);
  if (frames.length === 0) return { ...owner, stacktrace: null, raw_stacktrace: null };
  const isScript = mapped && frames.some((frame) => /^https?:/.test(str(frame.abs_path)));
  const stack = { ...record(owner.stacktrace), frames };
  if (!isScript) return { ...owner, stacktrace: stack, raw_stacktrace: null };
  return { ...owner, stacktrace: { ...stack, frames: frames.map(mappedFrame) }, raw_stacktrace: stack };
}

const ownersIn = (value: unknown): Members[] => (Array.isArray(value) ? value : list(record(value).values)).map(record);

function storedMessage(body: SdkBody): Members {
  const entry = record(body.logentry ?? body.message);
  const text = messageIn(body);
  if (text === null) return {};
  const { message, params } = entry;
  const formatted = list(params).reduce<string>((done, param) => done.replace(/%[sd]/, String(param)), text);
  return {
    logentry: {
      formatted: entry.formatted ?? formatted,
      message: given(params) ? message : null,
      params: given(params) ? params : null,
    },
  };
}

function tagsOf(body: SdkBody): [string, string][] {
  const own = Array.isArray(body.tags) ? body.tags : Object.entries(record(body.tags));
  const pairs = own.map((pair): [string, string] => [String(list(pair)[0]), String(list(pair)[1])]);
  const derived = ['environment', 'level', 'release', 'server_name', 'transaction'] as const;
  const added = derived.flatMap((name): [string, string][] =>
    typeof body[name] === 'string' ? [[name, body[name]]] : [],
  );
  return [...pairs, ...added];
}

/** Event as Sentry stores it and shows it at `…/events/<id>/json/`. */
export function storedBySentry(event: SourceEvent, project: SourceProject, storing: Storing = {}): Members {
  const { body } = event;
  const { server_name: _serverName, message: _message, tags: _tags, ...rest } = body;
  const platform = str(body.platform, 'other');
  const own = framesOf(body.stacktrace, platform, storing);
  const sent = exceptionsIn(body);
  // A stack of the event itself belongs to its only exception.
  const isOwned = sent.length === 1 && sent[0]?.stacktrace === undefined && own.length > 0;
  const exceptions: Members[] = isOwned ? sent.map((one) => ({ ...one, stacktrace: body.stacktrace })) : sent;
  const threads = ownersIn(body.threads);
  const last = exceptions.at(-1);
  const client = list(body.fingerprint);
  const info: Members = {};
  if (client.length > 0) info.client_fingerprint = client;
  if (storing.ruleFingerprint !== undefined) info.matched_rule = { text: 'rule', fingerprint: storing.ruleFingerprint };
  const title = last === undefined ? messageIn(body) : `${String(last.type)}: ${String(last.value)}`;
  return {
    ...rest,
    ...storedMessage(body),
    event_id: event.id,
    project: Number(project.id),
    platform: body.platform ?? 'other',
    datetime: new Date(event.at).toISOString().replace('Z', '000Z'),
    timestamp: event.at / 1000,
    received: event.receivedAt / 1000,
    message: title,
    title,
    location: null,
    culprit: 'app.views in show',
    metadata: last === undefined ? { title } : { type: last.type, value: last.value },
    type: last === undefined ? 'default' : 'error',
    version: '7',
    hashes: [event.hash],
    key_id: '1',
    grouping_config: { id: 'newstyle:2023-01-11', enhancements: 'eJybzDRxc15qeXFJZU6qlZGBkbGugaGuoeEEAHJMCAM' },
    tags: tagsOf(body),
    ...(exceptions.length > 0
      ? { exception: { values: exceptions.map((one) => storedOwner(one, platform, storing)) } }
      : {}),
    ...(threads.length > 0 ? { threads: { values: threads.map((one) => storedOwner(one, platform, storing)) } } : {}),
    stacktrace: own.length > 0 && !isOwned ? { frames: own } : null,
    fingerprint: storing.ruleFingerprint ?? (client.length > 0 ? client : ['{{ default }}']),
    ...(Object.keys(info).length > 0 ? { _fingerprint_info: info } : {}),
    ...(given(body.user) ? { user: { ...record(body.user), geo: { country_code: 'US' }, sentry_user: 'id:1' } } : {}),
    _metrics: { 'bytes.ingested.event': 4711 },
    _ref: 1,
    _ref_version: 2,
    nodestore_insert: event.receivedAt / 1000,
  };
}

/** Event as GlitchTip stores it: frames as sent, tags as an object, no fingerprint. */
export function storedByGlitchTip(event: SourceEvent, project: SourceProject): Members {
  const { body } = event;
  const {
    fingerprint: _fingerprint,
    message: _message,
    server_name: _serverName,
    dist: _dist,
    release: _release,
    // As seen of 5.2: kept in no form.
    threads: _threads,
    logger: _logger,
    ...rest
  } = body;
  const exceptions = exceptionsIn(body);
  const last = exceptions.at(-1);
  return {
    ...rest,
    ...storedMessage(body),
    event_id: event.id,
    project: Number(project.id),
    platform: body.platform ?? 'other',
    timestamp: event.at / 1000,
    datetime: new Date(event.at).toISOString(),
    type: last === undefined ? 'default' : 'error',
    title: last === undefined ? messageIn(body) : `${String(last.type)}: ${String(last.value)}`,
    tags: Object.fromEntries(tagsOf(body)),
    hashes: [event.hash],
    ...(exceptions.length > 0 ? { exception: { values: exceptions } } : {}),
  };
}

/** Frame in the shape of the API. */
function apiFrame(frame: Members): Members {
  const line = typeof frame.lineno === 'number' ? frame.lineno : null;
  const pre = list(frame.pre_context);
  const context: [number, unknown][] = [];
  if (line !== null && given(frame.context_line)) {
    for (const [index, text] of pre.entries()) context.push([line - pre.length + index, text]);
    context.push([line, frame.context_line]);
    for (const [index, text] of list(frame.post_context).entries()) context.push([line + 1 + index, text]);
  }
  return {
    filename: frame.filename ?? null,
    absPath: frame.abs_path ?? null,
    module: frame.module ?? null,
    package: frame.package ?? null,
    platform: frame.platform ?? null,
    instructionAddr: frame.instruction_addr ?? null,
    symbolAddr: null,
    function: frame.function ?? null,
    rawFunction: frame.raw_function ?? null,
    symbol: null,
    context,
    lineNo: line,
    colNo: frame.colno ?? null,
    inApp: frame.in_app ?? false,
    trust: null,
    errors: null,
    vars: frame.vars ?? null,
  };
}

const apiStack = (stacktrace: unknown): Members | null => {
  const frames = list(record(stacktrace).frames).map(record);
  return frames.length === 0
    ? null
    : { frames: frames.map(apiFrame), framesOmitted: null, registers: null, hasSystemFrames: true };
};

const apiOwner = (owner: Members): Members => {
  const { stacktrace, raw_stacktrace: raw, thread_id: threadId, ...members } = owner;
  return { ...members, threadId: threadId ?? null, stacktrace: apiStack(stacktrace), rawStacktrace: apiStack(raw) };
};

/** Shape of the API of a stored event. `numeric`: ids of projects are numbers, as in GlitchTip. */
export function apiEvent(stored: Members, groupId: string, projectId: string | number): Members {
  const exceptions = ownersIn(stored.exception);
  const threads = ownersIn(stored.threads);
  const entries: Members[] = [];
  if (given(stored.logentry)) entries.push({ type: 'message', data: stored.logentry });
  if (exceptions.length > 0) {
    entries.push({
      type: 'exception',
      data: { values: exceptions.map(apiOwner), hasSystemFrames: true, excOmitted: null },
    });
  }
  if (threads.length > 0) entries.push({ type: 'threads', data: { values: threads.map(apiOwner) } });
  if (given(stored.stacktrace)) entries.push({ type: 'stacktrace', data: apiStack(stored.stacktrace) });
  if (given(stored.breadcrumbs)) {
    entries.push({ type: 'breadcrumbs', data: { values: ownersIn(stored.breadcrumbs) } });
  }
  if (given(stored.request)) entries.push({ type: 'request', data: stored.request });
  const tags = Array.isArray(stored.tags) ? stored.tags : Object.entries(record(stored.tags));
  return {
    id: stored.event_id,
    eventID: stored.event_id,
    groupID: groupId,
    projectID: projectId,
    size: 4711,
    entries,
    dist: stored.dist ?? null,
    message: exceptions.length > 0 ? '' : (stored.title ?? ''),
    title: stored.title,
    location: null,
    user: stored.user ?? null,
    contexts: stored.contexts ?? {},
    sdk: stored.sdk ?? null,
    context: stored.extra ?? {},
    packages: stored.modules ?? {},
    type: stored.type,
    metadata: stored.metadata ?? {},
    tags: tags.map((pair) => ({ key: list(pair)[0], value: list(pair)[1] })),
    platform: stored.platform,
    dateCreated: stored.datetime,
    dateReceived: stored.datetime,
    errors: [],
    culprit: stored.culprit ?? '',
    fingerprints: stored.hashes,
    release: null,
    userReport: null,
    nextEventID: null,
    previousEventID: null,
  };
}
