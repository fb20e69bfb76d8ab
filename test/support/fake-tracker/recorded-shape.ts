/** Kind of a value. Times differ from other texts, and empty lists and objects from non-empty ones. */
type Kind = 'null' | 'boolean' | 'number' | 'text' | 'time' | 'list' | 'empty list' | 'object' | 'empty object';

/** Shape of all recorded values at one place. */
export interface Shape {
  readonly kinds: Set<Kind>;
  /** Number of objects, empty ones included. */
  objects: number;
  readonly members: Map<string, { seen: number; readonly shape: Shape }>;
  /** Shapes of list items: one for all, or one per `type` in a list of entries. */
  readonly items: Map<string, Shape>;
}

/** Members whose keys are data of the failed program; all their values have one shape. */
const DICTIONARIES: ReadonlySet<string> = new Set(['packages', 'vars', 'context', 'headers', 'cookies', 'env']);
/** Values with free content from the program; their members are not compared. */
const FREE: ReadonlySet<string> = new Set(['vars', 'context']);
/** Objects whose members are all optional, because they depend on the program. */
const AS_SENT: ReadonlySet<string> = new Set(['contexts']);

const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Members with the same shape in all events, whether listed or single. */
const SHARED: ReadonlySet<string> = new Set(['entries', 'contexts']);

export const newShape = (): Shape => ({ kinds: new Set(), objects: 0, members: new Map(), items: new Map() });

function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'empty list' : 'list';
  if (isObject(value)) return Object.keys(value).length === 0 ? 'empty object' : 'object';
  if (typeof value === 'string') return TIME.test(value) ? 'time' : 'text';
  return typeof value === 'boolean' ? 'boolean' : 'number';
}

const memberName = (place: string, name: string): string => (DICTIONARIES.has(place) ? '*' : name);
const itemName = (place: string, item: unknown): string =>
  place === 'entries' && isObject(item) ? String(item.type) : '';

/** Adds a recorded value to a shape. `shared`: shapes of parts of events; `place`: name of the member. */
export function learnShape(shape: Shape, value: unknown, shared: Map<string, Shape>, place = ''): void {
  shape.kinds.add(kindOf(value));
  if (FREE.has(place)) return;
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) {
      const name = itemName(place, item);
      const known = shape.items.get(name) ?? newShape();
      shape.items.set(name, known);
      learnShape(known, item, shared, place);
    }
  } else if (isObject(value)) {
    shape.objects += 1;
    for (const [own, member] of Object.entries(value)) {
      const name = memberName(place, own);
      const part = shared.get(name) ?? newShape();
      if (SHARED.has(name)) shared.set(name, part);
      const known = shape.members.get(name) ?? { seen: 0, shape: part };
      known.seen += 1;
      shape.members.set(name, known);
      learnShape(known.shape, member, shared, own);
    }
  }
}

/**
 * Lists all differences between a value and the recorded shape: missing or unknown members and unknown kinds.
 * Null, empty lists and empty objects are kinds of their own.
 * A member is optional only if it is missing in a recorded object.
 */
export function differences(shape: Shape, value: unknown, path = '', place = ''): string[] {
  const kind = kindOf(value);
  const shown = path === '' ? 'the answer' : path;
  if (!shape.kinds.has(kind)) return [`${shown} is ${kind}, recorded: ${[...shape.kinds].join(', ')}`];
  if (FREE.has(place)) return [];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => {
      const name = itemName(place, item);
      const known = shape.items.get(name);
      const at = `${path}[${index}${name === '' ? '' : ` ${name}`}]`;
      return known === undefined ? [`${at} is made up`] : differences(known, item, at, place);
    });
  }
  if (!isObject(value)) return [];
  const names = new Set(Object.keys(value).map((own) => memberName(place, own)));
  const missing = [...shape.members]
    .filter(([name, { seen }]) => seen >= shape.objects && name !== '*' && !names.has(name) && !AS_SENT.has(place))
    .map(([name]) => `${path}.${name} is missing`);
  const wrong = Object.entries(value).flatMap(([own, member]) => {
    const known = shape.members.get(memberName(place, own));
    const at = `${path}.${own}`;
    return known === undefined ? [`${at} is made up`] : differences(known.shape, member, at, own);
  });
  return [...missing, ...wrong];
}
