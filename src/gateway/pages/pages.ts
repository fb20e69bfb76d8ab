import type { Context, Middleware } from 'koa';
import { formerLinkIn } from '../../domain/imports/former-link.ts';
import { formerListIn } from '../../domain/imports/former-list.ts';
import { projectPathProblem } from '../../domain/names.ts';
import { escapeHtml } from '../http/escape-html.ts';
import { isPlainErrorId } from '../http/path-ids.ts';
import { readUiFiles, type UiFile, type UiFiles } from './ui-files.ts';

/** Allows scripts and styles only from this server, requests only to it, and no frame around the page. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  // Allows `base` on the same origin only: the page sets its own base, which contains the sub-path.
  "base-uri 'self'",
  "frame-ancestors 'none'",
].join('; ');

const YEAR = 'public, max-age=31536000, immutable';

/** Addresses of the page. `/-/` ends the path of a project. */
const PAGE = new RegExp(
  '^/(users/sign_in|-/profile(/.*)?|-/groups(/.+)?|-/invitations/[^/]+|admin(/.*)?|' +
    '(?!-/).+?/-/(error_tracking(/(releases(/[^/]+(/compare)?)?|setup|outcomes|uploads|user_reports|[^/]+/details))?|settings/(operations|alerts)|project_members|audit_events))?/?$',
);

/** Checks only the form of the path. The page itself finds out whether the project exists and is visible. */
function isProjectAddress(path: string): boolean {
  return projectPathProblem(path.slice(1)) === null;
}

/** Addresses in front of the routes of web JSON that have no page of their own, and the page that shows the same. */
const PAGE_OF_ERROR = /^(\/.+?\/-\/error_tracking\/)([^/]+?)(?:\/stack_trace)?\/?$/;
const PAGE_OF_SETTINGS = /^(\/.+?\/-\/)(?:error_tracking\/projects|settings)\/?$/;

/** Returns the page for an address of web JSON that a browser opens, without its `/` at the start; null for others. */
function pageInstead({ path, search }: Context): string | null {
  const [, before, id] = PAGE_OF_ERROR.exec(path) ?? [];
  if (before !== undefined && id !== undefined && isPlainErrorId(id)) return `${before.slice(1)}${id}/details${search}`;
  // The query may have the token of a tracker: it stays behind.
  const [, project] = PAGE_OF_SETTINGS.exec(path) ?? [];
  return project === undefined ? null : `${project.slice(1)}settings/operations`;
}

/** Paths of the API and of assets: unknown ones get a JSON error, for browsers as well. */
const FOR_PROGRAMS = /^\/(api|errortracking|assets)(\/|$)/;

/** Maximum characters of an address that is looked at as one of a former tracker. */
const MAX_FORMER = 2000;

/** Returns true when a browser opens what may be the address of an issue in a former tracker. */
export function isFormerAddress(ctx: Context): boolean {
  return mayBeFormer(ctx) && formerLinkIn(ctx.path + ctx.search) !== null;
}

/** Returns true when a browser opens what may be the address of a list of issues in a former tracker. */
export function isFormerList(ctx: Context): boolean {
  return mayBeFormer(ctx) && formerListIn(ctx.path + ctx.search) !== null;
}

function mayBeFormer(ctx: Context): boolean {
  const { method, path, search } = ctx;
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (FOR_PROGRAMS.test(path) || path.length + search.length > MAX_FORMER || !asksForHtml(ctx)) return false;
  return !isOnlyForWriting(ctx);
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>errgate</title>
<h1>The pages are not built</h1>
<p>Events are accepted and the API works. For the pages run <code>npm run build</code> in the checkout of errgate and start the service again.
`;

export interface PagesDeps {
  /** Folder of the built pages; null: there are none. */
  readonly uiDir: string | null;
  /** Returns the external address, without a slash at the end. */
  readonly externalUrl: () => string;
}

function setPageHeaders(ctx: Context): void {
  ctx.set('Content-Security-Policy', CONTENT_SECURITY_POLICY);
  ctx.set('X-Frame-Options', 'DENY');
  ctx.set('Referrer-Policy', 'same-origin');
  ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
  ctx.set('Cache-Control', 'no-store');
}

/** Returns the index page for the sub-path of an address, which replaces `__BASE__`, with a slash at both ends. */
function pageFor(externalUrl: string, index: string): string {
  return index.replaceAll('__BASE__', escapeHtml(basePath(externalUrl)));
}

/** Returns the path of the address of this service, with a slash at its end. */
export function basePath(externalUrl: string): string {
  return `${new URL(externalUrl).pathname.replace(/\/+$/, '')}/`;
}

function sendPage(ctx: Context, status: number, html: string): void {
  ctx.state.group = 'page';
  setPageHeaders(ctx);
  ctx.status = status;
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = html;
}

/** End of addresses that may be lists of a former tracker. Their page finds out, after the sign-in. */
const MAYBE_LIST = /\/issues$/;

/** Returns where a browser is sent instead; null: nowhere. A project's own address leads to its list of errors. */
function otherPage(ctx: Context): string | null {
  if (MAYBE_LIST.test(ctx.path)) return null;
  return isProjectAddress(ctx.path) ? `${ctx.path.slice(1)}/-/error_tracking` : pageInstead(ctx);
}

function sendTo(ctx: Context, externalUrl: string, page: string): void {
  ctx.state.group = 'page';
  ctx.set('Cache-Control', 'no-store');
  ctx.redirect(`${basePath(externalUrl)}${page}`);
}

function sendFile(ctx: Context, file: UiFile): void {
  ctx.state.group = 'page';
  ctx.status = 200;
  ctx.type = /\.[^./]+$/.exec(ctx.path)?.[0] ?? 'application/octet-stream';
  ctx.set('Cache-Control', file.hashed ? YEAR : 'no-cache');
  ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
  ctx.set('ETag', file.etag);
  ctx.vary('Accept-Encoding');
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  const { br, gzip, body } = file;
  const [encoding, smaller] = [['br', br] as const, ['gzip', gzip] as const].find(
    ([name, bytes]) => bytes !== null && ctx.acceptsEncodings(name) === name,
  ) ?? [null, null];
  if (encoding !== null) ctx.set('Content-Encoding', encoding);
  ctx.body = smaller ?? body;
}

/** Returns true for browsers, which name HTML in Accept; most programs accept anything. */
function asksForHtml(ctx: Context): boolean {
  return ctx.get('Accept').includes('text/html') && ctx.accepts(['html', 'json']) === 'html';
}

/** Returns true when an address has routes, but none for reading. Browsers then get the same answer as programs. */
function isOnlyForWriting(ctx: Context): boolean {
  const routes = (ctx as { matched?: readonly { readonly methods: readonly string[] }[] }).matched ?? [];
  return routes.length > 0 && !routes.some(({ methods }) => methods.includes('GET'));
}

/** Serves the built pages: after all other routes, for GET and HEAD only. */
export function pages({ uiDir, externalUrl }: PagesDeps): Middleware {
  const ui: UiFiles | null = uiDir === null ? null : readUiFiles(uiDir);
  let servedFor = '';
  let html = '';

  function page(): string {
    const url = externalUrl();
    if (ui !== null && url !== servedFor) {
      html = pageFor(url, ui.index);
      servedFor = url;
    }
    return html;
  }

  return async (ctx, next) => {
    const file = ui?.files.get(ctx.path);
    const isPage = (PAGE.test(ctx.path) && ctx.accepts(['html']) !== false) || isFormerAddress(ctx);
    const byBrowser = !isPage && asksForHtml(ctx) && !FOR_PROGRAMS.test(ctx.path);
    const isMissing = byBrowser && !isOnlyForWriting(ctx);
    const other = byBrowser ? otherPage(ctx) : null;
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') await next();
    else if (file !== undefined) sendFile(ctx, file);
    else if (other !== null) sendTo(ctx, externalUrl(), other);
    else if (!isPage && !isMissing) await next();
    else if (ui === null) sendPage(ctx, isPage ? 503 : 404, NOT_BUILT);
    else sendPage(ctx, isPage ? 200 : 404, page());
  };
}
