import { parseByteSize } from './byte-size.ts';

type SchemaNode = { readonly [member: string]: unknown };

function isNode(value: unknown): value is SchemaNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const BOOLEANS: Readonly<Record<string, boolean>> = {
  true: true,
  '1': true,
  on: true,
  yes: true,
  false: false,
  '0': false,
  off: false,
  no: false,
};

/** Returns the value of a JSON text; another text unchanged. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Converts texts into the type that the schema has at their place, because environment variables are always text. Sizes
 * may be written `4GiB` anywhere, lists of objects as JSON. Texts that do not convert stay for the validator to report.
 */
export function coerce(value: unknown, schema: unknown): unknown {
  if (!isNode(schema)) return value;
  if (isNode(value)) {
    const properties = isNode(schema['properties']) ? schema['properties'] : {};
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        coerce(member, properties[name] ?? schema['additionalProperties']),
      ]),
    );
  }
  if (typeof value !== 'string') return value;
  const types = [schema['type']].flat();
  if (types.includes('string')) return value === '' && types.includes('null') ? null : value;
  if (types.includes('boolean')) return BOOLEANS[value.trim().toLowerCase()] ?? value;
  if (types.includes('integer')) return parseByteSize(value) ?? value;
  // A list of objects is written as JSON.
  if (types.includes('array') && isNode(schema['items']) && schema['items']['type'] === 'object') return parsed(value);
  if (types.includes('array'))
    return value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  return value;
}
