import type { Window } from 'happy-dom';
import { POPOVER_OPEN } from './dom-visible.ts';

/** Global object of a simulated page. */
export type PageGlobals = Window & Record<string, unknown>;

/** Adds what pages use and happy-dom lacks. Returns a function that releases it. */
export function addMissingParts(window: PageGlobals, send: (request: Request) => Promise<Response>): () => void {
  const channels = new Set<BroadcastChannel>();
  const absolute = (input: string | URL | Request) =>
    input instanceof Request ? input : new URL(input, window.location.href);
  // The page and the test have other classes of the same names; requests go out by those of the test.
  Object.assign(window, {
    AbortController,
    AbortSignal,
    DOMException,
    Headers,
    Response,
    Request: class extends Request {
      constructor(input: string | URL | Request, init?: RequestInit) {
        super(absolute(input), init);
      }
    },
    fetch: (input: string | URL | Request, init?: RequestInit) => send(new Request(absolute(input), init)),
    BroadcastChannel: class extends BroadcastChannel {
      constructor(name: string) {
        super(name);
        channels.add(this);
      }
    },
    scrollTo: () => undefined,
  });
  const toggle = (open: boolean) =>
    function (this: HTMLElement) {
      if (this.hasAttribute(POPOVER_OPEN) === open) return;
      this.toggleAttribute(POPOVER_OPEN, open);
      const event = new window.Event('toggle');
      this.dispatchEvent(Object.assign(event, { newState: open ? 'open' : 'closed' }) as unknown as Event);
    };
  Object.assign(window.HTMLElement.prototype, {
    showPopover: toggle(true),
    hidePopover: toggle(false),
    scrollIntoView: () => undefined,
  });
  return () => {
    for (const channel of channels) channel.close();
  };
}
