import type { Frame } from '../../../../../domain/events/event.ts';
import type { PlatformFamily } from '../platform-family.ts';

/** Folders, modules, classes and functions with the name that all frameworks use for middleware. */
const NAMED = /(?:^|[/\\.:])middlewares?(?:[/\\.:]|$)|Middleware(?![a-z])|_middleware(?![a-z])/;
/** Modules of Go frameworks whose `ServeHTTP` or `Next` is called by a handler to run the next one. */
const CALLS_NEXT = /^(?:net\/http|github\.com\/(?:gin-gonic\/gin|labstack\/echo|gofiber\/fiber))(?:\/|\.|$)/;
const NEXT = /(?:^|\.|\))(?:ServeHTTP|Next)$/;
const NODE_NEXT = /^(?:\w+\.)?(?:next|dispatch)$/;
const NODE_ROUTER = /[/\\]node_modules[/\\](?:express|router|koa-compose|connect)[/\\]/;

/**
 * Returns true for a call that only passes a request on; `inner` is the next frame of the stack. Middleware is added,
 * removed and reordered without changes to handlers, so it counts only where the error itself is.
 */
export function isMiddleware(frame: Frame, inner: Frame | undefined, family: PlatformFamily): boolean {
  return (
    (inner !== undefined && !inner.in_app && callsNext(inner, family)) ||
    isNamed(frame.module) ||
    isNamed(frame.abs_path) ||
    isNamed(frame.function)
  );
}

/** Returns true for families whose programs chain handlers that are named like this. */
export function hasMiddleware(family: PlatformFamily): boolean {
  return family !== 'native' && family !== 'csharp' && family !== 'java' && family !== 'other';
}

function callsNext(inner: Frame, family: PlatformFamily): boolean {
  const { module, abs_path: path, function: name } = inner;
  if (name === null) return false;
  if (family === 'go') return module !== null && NEXT.test(name) && CALLS_NEXT.test(module);
  return family === 'javascript' && path !== null && NODE_NEXT.test(name) && NODE_ROUTER.test(path);
}

function isNamed(text: string | null): boolean {
  return text !== null && text.includes('iddleware') && NAMED.test(text);
}
