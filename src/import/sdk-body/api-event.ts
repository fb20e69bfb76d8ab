import { isRecord } from '../../lib/own-property.ts';
import { eventIdOf, filledText, integerOf, listOf, membersOf, textOf } from '../../thirdparty/map/values.ts';
import type { RemoteEvent } from '../tracker-reader.ts';
import { eventTime } from './event-time.ts';
import { membersOfTags, sentUser } from './sent-members.ts';
import { wasScrubbed } from './scrubbed.ts';

type Members = Record<string, unknown>;

/** How `in_app` is taken: as the API shows it, or as if the SDK had sent none, because the tracker may have decided it. */
type InApp = 'shown' | 'unset';

const FRAME_NAMES: readonly (readonly [api: string, sdk: string])[] = [
  ['filename', 'filename'],
  ['absPath', 'abs_path'],
  ['origAbsPath', 'abs_path'],
  ['module', 'module'],
  ['package', 'package'],
  ['platform', 'platform'],
  ['function', 'function'],
  ['rawFunction', 'function'],
  ['lineNo', 'lineno'],
  ['colNo', 'colno'],
  ['instructionAddr', 'instruction_addr'],
  ['symbolAddr', 'symbol_addr'],
  ['vars', 'vars'],
];
/** Members that some trackers show in the form of SDKs. */
const SDK_NAMES = ['abs_path', 'lineno', 'colno', 'context_line', 'pre_context', 'post_context'] as const;

/** Source lines of the API, `[[number, text], …]`, in the form of SDKs. */
function contextOf(frame: Members): Members {
  const lineno = integerOf(frame.lineNo ?? frame.lineno);
  const lines = listOf(frame.context).flatMap((entry): [number, string][] => {
    const at = integerOf(listOf(entry)[0]);
    return at === null ? [] : [[at, textOf(listOf(entry)[1]) ?? '']];
  });
  if (lines.length === 0 || lineno === null) return {};
  const texts = (fits: (at: number) => boolean): string[] => lines.filter(([at]) => fits(at)).map(([, text]) => text);
  const [line] = texts((at) => at === lineno);
  return {
    pre_context: texts((at) => at < lineno),
    ...(line === undefined ? {} : { context_line: line }),
    post_context: texts((at) => at > lineno),
  };
}

function frameOf(frame: Members, inApp: InApp): Members {
  const sent: Members = contextOf(frame);
  for (const name of SDK_NAMES) if (frame[name] !== undefined && frame[name] !== null) sent[name] = frame[name];
  for (const [api, sdk] of FRAME_NAMES) if (frame[api] !== undefined && frame[api] !== null) sent[sdk] = frame[api];
  const shown = frame.inApp ?? frame.in_app;
  if (inApp === 'shown' && typeof shown === 'boolean') sent.in_app = shown;
  return sent;
}

function stackOf(stacktrace: unknown, inApp: InApp): Members | undefined {
  const frames = isRecord(stacktrace) ? listOf(stacktrace.frames).filter(isRecord) : [];
  return frames.length === 0 ? undefined : { frames: frames.map((frame) => frameOf(frame, inApp)) };
}

interface Form {
  readonly stack: 'shown' | 'sent';
  readonly inApp: InApp;
}

/** What the member `fingerprints` is: the fingerprint of the application, as on Urgentry, or hashes of the tracker. */
export type Fingerprints = 'sent' | 'hashes';

/** Exceptions or threads in their order: root cause first, as SDKs send them. */
function ownersOf(data: unknown, { stack, inApp }: Form): { values: Members[] } | undefined {
  const values = listOf(isRecord(data) ? data.values : data)
    .filter(isRecord)
    .map((owner) => {
      const { stacktrace, rawStacktrace, threadId, ...members } = owner;
      const [first, second] = stack === 'shown' ? [stacktrace, rawStacktrace] : [rawStacktrace, stacktrace];
      const found = stackOf(first, inApp) ?? stackOf(second, inApp);
      if (threadId !== undefined && threadId !== null) members.thread_id = threadId;
      return found === undefined ? members : { ...members, stacktrace: found };
    });
  return values.length === 0 ? undefined : { values };
}

const hasRawStack = (data: unknown): boolean =>
  listOf(isRecord(data) ? data.values : data).some(
    (owner) =>
      isRecord(owner) &&
      stackOf(owner.stacktrace, 'shown') !== undefined &&
      stackOf(owner.rawStacktrace, 'shown') !== undefined,
  );

const REPORTS = ['csp', 'hpkp', 'expectct', 'expectstaple', 'nel'] as const;

function requestOf(data: unknown): Members | undefined {
  if (!isRecord(data)) return undefined;
  const { query, ...request } = data;
  return { ...request, ...(query === undefined || query === null ? {} : { query_string: query }) };
}

function messageOf(event: Members, entry: unknown): Members {
  if (isRecord(entry)) {
    const names = ['message', 'formatted', 'params'] as const;
    const members = names.filter((name) => entry[name] !== undefined && entry[name] !== null);
    if (members.length > 0) return { logentry: Object.fromEntries(members.map((name) => [name, entry[name]])) };
  }
  const text = filledText(event.message);
  return text === null ? {} : { message: text };
}

function bodyOf(
  event: Members,
  entries: ReadonlyMap<string, unknown>,
  form: Form,
  fingerprints: Fingerprints,
): Members {
  const { tags, members } = membersOfTags(event.tags);
  const release = isRecord(event.release) ? event.release.version : event.release;
  const body: Members = { ...members };
  const given: Members = {
    platform: event.platform,
    level: event.level,
    release,
    dist: event.dist,
    contexts: event.contexts,
    extra: event.context,
    modules: event.packages,
    sdk: event.sdk,
    user: sentUser(event.user),
    exception: ownersOf(entries.get('exception'), form),
    threads: ownersOf(entries.get('threads'), form),
    stacktrace: stackOf(entries.get('stacktrace'), form.inApp),
    request: requestOf(entries.get('request')),
    breadcrumbs: entries.get('breadcrumbs'),
    debug_meta: entries.get('debugmeta'),
    ...Object.fromEntries(REPORTS.map((type) => [type, entries.get(type)])),
  };
  for (const [name, member] of Object.entries(given)) if (member !== undefined && member !== null) body[name] = member;
  if (tags.length > 0) body.tags = tags;
  const fingerprint = fingerprints === 'sent' ? listOf(event.fingerprints) : [];
  if (fingerprint.length > 0) body.fingerprint = fingerprint;
  if (!entries.has('exception')) Object.assign(body, messageOf(event, entries.get('message')));
  else if (isRecord(entries.get('message'))) Object.assign(body, messageOf({}, entries.get('message')));
  return body;
}

/**
 * Makes an event as SDKs send it of one in the shape of the API, which has only the tracker's decision for `in_app`, and
 * mostly no fingerprint. So the variants have `in_app` as if it was not sent. Null without an id. `now`: milliseconds.
 */
export function eventFromApi(value: unknown, now: number, fingerprints: Fingerprints = 'hashes'): RemoteEvent | null {
  const eventId = isRecord(value) ? eventIdOf(value.eventID ?? value.eventId ?? value.id) : null;
  if (eventId === null) return null;
  const event = membersOf(value);
  const entries = new Map<string, unknown>();
  for (const entry of listOf(event.entries).filter(isRecord)) {
    const type = filledText(entry.type);
    if (type !== null && !entries.has(type)) entries.set(type, entry.data);
  }
  const at = eventTime([event.dateCreated, event.dateReceived], now);
  const identity = { event_id: eventId, timestamp: at / 1000 };
  const make = (form: Form): Members => ({ ...bodyOf(event, entries, form, fingerprints), ...identity });
  const body = make({ stack: 'shown', inApp: 'shown' });
  const twoForms = hasRawStack(entries.get('exception')) || hasRawStack(entries.get('threads'));
  const forms: Form[] = [{ stack: 'shown', inApp: 'unset' }];
  if (twoForms) forms.push({ stack: 'sent', inApp: 'shown' }, { stack: 'sent', inApp: 'unset' });
  const seen = new Set([JSON.stringify(body)]);
  const variants = forms.map(make).filter((variant) => {
    const text = JSON.stringify(variant);
    return seen.has(text) ? false : seen.add(text);
  });
  return { eventId, at, body, variants, scrubbed: wasScrubbed(body, event._meta) };
}
