interface Described {
  readonly title?: string;
  readonly description?: string;
  readonly properties: Readonly<Record<string, object>>;
}

/** Schema of an object that has all of its members, and no others. */
type WholeObject<T extends Described> = T & {
  readonly type: 'object';
  readonly required: readonly (keyof T['properties'] & string)[];
  readonly additionalProperties: false;
};

/** Returns the schema of an object whose members are all required. */
export function objectSchema<const T extends Described>(described: T): WholeObject<T> {
  const { title, description, properties } = described;
  return {
    ...(title === undefined ? {} : { title }),
    type: 'object',
    ...(description === undefined ? {} : { description }),
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  } as unknown as WholeObject<T>;
}
