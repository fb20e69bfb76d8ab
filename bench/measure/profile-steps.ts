import type { Frame } from './cpu-profile.ts';

/** Step of an event's path, and the functions that belong to it. */
export interface StepRule {
  readonly step: string;
  readonly matches: (frame: Frame) => boolean;
}

/** Rule by paths of files, and by names of functions alone. */
function rule(step: string, paths: RegExp, functions = /^$/): StepRule {
  return { step, matches: ({ functionName, url }) => (url !== '' && paths.test(url)) || functions.test(functionName) };
}

const COLLECTIONS: StepRule = rule('collections', /^$/, /^\(garbage collector\)$/);
const NATIVE: StepRule = rule(
  'outside of JavaScript: `epoll`, HTTP parser, switches of threads',
  /^$/,
  /^\(program\)$/,
);

/** Steps of the main thread. The first rule that matches counts. */
export const MAIN_STEPS: readonly StepRule[] = [
  rule(
    'answer: head, `writev` of the socket',
    /node:_http_outgoing$|\/(send-reply|rate-limit-headers)\.js$/,
    /^(writeHead|resOnFinish|writevGeneric|writeGeneric|handleWriteReq|afterWriteDispatched|onWriteComplete)$/,
  ),
  rule('read the socket and the head, objects of request and answer', /node:(_http_|net$)|stream_base_commons$/),
  rule('scan of the JSON for form, id and type', /\/intake\/(scan-event|lenient-json|read-event)\.js$/),
  rule('journal: frame, checksum, commit', /\/intake\/(journal\/|keep-draft|journal-record)/),
  rule('the body as a stream, its time limit', /\/intake\/(read-body|byte-budget|inflate)/),
  rule('counters of the answer', /\/prom-client\/|\/middleware\/access\.js$|\/observability\//),
  rule('path, key, limits, event id', /\/(integrated|gateway|compose|auth|lib|domain|lru-cache|ipaddr\.js)\//),
  rule('messages between threads', /node:internal\/worker/, /^postMessage$/),
  COLLECTIONS,
  NATIVE,
];

/** Steps of the digest thread. The first rule that matches counts. */
export const DIGEST_STEPS: readonly StepRule[] = [
  rule('`JSON.parse`', /\/lib\/json-/, /^parseBody$/),
  rule('normalise', /\/digest\/normalise\//),
  rule('scrub, search for client keys', /\/digest\/scrub\//),
  rule('group', /\/digest\/group\//),
  // V8 counts the time of JSON.stringify to the function that calls it.
  { step: '`JSON.stringify`', matches: ({ functionName, url }) => functionName === 'digest' && isDigestRecord(url) },
  rule('title, culprit, tags, hashes', /\/digest\/(title|culprit|tags|user-hash|in-app|shown-stack|digest-|items\/)/),
  rule('compress in blocks', /\/digest\/packed-events\.js$|\/lib\/(body-block|payload-)/),
  rule('read records, batch manifests', /\/digest\/loop\/|\/intake\/journal\//),
  rule('SQLite', /\/storage\/sqlite\/|\/@photostructure\/sqlite\//),
  rule('BSON', /\/node_modules\/bson\//),
  rule('driver and socket of MongoDB', /\/node_modules\/(mongodb|mongoose)|node:net$|stream_base_commons/),
  rule('fold and plan a batch', /\/storage\//),
  COLLECTIONS,
  NATIVE,
];

function isDigestRecord(url: string): boolean {
  return url.endsWith('/digest/digest-record.js');
}
