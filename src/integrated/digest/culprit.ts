import type { Frame, NormalisedEvent } from '../../domain/events/event.ts';
import { cutText } from '../../lib/text/clean-text.ts';
import { newestFrame, shownFrames } from './shown-stack.ts';

const MAX_CULPRIT = 200;
const NATIVE = new Set(['native', 'objc', 'cocoa']);
const JAVASCRIPT = new Set(['javascript', 'node']);

/** Functions of Rust's runtime, in reserved names. They run between a panic and the code that panicked. */
const RUST_RUNTIME = /^(?:__rustc::|_?rust_begin_unwind|__rust_)/;
/** Paths of Rust's own libraries, as built by the compiler, and of third-party crates, as stored by Cargo. */
const RUST_PATH = /^[\\/]rustc[\\/]|[\\/]\.cargo[\\/](?:registry|git)[\\/]/;
/** Names of Rust's own libraries; another language may use the same namespaces. */
const RUST_LIBRARY = /^<?(?:std|core|alloc)::/;

/**
 * Returns the place of an event in one line: the transaction, else the newest application frame. Otherwise the rule of
 * a security policy, else the address of the request.
 */
export function culpritOf(event: NormalisedEvent): string | null {
  const culprit = event.transaction ?? frameCulprit(event) ?? event.security_report?.rule ?? event.request?.url ?? null;
  return culprit === null ? null : cutText(culprit, MAX_CULPRIT);
}

function frameCulprit(event: NormalisedEvent): string | null {
  const platform = (frame: Frame): string => frame.platform ?? event.platform;
  const hasPlace = (frame: Frame): boolean =>
    NATIVE.has(platform(frame)) ? frame.function !== null : (frame.module ?? frame.filename) !== null;
  const frames = shownFrames(event);
  const isRust = event.sdk?.name?.startsWith('sentry.rust') === true;
  const frame =
    newestFrame(frames, (one) => one.in_app && hasPlace(one) && !isRustMachinery(one, isRust)) ??
    newestFrame(frames, hasPlace);
  if (frame === null) {
    return null;
  }
  // The newest frames of a message's stack belong to the SDK; only application frames are useful there.
  if (event.exceptions.length === 0 && !frame.in_app) {
    return null;
  }
  const name = frame.function ?? '?';
  if (NATIVE.has(platform(frame))) {
    return name;
  }
  const place = frame.module ?? frame.filename ?? '?';
  return JAVASCRIPT.has(platform(frame)) ? `${name}(${place})` : `${place} in ${name}`;
}

/**
 * Returns true for frames of Rust's runtime and libraries. The Rust SDK marks some of them as application code.
 * Grouping follows its marks, the culprit does not.
 */
function isRustMachinery({ function: name, abs_path: path }: Frame, isRust: boolean): boolean {
  return (
    (path !== null && RUST_PATH.test(path)) ||
    (name !== null && (RUST_RUNTIME.test(name) || (isRust && RUST_LIBRARY.test(name))))
  );
}
