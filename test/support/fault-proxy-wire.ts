import { mongo } from 'mongoose';

/** Part of MongoDB's wire protocol that the fault proxy needs. */

export type Doc = Record<string, unknown>;

const { BSON } = mongo;

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const HEADER_BYTES = 16;
/** Maximum size of a message in MongoDB. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** Flag of a message that expects no answer. */
const MORE_TO_COME = 2;

export interface Message {
  /** Whole message, header included. */
  readonly bytes: Buffer;
  readonly requestId: number;
  readonly responseTo: number;
  readonly opCode: number;
}

export interface Command {
  /** Name of the command's first member: `find`, `update`, `hello`. */
  readonly name: string;
  readonly database: string;
  /** Null for commands without a collection. */
  readonly collection: string | null;
  /** Command without its separate documents. */
  readonly body: Doc;
  /** Separate documents of the command: the operations of a bulk. */
  readonly documents: readonly Doc[];
  readonly wantsAnswer: boolean;
}

/** Splits a stream of bytes into messages. */
export class MessageSplitter {
  #rest: Buffer = Buffer.alloc(0);

  /** Returns the messages completed by these bytes. Throws for invalid messages. */
  push(chunk: Buffer): Message[] {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const messages: Message[] = [];
    while (this.#rest.length >= HEADER_BYTES) {
      const length = this.#rest.readInt32LE(0);
      if (length < HEADER_BYTES || length > MAX_MESSAGE_BYTES) throw new Error(`a message of ${length} bytes`);
      if (this.#rest.length < length) break;
      messages.push(readHeader(this.#rest.subarray(0, length)));
      this.#rest = this.#rest.subarray(length);
    }
    return messages;
  }
}

function readHeader(bytes: Buffer): Message {
  return {
    bytes,
    requestId: bytes.readInt32LE(4),
    responseTo: bytes.readInt32LE(8),
    opCode: bytes.readInt32LE(12),
  };
}

/** Parses the command of a request; null for other messages. */
export function readCommand(message: Message): Command | null {
  const { bytes, opCode } = message;
  if (opCode === OP_MSG) return commandOf(readSections(bytes), (bytes.readUInt32LE(HEADER_BYTES) & MORE_TO_COME) === 0);
  if (opCode !== OP_QUERY) return null;
  const nameEnd = bytes.indexOf(0, HEADER_BYTES + 4);
  const [database = ''] = bytes.toString('utf8', HEADER_BYTES + 4, nameEnd).split('.');
  const body = readDocument(bytes, nameEnd + 9).document;
  return commandOf({ body: { ...body, $db: database }, documents: [] }, true);
}

function commandOf(sections: { body: Doc; documents: Doc[] }, wantsAnswer: boolean): Command {
  const { body, documents } = sections;
  const [name = ''] = Object.keys(body);
  const target = body[name];
  const database = body['$db'];
  return {
    name,
    database: typeof database === 'string' ? database : '',
    collection: typeof target === 'string' ? target : null,
    body,
    documents,
    wantsAnswer,
  };
}

function readSections(bytes: Buffer): { body: Doc; documents: Doc[] } {
  let body: Doc = {};
  const documents: Doc[] = [];
  let at = HEADER_BYTES + 4;
  // A checksum of four bytes may follow; sections are longer.
  while (at + 5 < bytes.length) {
    const kind = bytes.readUInt8(at);
    at += 1;
    if (kind === 0) {
      const read = readDocument(bytes, at);
      body = read.document;
      at = read.end;
      continue;
    }
    const end = at + bytes.readInt32LE(at);
    at = bytes.indexOf(0, at + 4) + 1;
    while (at < end) {
      const read = readDocument(bytes, at);
      documents.push(read.document);
      at = read.end;
    }
  }
  return { body, documents };
}

function readDocument(bytes: Buffer, at: number): { document: Doc; end: number } {
  const end = at + bytes.readInt32LE(at);
  return { document: BSON.deserialize(bytes.subarray(at, end)), end };
}

/** Builds an answer with this body, in the format of the request. */
export function writeAnswer(request: Message, body: Doc): Buffer {
  const document = Buffer.from(BSON.serialize(body));
  if (request.opCode === OP_MSG) return pack(request.requestId, OP_MSG, [Buffer.alloc(5), document]);
  const fields = Buffer.alloc(20);
  fields.writeInt32LE(1, 16);
  return pack(request.requestId, OP_REPLY, [fields, document]);
}

/** Reads the body of an answer. */
export function readAnswer(answer: Message): Doc {
  const { bytes, opCode } = answer;
  return opCode === OP_MSG ? readSections(bytes).body : readDocument(bytes, HEADER_BYTES + 20).document;
}

function pack(responseTo: number, opCode: number, parts: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeInt32LE(HEADER_BYTES + parts.reduce((sum, part) => sum + part.length, 0), 0);
  header.writeInt32LE(responseTo, 8);
  header.writeInt32LE(opCode, 12);
  return Buffer.concat([header, ...parts]);
}
