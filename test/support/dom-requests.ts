import { AssertionError } from 'node:assert/strict';
import { assertDescribed } from './dom-answers.ts';

/** Address, or pattern as in Playwright: `*` matches within a part of the path, `**` everything. */
export type Pattern = string | RegExp;

interface GivenAnswer {
  /** Answer of the service that the others change. */
  readonly response?: Response;
  readonly status?: number;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Request of a page that a test answers. */
export interface DomRoute {
  readonly request: Request;
  /** Asks the service, at another address if one is given. */
  fetch(url?: string): Promise<Response>;
  /** Answer that docs/openapi.json must describe. */
  fulfill(answer: GivenAnswer): Promise<Response>;
  /** The connection fails. */
  abort(): Promise<Response>;
}

/** Returns the answer; undefined leaves the page waiting. */
export type RouteHandler = (route: DomRoute) => Promise<Response> | undefined;

const never = (): Promise<never> => new Promise(() => undefined);

async function answerTo(request: Request, { response, ...given }: GivenAnswer): Promise<Response> {
  const { status = response?.status ?? 200, json = await response?.json(), headers = {} } = given;
  assertDescribed(request.method, new URL(request.url).pathname, status, json);
  const sent = new Headers(response?.headers ?? { 'Content-Type': 'application/json' });
  for (const [name, value] of Object.entries(headers)) sent.set(name, value);
  return new Response(json === undefined ? null : JSON.stringify(json), { status, headers: sent });
}

/** Requests of a page: to the service with the page's cookies, or to what the test answers. */
export class DomRequests {
  readonly cookies = new Map<string, string>();
  readonly #origin: string;
  readonly #complain: (text: string) => void;
  readonly #routes: { readonly pattern: Pattern; readonly handler: RouteHandler }[] = [];
  /** Number of the page that is open; null when there is none. */
  #page: number | null = null;
  #pages = 0;

  /** `complain`: takes what is wrong with an answer of the test. */
  constructor(url: string, complain: (text: string) => void) {
    this.#origin = new URL(url).origin;
    this.#complain = complain;
  }

  patternOf(pattern: Pattern): RegExp {
    if (typeof pattern !== 'string') return pattern;
    const source = pattern
      .replaceAll(/[.+^$()|[\]\\?]/g, '\\$&')
      .replaceAll(/\*\*|\*/g, (stars) => (stars === '**' ? '.*' : '[^/]*'));
    return new RegExp(`^${source}$`);
  }

  route(pattern: Pattern, handler: RouteHandler): void {
    this.#routes.unshift({ pattern, handler });
  }

  unroute(pattern: Pattern): void {
    for (let index = this.#routes.length - 1; index >= 0; index -= 1)
      if (String(this.#routes[index]?.pattern) === String(pattern)) this.#routes.splice(index, 1);
  }

  beginPage(): void {
    this.#pages += 1;
    this.#page = this.#pages;
  }

  /** Drops the answers of the open page and its further requests. */
  endPage(): void {
    this.#page = null;
  }

  readonly send = async (request: Request): Promise<Response> => {
    const page = this.#page;
    if (page === null) return never();
    try {
      const answer = await this.#answer(request);
      return page === this.#page ? answer : await never();
    } catch (error) {
      if (page !== this.#page) return never();
      if (error instanceof AssertionError) this.#complain(error.message);
      throw error;
    }
  };

  #answer(request: Request): Promise<Response> {
    const route = this.#routes.find(({ pattern }) => this.patternOf(pattern).test(request.url));
    const ask = (url = request.url) => this.#ask(new Request(url, request));
    if (route === undefined) return this.#ask(request);
    const handled = route.handler({
      request,
      fetch: ask,
      fulfill: (answer) => answerTo(request, answer),
      abort: () => Promise.reject(new TypeError('the connection failed')),
    });
    return handled ?? never();
  }

  async #ask(request: Request): Promise<Response> {
    const asked = new Request(request);
    asked.headers.set('Origin', this.#origin);
    asked.headers.set('Cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const answer = await fetch(asked);
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '' || /Max-Age=0|1970/.test(cookie)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }
}
