import type { Context } from 'koa';
import { koaBody } from 'koa-body';
import { AppError } from '../../domain/app-error.ts';

export type GivenParameters = Record<string, unknown>;

/** Largest request body outside ingestion, in bytes, also after decompression. */
const MAX_BODY_BYTES = 1024 * 1024;

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const MULTIPART_TYPE = 'multipart/form-data';
const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

const parseBody = koaBody({
  jsonTypes: [JSON_TYPE],
  urlencodedTypes: [FORM_TYPE],
  multipartTypes: [MULTIPART_TYPE],
  json: true,
  urlencoded: true,
  multipart: true,
  text: false,
  jsonLimit: MAX_BODY_BYTES,
  formLimit: MAX_BODY_BYTES,
  parsedMethods: ['POST', 'PUT', 'PATCH', 'DELETE'] as never,
  queryString: { allowDots: false, depth: 1, parameterLimit: 200, duplicates: 'last' },
  // No route accepts files: their parts are skipped, never written to disk.
  formidable: { filter: () => false, maxFields: 200, maxFieldsSize: MAX_BODY_BYTES },
});

function statusOf(error: unknown): number | undefined {
  const { status, httpCode } = error as { status?: unknown; httpCode?: unknown };
  return [httpCode, status].find((code) => typeof code === 'number');
}

function tooLarge(): AppError {
  return new AppError('payload_too_large', `The request body is larger than ${MAX_BODY_BYTES} bytes.`);
}

function bodyError(error: unknown): AppError {
  const status = statusOf(error);
  if (status === 413) return tooLarge();
  if (status === 415) {
    return new AppError('unsupported_media_type', 'The content encoding of the request is not supported.');
  }
  return new AppError('malformed_body', 'message body does not match declared format', { cause: error });
}

function hasBody(ctx: Context): boolean {
  const { 'content-length': length, 'transfer-encoding': transfer } = ctx.req.headers;
  return transfer !== undefined || (length !== undefined && length !== '0');
}

/** Returns the body's members; none without a body, or for JSON that is not an object. */
async function bodyParameters(ctx: Context): Promise<GivenParameters> {
  if (!METHODS_WITH_BODY.has(ctx.method) || !hasBody(ctx)) return {};
  if (Number(ctx.req.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  // A body without a content type counts as JSON, as in the host.
  const type = (ctx.req.headers['content-type'] ??= JSON_TYPE);
  if (!ctx.is(JSON_TYPE, FORM_TYPE, MULTIPART_TYPE)) {
    const named = type.split(';', 1)[0]?.trim().slice(0, 100) ?? '';
    throw new AppError('unsupported_media_type', `The provided content-type '${named}' is not supported.`);
  }
  try {
    await parseBody(ctx, async () => undefined);
  } catch (error) {
    throw bodyError(error);
  }
  const body: unknown = (ctx.request as { body?: unknown }).body;
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as GivenParameters) : {};
}

/**
 * Reads the members of a JSON body only. Requires its content type, which a form of another site cannot send. Throws as
 * `readParameters` does.
 */
export async function readJsonBody(ctx: Context): Promise<GivenParameters> {
  if (hasBody(ctx) && ctx.is(JSON_TYPE) === false) {
    throw new AppError('unsupported_media_type', `Send a JSON body, with the content type ${JSON_TYPE}.`);
  }
  return bodyParameters(ctx);
}

/** Parses the query alone. `a=1&a=2` is 2; `a[]=1` is a list, which no parameter accepts. */
export function readQuery({ querystring }: Pick<Context, 'querystring'>): GivenParameters {
  const given: GivenParameters = Object.create(null) as GivenParameters;
  for (const [name, value] of new URLSearchParams(querystring)) {
    const bracket = name.indexOf('[');
    if (bracket > 0) given[name.slice(0, bracket)] = [value];
    else given[name] = value;
  }
  return given;
}

/**
 * Merges query, form and JSON body; the body takes precedence. Throws `payload_too_large`, `unsupported_media_type` or
 * `malformed_body`.
 */
export async function readParameters(ctx: Context): Promise<GivenParameters> {
  const given = readQuery(ctx);
  const body = await bodyParameters(ctx);
  for (const [name, value] of Object.entries(body)) {
    // Uses the last value of a repeated name in a form, as in the query.
    given[name] = ctx.is(MULTIPART_TYPE) && Array.isArray(value) ? value.at(-1) : value;
  }
  return given;
}
