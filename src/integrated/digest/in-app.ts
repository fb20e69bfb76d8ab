import type { Frame } from '../../domain/events/event.ts';

/** Configured prefixes of modules or paths of application code. They override the SDK. */
export interface InAppRules {
  readonly inAppInclude: readonly string[];
  readonly inAppExclude: readonly string[];
}

export type FrameOrigin = Pick<Frame, 'filename' | 'abs_path' | 'module' | 'package' | 'function'>;

/** Folders of package managers and standard libraries, and scripts loaded from other sites. */
const LIBRARY_PATH = new RegExp(
  [
    String.raw`(?:^|[\\/])(?:vendor|site-packages|dist-packages|node_modules|gems|bower_components)[\\/]`,
    String.raw`[\\/]lib[\\/]python|[\\/]go[\\/]pkg[\\/]mod[\\/]|[\\/]go(?:root|-?\d[\d.]*)?[\\/]src[\\/]runtime[\\/]`,
    String.raw`^[\\/]usr[\\/]local[\\/]lib[\\/]|^[\\/]usr[\\/]lib[\\/]|^[\\/]rustc[\\/]|[\\/]\.cargo[\\/]registry[\\/]`,
    String.raw`^node:|^internal[\\/]|^\[native code\]$|^native code$|^<anonymous>$`,
    String.raw`^(?:chrome|moz|safari|safari-web)-extension:`,
    String.raw`^https?:\/\/(?:[\w-]+\.)*(?:unpkg\.com|jsdelivr\.net|cdnjs\.cloudflare\.com|googletagmanager\.com|google-analytics\.com|ajax\.googleapis\.com|code\.jquery\.com|connect\.facebook\.net)\/`,
  ].join('|'),
);

const JVM_MODULE =
  /^(?:javax?|jakarta|sun|com\.sun|jdk|kotlinx?|scala|groovy|clojure|org\.(?:springframework|apache|hibernate|codehaus\.groovy)|io\.(?:netty|undertow|sentry)|akka|com\.fasterxml|android|androidx|dalvik|com\.android)\./;
const JVM = new Set(['java', 'kotlin', 'scala', 'groovy']);

/**
 * Libraries of apps that `JVM_MODULE` lacks, for frames whose class a mapping renamed: SDKs cannot mark these. Without a
 * mapping they would change the groups of events that were counted before.
 */
const RENAMED_LIBRARY =
  /^(?:okhttp3|okio|retrofit2|rx|reactor|dagger|coil|coil3|timber|leakcanary|io\.(?:reactivex|ktor|grpc|realm|micrometer)|com\.(?:google|squareup|bumptech\.glide|airbnb\.lottie|facebook\.(?:react|hermes|soloader|fresco))|org\.(?:chromium|json|slf4j|greenrobot|koin|jetbrains|bouncycastle|conscrypt)|ch\.qos\.logback)\./;

/** Modules and functions of runtimes and of SDKs, on any platform. */
const LIBRARY_MODULE =
  /^(?:sentry_sdk(?:\.|$)|@sentry\/|raven\.|io\.sentry\.|Sentry\\|System\.|Microsoft\.|runtime$|runtime\/)/;
const LIBRARY_FUNCTION =
  /^<?(?:std|core|alloc|backtrace|tokio|sentry|sentry_core|sentry_panic)::|^__rust_|^rust_begin_unwind|^_?_?libc_start/;
/** Functions of the Rust SDK. Its older versions mark them as application code, and they come last. */
const RUST_SDK = /^<?sentry(?:_(?:core|backtrace|panic|contexts|log|tracing|anyhow|slog|tower|actix))?::/;
const RUST = new Set(['rust', 'native']);

/** Scripts from browser extensions or from hosts of libraries. */
const FOREIGN_SCRIPT =
  /^(?:chrome|moz|safari|safari-web)-extension:|^https?:\/\/(?:[\w-]{1,63}\.){0,4}(?:unpkg\.com|jsdelivr\.net|cdnjs\.cloudflare\.com|googletagmanager\.com|google-analytics\.com|ajax\.googleapis\.com|code\.jquery\.com|connect\.facebook\.net)\//;

/** Folders of third-party modules, for SDKs that mark them as application code. */
const SDK_BLIND: ReadonlyMap<string, RegExp> = new Map([
  ['go', /[\\/]pkg[\\/]mod[\\/]|[\\/]vendor[\\/]/],
  ['rust', /[\\/]\.cargo[\\/](?:registry|git)[\\/]|^[\\/]rustc[\\/]/],
  [
    'javascript',
    /[\\/]node_modules[\\/]|[\\/](?:react-dom|react|vue|angular|jquery|zone|preact|polyfills?|framework|(?:chunk-)?vendors?)(?:[.~-][\w.~-]{1,80})?\.m?js(?:\?|$)/,
  ],
]);

/**
 * Decides whether a frame is application code. Configured prefixes come first, then the mark of the SDK, then path,
 * module and function. The SDK's mark is ignored for its own frames, and where it marks libraries as application code.
 * An SDK that marks only some frames omits the others on purpose, so an absent mark means no.
 */
export function decideInApp(
  frame: FrameOrigin,
  sdkInApp: boolean | null,
  marked: boolean,
  platform: string,
  rules: InAppRules,
): boolean {
  if (rules.inAppInclude.length > 0 && rules.inAppInclude.some((prefix) => startsWith(frame, prefix))) {
    return true;
  }
  if (rules.inAppExclude.length > 0 && rules.inAppExclude.some((prefix) => startsWith(frame, prefix))) {
    return false;
  }
  if (sdkInApp === true && RUST.has(platform) && frame.function !== null && RUST_SDK.test(frame.function)) {
    return false;
  }
  if (sdkInApp === true && isSeenAsOwn(frame, platform)) {
    return false;
  }
  return sdkInApp ?? (!marked && !isLibrary(frame, platform));
}

/**
 * Decides whether a frame at its original place is application code. What its SDK said does not count: SDKs of browsers
 * mark each frame, and others judge by the name that the build gave the class. `mark`: what the SDK would have said of
 * the original name, and false for a source that the map says to ignore; null: neither is known.
 */
export function decideMappedInApp(
  frame: FrameOrigin,
  mark: boolean | null,
  platform: string,
  rules: InAppRules,
): boolean {
  const isLibrary = JVM.has(platform) && frame.module !== null && RENAMED_LIBRARY.test(frame.module);
  return decideInApp(frame, isLibrary ? false : mark, false, platform, rules);
}

/**
 * Returns true for library frames that SDKs mark as application code. SDKs of browsers mark every frame, the one of Go
 * every module that is not vendored.
 */
function isSeenAsOwn(frame: FrameOrigin, platform: string): boolean {
  const path = frame.abs_path ?? frame.filename;
  if (path === null) return false;
  return (SDK_BLIND.get(platform)?.test(path) ?? false) || (platform === 'javascript' && FOREIGN_SCRIPT.test(path));
}

function startsWith(frame: FrameOrigin, prefix: string): boolean {
  return (
    (frame.module?.startsWith(prefix) ?? false) ||
    (frame.filename?.startsWith(prefix) ?? false) ||
    (frame.abs_path?.startsWith(prefix) ?? false)
  );
}

function isLibrary(frame: FrameOrigin, platform: string): boolean {
  if (
    frame.module !== null &&
    (LIBRARY_MODULE.test(frame.module) || (JVM.has(platform) && JVM_MODULE.test(`${frame.module}.`)))
  ) {
    return true;
  }
  if (RUST.has(platform) && frame.function !== null && LIBRARY_FUNCTION.test(frame.function)) {
    return true;
  }
  const path = frame.abs_path ?? frame.filename;
  return (
    (path !== null && LIBRARY_PATH.test(path)) ||
    (frame.package !== null && LIBRARY_PATH.test(frame.package)) ||
    (frame.filename !== null && frame.filename !== path && LIBRARY_PATH.test(frame.filename))
  );
}
