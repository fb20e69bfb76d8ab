import type { Browser, BrowserContext, Page } from 'playwright-core';

/** Properties of a window. Only the theme of an open one can change. */
export interface WindowKind {
  /** Address of the service. */
  readonly url: string;
  readonly dark: boolean;
  readonly phone: boolean;
}

/** Page in a context of its own. */
export interface OpenedPage {
  readonly context: BrowserContext;
  readonly page: Page;
}

interface KeptPage extends OpenedPage {
  /** Its theme is changed as needed. */
  kind: WindowKind;
}

/** Small answer of the service. A page that shows it keeps its process, which the next page of the service needs. */
const REST = '/-/liveness';

const viewportOf = ({ phone }: WindowKind) => (phone ? { width: 390, height: 844 } : { width: 1360, height: 850 });

const isUsableFor = (a: WindowKind, b: WindowKind): boolean => a.url === b.url && a.phone === b.phone;

const schemeOf = ({ dark }: WindowKind) => (dark ? 'dark' : 'light');

/** Removes everything that a test left in a page: routes, cookies, stored values, permissions, the pointer's place. */
async function clean({ context, page, kind }: KeptPage): Promise<void> {
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto(REST);
  await context.clearCookies();
  await context.clearPermissions();
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  if (page.viewportSize()?.width !== viewportOf(kind).width || page.viewportSize()?.height !== viewportOf(kind).height)
    await page.setViewportSize(viewportOf(kind));
  await page.mouse.move(0, 0);
}

/**
 * Pages of a browser that tests use one after another. A page that has loaded the program before loads it in half of
 * the processor time.
 */
export class BrowserPages {
  readonly #browser: Browser;
  readonly #free: KeptPage[] = [];
  readonly #used: { readonly kept: KeptPage; readonly reusable: boolean }[] = [];

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** Gives a clean page. `reusable`: whether the page can be cleaned after the test, which a page clock cannot. */
  async take(kind: WindowKind, reusable: boolean): Promise<OpenedPage> {
    const index = reusable ? this.#free.findIndex((one) => isUsableFor(one.kind, kind)) : -1;
    const [free] = index < 0 ? [] : this.#free.splice(index, 1);
    const kept = free ?? (await this.#open(kind));
    if (kept.kind.dark !== kind.dark) await kept.page.emulateMedia({ colorScheme: schemeOf(kind) });
    kept.kind = kind;
    this.#used.push({ kept, reusable });
    return kept;
  }

  async #open(kind: WindowKind): Promise<KeptPage> {
    const { url, phone } = kind;
    const context = await this.#browser.newContext({
      baseURL: url,
      colorScheme: schemeOf(kind),
      viewport: viewportOf(kind),
      ...(phone ? { isMobile: true, hasTouch: true } : {}),
      reducedMotion: 'reduce',
    });
    return { context, page: await context.newPage(), kind };
  }

  /** Takes back all given pages. Those that cannot be cleaned are closed. */
  async takeBack(): Promise<void> {
    for (const { kept, reusable } of this.#used.splice(0)) {
      const cleaned =
        reusable &&
        !kept.page.isClosed() &&
        (await clean(kept).then(
          () => true,
          () => false,
        ));
      if (cleaned) this.#free.push(kept);
      else await kept.context.close();
    }
  }

  /** Closes the pages of a service that ends. */
  async close(url: string): Promise<void> {
    for (let index = this.#free.length - 1; index >= 0; index -= 1) {
      if (this.#free[index]?.kind.url === url) await this.#free.splice(index, 1)[0]?.context.close();
    }
  }
}
