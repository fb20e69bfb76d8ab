import type { IncomingMessage } from 'node:http';
import { AppError } from '../../domain/app-error.ts';
import { isRecord } from '../../lib/own-property.ts';
import { boundedParts } from '../../lib/parts.ts';
import { compileSchema, describeProblems } from '../../schemas/compile.ts';

/** Schema of a checksum. */
export const SHA1 = { type: 'string', pattern: '^[0-9a-fA-F]{40}$', 'x-expected': '40 hexadecimal digits' } as const;

/** Bytes of a JSON body: lists of commits have the names of all changed files. */
const MAX_JSON_BYTES = 16 * 1024 * 1024;

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const tooLong = () => new AppError('payload_too_large', `The request body is larger than ${MAX_JSON_BYTES} bytes.`);
  const parts: Uint8Array[] = [];
  for await (const part of boundedParts(request as AsyncIterable<Buffer>, MAX_JSON_BYTES, tooLong)) parts.push(part);
  const text = Buffer.concat(parts).toString('utf8');
  try {
    const body: unknown = text === '' ? {} : JSON.parse(text);
    if (isRecord(body)) return body;
  } catch {
    // Refused below.
  }
  throw new AppError('bad_request', 'The request body is not a JSON object.');
}

/** Creates a function that reads a JSON body in the form of a schema. It throws `bad_request` with every problem. */
export function toolBody<T>(schema: object): (call: { readonly request: IncomingMessage }) => Promise<T> {
  const fits = compileSchema<T>(schema);
  return async ({ request }) => {
    const body: unknown = await readJson(request);
    if (fits(body)) return body;
    throw new AppError('bad_request', describeProblems(fits.errors, schema).join(', '));
  };
}
