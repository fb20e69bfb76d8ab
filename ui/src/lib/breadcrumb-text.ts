import type { Breadcrumb } from './event-view.ts';

export interface BreadcrumbText {
  /** What happened, such as `GET https://api.example.com/stock 200`. */
  readonly text: string;
  /** Whether the text is code, such as a query of a database. */
  readonly code: boolean;
  /** The rest of the data as JSON; empty without any. */
  readonly data: string;
}

type Json = Readonly<Record<string, unknown>>;

function pick(data: Json, ...names: readonly string[]): { readonly name: string; readonly text: string } | null {
  for (const name of names) {
    const value = data[name];
    if (typeof value === 'string' && value !== '') return { name, text: value };
    if (typeof value === 'number') return { name, text: String(value) };
  }
  return null;
}

function without(data: Json, names: readonly (string | undefined)[]): string {
  const rest = Object.fromEntries(Object.entries(data).filter(([name]) => !names.includes(name)));
  return Object.keys(rest).length === 0 ? '' : JSON.stringify(rest);
}

const SQL = /^\s*(select|insert|update|delete|with|begin|commit|rollback|create|alter|drop)\b/i;

/** Says what a breadcrumb is about. Requests and navigation get a line of their own form. */
export function breadcrumbText({ type, category, message, data }: Breadcrumb): BreadcrumbText {
  const given: Json = data ?? {};
  const kind = `${type} ${category ?? ''}`;
  if (/\b(http|xhr|fetch)\b/.test(kind)) {
    const url = pick(given, 'url', 'http.url', 'to');
    const method = pick(given, 'method', 'http.method', 'http.request.method');
    const status = pick(given, 'status_code', 'http.response.status_code', 'status');
    if (url !== null) {
      const line = [method?.text.toUpperCase(), url.text, status?.text].filter((part) => part !== undefined).join(' ');
      const used = [url.name, method?.name, status?.name];
      return { text: message === null ? line : `${message} ${line}`, code: false, data: without(given, used) };
    }
  }
  if (/\bnavigation\b/.test(kind) && message === null) {
    const [from, to] = [pick(given, 'from'), pick(given, 'to')];
    if (to !== null) {
      const text = from === null ? to.text : `${from.text} → ${to.text}`;
      return { text, code: false, data: without(given, ['from', 'to']) };
    }
  }
  const isQuery = /\b(query|sql|db)\b/.test(kind) || SQL.test(message ?? '');
  return { text: message ?? '', code: message !== null && isQuery, data: without(given, []) };
}
