/** A page that says what a rule of docs/protocol.md holds. */
export interface Source {
  readonly title: string;
  /** An address, or a heading of docs/protocol.md. */
  readonly url: string;
}

const SDK_DOCS = 'https://develop.sentry.dev/sdk/';
const sdkDocs = (title: string, path: string): Source => ({ title: `SDK docs, ${title}`, url: SDK_DOCS + path });

/** A section of an RFC; without one, all of it. */
const rfc = (number: number, section?: string): Source => ({
  title: `RFC ${number}${section === undefined ? '' : `, section ${section}`}`,
  url: `https://www.rfc-editor.org/rfc/rfc${number}${section === undefined ? '' : `#section-${section}`}`,
});

/** A file at a commit, so that the link shows the text that was read. */
const file = (repository: string, commit: string, path: string): Source => ({
  title: `${repository}, ${path.slice(path.lastIndexOf('/') + 1)}`,
  url: `https://github.com/getsentry/${repository}/blob/${commit}/${path}`,
});
const relay = (commit: string, path: string): Source => file('relay', commit, path);

const OWN: Source = { title: 'own rule', url: '#where-errgate-answers-otherwise-on-purpose' };

const DSN = sdkDocs('Parsing the DSN', 'foundations/transport/authentication/#parsing-the-dsn');
const AUTHENTICATION = sdkDocs('Authentication Header', 'foundations/transport/authentication/#authentication-header');
const ENVELOPE_AUTHENTICATION = sdkDocs('Authentication', 'foundations/transport/envelopes/#authentication');
const ENVELOPE_CONTENT_TYPE = sdkDocs('HTTP Headers', 'foundations/transport/envelopes/#http-headers');
const FORMAT = sdkDocs('Serialization Format', 'foundations/transport/envelopes/#serialization-format');
const ENVELOPE_HEADERS = sdkDocs('Envelope Headers', 'foundations/transport/envelopes/#envelope-headers');
const ITEMS = sdkDocs('Items', 'foundations/transport/envelopes/#items');
const ITEM_TYPES = sdkDocs('Envelope Items', 'foundations/transport/envelope-items/');
const SIZE_LIMITS = sdkDocs('Size Limits', 'foundations/transport/envelopes/#size-limits');
const COMPRESSION = sdkDocs('Request Compression', 'foundations/transport/compression/#request-compression');
const RATE_LIMITING = sdkDocs('Rate Limiting', 'foundations/transport/rate-limiting/');
const SESSIONS = sdkDocs('Sessions', 'telemetry/sessions/');
const CLIENT_REPORTS = sdkDocs('Client Reports', 'telemetry/client-reports/');
const STORE = file('develop', '5933f6dcbec24d245239a3be2780fa6fcadb9964', 'src/docs/sdk/store.mdx');

const RELAY_AUTHENTICATION = relay(
  '099868efbc9741d71432f81213f6f396fabdac30',
  'relay-server/src/extractors/request_meta.rs',
);
const RELAY_ROUTES = relay('5f907cc01c8fbb5c5920ead68175318926e7031a', 'relay-server/src/endpoints/mod.rs');
const RELAY_ANSWERS = relay('782f97a25867aec81645188f217deebaee513745', 'relay-server/src/endpoints/common.rs');
const RELAY_STORE = relay('1e46ab01b2a5a81e9a56def52c21067571dac3e7', 'relay-server/src/endpoints/store.rs');
const RELAY_ENVELOPE = relay('ef7699b561975cb6c334974d3bdc8c3d091e12dc', 'relay-server/src/envelope.rs');
const RELAY_CORS = relay('f535ffed4daa9e340db715d50d3461283096d06a', 'relay-server/src/middlewares/cors.rs');
const RELAY_ENCODING = relay(
  '6cb73f82c8ed169eafe93d08f1b932aff789e998',
  'relay-server/src/middlewares/decompression.rs',
);
const RELAY_CLOCK = relay('fbc491a9c1d8fac4b71e3dac2a36ad2767608808', 'relay-event-normalization/src/clock_drift.rs');
const RELAY_SESSION = relay('4f651b1b4fc88be5e0ef9df4b340d296b96117cc', 'relay-event-schema/src/protocol/session.rs');
const FETCH_CORS: Source = { title: 'Fetch, CORS protocol', url: 'https://fetch.spec.whatwg.org/#http-cors-protocol' };

/** Sources of all rules of a section, by its number. */
export const SECTION_SOURCES: Readonly<Record<string, readonly Source[]>> = {
  '1.1': [DSN, RELAY_ROUTES],
  '1.2': [DSN, RELAY_ROUTES],
  '2.1': [AUTHENTICATION, RELAY_AUTHENTICATION],
  '2.2': [AUTHENTICATION, ENVELOPE_AUTHENTICATION, RELAY_AUTHENTICATION],
  '2.3': [ENVELOPE_AUTHENTICATION, RELAY_AUTHENTICATION],
  '2.4': [ENVELOPE_CONTENT_TYPE, ENVELOPE_AUTHENTICATION],
  '2.5': [FETCH_CORS, RELAY_CORS],
  '3.1': [COMPRESSION, RELAY_ENCODING],
  '3.2': [ENVELOPE_CONTENT_TYPE, RELAY_STORE],
  '3.3': [STORE, RELAY_STORE],
  '3.4': [SIZE_LIMITS, STORE],
  '4': [FORMAT, ITEMS, RELAY_ENVELOPE],
  '4.1': [ENVELOPE_HEADERS, FORMAT],
  '4.3': [ENVELOPE_HEADERS, RELAY_CLOCK],
  '5.1': [RELAY_ANSWERS],
  '5.2': [RELAY_ANSWERS, RATE_LIMITING],
  '5.3': [RATE_LIMITING],
  '7.1': [SESSIONS, RELAY_SESSION],
  '7.2': [SESSIONS, RELAY_SESSION],
  '7.3': [SESSIONS, RELAY_SESSION],
  '8': [ITEM_TYPES, ITEMS],
  '8.1': [sdkDocs('User Feedback', 'telemetry/feedbacks/'), sdkDocs('User Reports', 'telemetry/user-reports/')],
};

/** Sources of one rule, in place of those of its section; by the name of its test. */
export const RULE_SOURCES: Readonly<Record<string, readonly Source[]>> = {
  'Authorization: Basic with the key and an empty password is read': [rfc(7617, '2'), RELAY_AUTHENTICATION],
  'sentry_key, sentry_version and sentry_client are read from the query, percent-encoded': [
    AUTHENTICATION,
    rfc(3986, '2.1'),
  ],
  'the dsn in the header of an envelope authorises it: its user is the key, its last part the project': [
    ENVELOPE_AUTHENTICATION,
    DSN,
  ],
  'several carriers with the same key are accepted': [OWN],
  'a dsn that cannot be read is ignored beside a readable key': [OWN],
  'keys that are unknown, disabled, or of a project without error tracking are answered 403': [OWN, RELAY_ANSWERS],
  'a simple request needs no preflight: text/plain or no content type, the key in the query': [
    ENVELOPE_CONTENT_TYPE,
    FETCH_CORS,
  ],
  'gzip is decoded': [COMPRESSION, rfc(1952)],
  'deflate is decoded, as zlib': [COMPRESSION, rfc(1950)],
  'deflate is decoded, also raw': [rfc(9110, '8.4.1.2'), rfc(1951)],
  'br is decoded': [COMPRESSION, rfc(7932)],
  'zstd is decoded': [COMPRESSION, rfc(8878)],
  'names are read in any case': [rfc(9110, '8.4.1')],
  'absent, empty, identity and utf-8 mean no encoding': [rfc(9110, '12.5.3'), RELAY_ENCODING],
  'bodies may come chunked, without a length, in pieces of any size': [rfc(9112, '7.1')],
  'an unknown encoding, or several at once, are answered 415 with the supported ones in Accept-Encoding': [
    rfc(9110, '12.5.3'),
    rfc(9110, '15.5.16'),
  ],
  'JSON is read, also with spaces around it': [STORE, rfc(8259, '2')],
  'base64 of JSON is read': [RELAY_STORE, rfc(4648, '4')],
  'more than 1,000 items are answered 413 as a whole, and each is counted': [OWN, rfc(9110, '15.5.14')],
  '1,000 items are accepted': [OWN],
  'carriage returns before the newline of a header line are ignored': [OWN],
  'blank lines before a header are skipped': [OWN],
  'several events are all kept, each under its own id; the first one is answered': [OWN],
  'an item header without type, or that is not an object: items before it are kept; without any, 400': [OWN, ITEMS],
  'fewer bytes than the length says: items before it are kept; without any, 400': [OWN, ITEMS],
  'no newline after the length: items before it are kept; without any, 400': [OWN, ITEMS],
  'ids may have dashes and capitals; they are answered as 32 lower-case hex digits': [FORMAT, rfc(9562, '4')],
  'sent_at is kept, with any precision and offset': [ENVELOPE_HEADERS, rfc(3339, '5.6')],
  'while events cannot be kept: 503 with Retry-After': [rfc(9110, '15.6.4'), rfc(9110, '10.2.3')],
  'success is exactly 200, never 201, 202, 204 or a redirect': [
    RELAY_ANSWERS,
    file(
      'sentry-java',
      '331058f9dc510779dcb120a6443d43044c285c4d',
      'sentry/src/main/java/io/sentry/transport/HttpConnection.java',
    ),
  ],
  'only 429 and 503 have Retry-After': [rfc(9110, '10.2.3'), rfc(6585, '4')],
  'X-Sentry-Rate-Limits is read as intended by JavaScript': [
    file('sentry-javascript', '013d473723ffe35e5c7ebdb95058c00b7f705497', 'packages/core/src/utils/ratelimit.ts'),
  ],
  'X-Sentry-Rate-Limits is read as intended by Python, which needs whole seconds': [
    file('sentry-python', '8fd52deb5264122cfd023567e281704f340a6483', 'sentry_sdk/transport.py'),
  ],
  'X-Sentry-Rate-Limits is read as intended by PHP, which trims nothing': [
    file('sentry-php', '21a77e7eeb8aef0288283b5f31c40e0039193f38', 'src/Transport/RateLimiter.php'),
  ],
  'X-Sentry-Rate-Limits is read as intended by Rust, which needs three parts': [
    file('sentry-rust', '33bb5e9dc7fa0818cb2be3a22737f2b4c84902a5', 'sentry/src/transports/ratelimit.rs'),
  ],
  'X-Sentry-Rate-Limits is read as intended by Go and Java, which leave out categories that they do not know': [
    file('sentry-go', 'aa07a9360d9da8447a2f16c9ce86f645ce35cd8e', 'internal/ratelimit/category.go'),
    file(
      'sentry-java',
      '717e80215097bb62290e7a2313d4aedcaf8017a6',
      'sentry/src/main/java/io/sentry/transport/RateLimiter.java',
    ),
  ],
  'client reports are never limited': [RATE_LIMITING, CLIENT_REPORTS],
  'a client report is summed by category and reason': [CLIENT_REPORTS],
  'security reports and minidumps are answered 404 at their own addresses': [OWN, DSN],
  'the release and environment of a session do not change; an update with others is counted as invalid': [SESSIONS],
  'categories that are never kept can be announced early, except errors, sessions or all categories': [RATE_LIMITING],
};
