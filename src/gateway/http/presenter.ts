import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { isoTime } from './iso-time.ts';

/** Schema of an object in an answer. */
interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
}

type RequiredName<S extends ObjectSchema> = S['required'][number] & keyof S['properties'];

/** Name of a member in the domain: `createdAt` for `created_at`. */
type CamelCase<Name> = Name extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<CamelCase<Rest>>}` : Name;

/** Value that is presented under a schema: times are milliseconds. Never: the presenter would lose optional members. */
type Source<S> = S extends { readonly anyOf: readonly [infer One, { readonly type: 'null' }] }
  ? Source<One> | null
  : S extends ObjectSchema
    ? keyof S['properties'] extends RequiredName<S>
      ? Entity<S>
      : never
    : S extends { readonly type: 'array'; readonly items: infer Item }
      ? readonly Source<Item>[]
      : S extends { readonly format: 'date-time'; readonly type: infer Type }
        ? Type extends 'string'
          ? number
          : number | null
        : Presented<S>;

type Presented<S> = S extends JSONSchema ? FromSchema<S> : never;

/** Values for the required members of a schema, under their names in the domain. */
type Entity<S extends ObjectSchema> = {
  readonly [Name in RequiredName<S> as CamelCase<Name>]: Source<S['properties'][Name]>;
};

type Convert = (value: unknown) => unknown;

/** Returns the conversion of values of a schema; null: they are presented as they are. */
function conversion(schema: object): Convert | null {
  const { type, format, anyOf, items, required } = schema as Partial<Record<string, unknown>>;
  if (format === 'date-time') return (at) => (at === null ? null : isoTime(at as number));
  if (Array.isArray(anyOf)) return nullable(conversion(anyOf[0] as object));
  if (type === 'object' && required !== undefined) return objectConversion(schema as ObjectSchema);
  const ofItem = typeof items === 'object' && items !== null ? conversion(items) : null;
  return ofItem === null ? null : (list) => (list as readonly unknown[]).map(ofItem);
}

function nullable(convert: Convert | null): Convert | null {
  return convert === null ? null : (value) => (value === null ? null : convert(value));
}

/**
 * Makes a function that presents an entity under a schema: the required members, renamed, with times in ISO 8601. Other
 * members of the entity are left out. Optional members of the schema are added by the caller.
 */
export function presenter<const S extends ObjectSchema>(schema: S): (entity: Entity<S>) => Presented<S> {
  const present = objectConversion(schema);
  return (entity) => present(entity) as Presented<S>;
}

function objectConversion({ required, properties }: ObjectSchema): Convert {
  const members = required.map((name) => ({
    name,
    source: name.replaceAll(/_(.)/g, (_, first: string) => first.toUpperCase()),
    convert: conversion(properties[name] as object),
  }));
  return (entity) => {
    const body: Record<string, unknown> = {};
    for (const { name, source, convert } of members) {
      const value = (entity as Readonly<Record<string, unknown>>)[source];
      body[name] = convert === null ? value : convert(value);
    }
    return body;
  };
}
