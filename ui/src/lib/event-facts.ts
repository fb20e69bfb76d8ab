type Json = Readonly<Record<string, unknown>>;

/** Who and where: what one looks for first about an event. */
export interface EventFact {
  readonly kind: 'user' | 'browser' | 'os' | 'runtime' | 'device' | 'url';
  /** Name for people: `Browser`. */
  readonly label: string;
  readonly text: string;
  /** Search that finds errors with the same value: key and value; null: there is none. */
  readonly search: { readonly key: string; readonly value: string } | null;
}

function asJson(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' ? String(value) : '';
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

/** Name and version of a context, such as `Firefox 140.0`. */
function versioned(context: Json): string {
  const [name, version] = [textOf(context.name), textOf(context.version)];
  // Some SDKs repeat the name in the version: `go` and `go1.22.1`.
  return version.toLowerCase().startsWith(name.toLowerCase()) ? version || name : joined(name, version);
}

/** Characters of a tag's value, as in the service. */
const MAX_TAG = 200;

/** Value of the tag that the service derives from a context of an event without such a tag; empty: none. */
function productTag(context: Json): string {
  const name = textOf(context.name);
  return name === '' ? '' : joined(name, textOf(context.version)).slice(0, MAX_TAG);
}

/** Best known name of a user, and the value by which errors of the same user are found. */
export function userNames(user: unknown): { readonly first: string; readonly rest: readonly string[] } {
  const { email, username, name, id, ip_address: address } = asJson(user);
  const names = [email, username, name, id, address].map(textOf).filter((text) => text !== '');
  const [first = '', ...rest] = [...new Set(names)];
  return { first, rest };
}

/** Value by which errors of a user are searched: the id first, because only it stays the same; empty without any. */
export function userSearch(user: unknown): string {
  const { email, username, id, ip_address: address } = asJson(user);
  return [email, id, username, address].map(textOf).find((text) => text !== '') ?? '';
}

/** Parts of an event that facts are taken from. */
interface Facts {
  readonly user: unknown;
  readonly contexts: unknown;
  readonly request: unknown;
  readonly tags: readonly { readonly key: string; readonly value: string }[];
}

function tagOf({ tags }: Facts, key: string): string {
  return tags.find((tag) => tag.key === key)?.value ?? '';
}

/** Facts of an event in the order of their weight; only those that it has. */
export function factsOf(event: Facts): EventFact[] {
  const contexts = asJson(event.contexts);
  const [browser, os, runtime, device] = ['browser', 'os', 'runtime', 'device'].map((name) => asJson(contexts[name]));
  const { first } = userNames(event.user);
  const user = userSearch(event.user);
  const model = joined(textOf(device?.brand ?? device?.manufacturer), textOf(device?.model));
  const tagged = (key: string, text: string, derived: string) => {
    const own = tagOf(event, key);
    const value = own === '' ? derived : own;
    return { text: text === '' ? own : text, search: value === '' ? null : { key, value } };
  };
  const product = (key: string, context: Json = {}) => tagged(key, versioned(context), productTag(context));
  const facts: EventFact[] = [
    { kind: 'user', label: 'User', text: first, search: user === '' ? null : { key: 'user', value: user } },
    { kind: 'browser', label: 'Browser', ...product('browser', browser) },
    { kind: 'os', label: 'OS', ...product('os', os) },
    { kind: 'runtime', label: 'Runtime', ...product('runtime', runtime) },
    { kind: 'device', label: 'Device', ...tagged('device', model, textOf(device?.model) || textOf(device?.family)) },
    { kind: 'url', label: 'URL', text: textOf(asJson(event.request).url), search: null },
  ];
  return facts.filter(({ text }) => text !== '');
}
