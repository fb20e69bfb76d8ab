import { queryAllByLabelText, queryAllByPlaceholderText, queryAllByRole } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { isAccessible, isVisible } from './dom-visible.ts';

/** Text or pattern. A text is part of the wanted one, in any case, unless `exact`. */
export type TextMatch = string | RegExp;

export interface MatchOptions {
  readonly exact?: boolean;
}

export interface RoleOptions extends MatchOptions {
  readonly name?: TextMatch;
  readonly level?: number;
  readonly pressed?: boolean;
  readonly checked?: boolean;
}

/** What a locator needs of its page. */
export interface LocatorPage {
  readonly root: Element;
  readonly user: UserEvent;
  /** Repeats `attempt` after changes of the document until it returns a value other than null. */
  until<T>(what: string, attempt: () => T | null): Promise<T>;
}

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

function matches(text: string, wanted: TextMatch, { exact = false }: MatchOptions): boolean {
  if (typeof wanted !== 'string') return wanted.test(plain(text));
  return exact ? plain(text) === plain(wanted) : plain(text).toLowerCase().includes(plain(wanted).toLowerCase());
}

const fits =
  (wanted: TextMatch, options: MatchOptions) =>
  (text: string): boolean =>
    matches(text, wanted, options);

const textOf = (element: Element): string => element.textContent;

/** Finds the innermost elements with a text. */
function byText(root: Element, has: (text: string) => boolean): Element[] {
  const inner = [...root.children].flatMap((child) => byText(child, has));
  if (inner.length > 0) return inner;
  return !root.matches('script, style') && has(textOf(root)) ? [root] : [];
}

const keyOf = (key: string): string => {
  const [last = '', ...held] = key.split('+').reverse();
  const name = last === 'Space' ? '[Space]' : last.length === 1 ? last : `{${last}}`;
  return held.reduce((inner, holds) => `{${holds}>}${inner}{/${holds}}`, name);
};

/** Presses a key, written as `Enter`, `a` or `Control+Enter`, in the focused element. */
export async function pressKey(user: UserEvent, key: string): Promise<void> {
  await user.keyboard(keyOf(key));
}

/**
 * Elements of a simulated page, found again for each use. Has the part of Playwright's `Locator` that needs no layout,
 * with the same rules: actions wait for exactly one visible element that is not disabled.
 */
export class DomLocator {
  readonly #page: LocatorPage;
  readonly #what: string;
  readonly #find: () => Element[];

  constructor(page: LocatorPage, what: string, find: () => Element[]) {
    this.#page = page;
    this.#what = what;
    this.#find = find;
  }

  elements(): Element[] {
    return this.#find();
  }

  #within(what: string, find: (root: Element) => readonly Element[]): DomLocator {
    return new DomLocator(this.#page, `${this.#what} ${what}`, () => [...new Set(this.#find().flatMap(find))]);
  }

  #among(what: string, keep: (elements: Element[]) => Element[]): DomLocator {
    return new DomLocator(this.#page, `${this.#what} ${what}`, () => keep(this.#find()));
  }

  getByRole(role: string, { name, exact = false, ...options }: RoleOptions = {}): DomLocator {
    const named = name === undefined ? {} : { name: fits(name, { exact }) };
    return this.#within(`${role} ${String(name ?? '')}`, (root) =>
      queryAllByRole(root as HTMLElement, role, { hidden: true, ...options, ...named }).filter(isAccessible),
    );
  }

  getByText(text: TextMatch, options: MatchOptions = {}): DomLocator {
    return this.#within(`text ${String(text)}`, (root) =>
      [...root.children]
        .flatMap((child) => byText(child, fits(text, options)))
        .concat(root.children.length === 0 && matches(textOf(root), text, options) ? [root] : []),
    );
  }

  getByLabel(text: TextMatch, options: MatchOptions = {}): DomLocator {
    return this.#within(`label ${String(text)}`, (root) =>
      queryAllByLabelText(root as HTMLElement, fits(text, options)),
    );
  }

  getByPlaceholder(text: TextMatch, options: MatchOptions = {}): DomLocator {
    return this.#within(`placeholder ${String(text)}`, (root) =>
      queryAllByPlaceholderText(root as HTMLElement, fits(text, options)),
    );
  }

  /** Finds elements by a CSS selector; `..` is the parent. */
  locator(selector: string, options: { readonly hasText?: TextMatch } = {}): DomLocator {
    const found = this.#within(selector, (root) => {
      if (selector !== '..') return [...root.querySelectorAll(selector)];
      return root.parentElement === null ? [] : [root.parentElement];
    });
    return found.filter(options);
  }

  filter({ hasText, has }: { readonly hasText?: TextMatch; readonly has?: DomLocator }): DomLocator {
    if (hasText === undefined && has === undefined) return this;
    return this.#among(`with ${String(hasText ?? '')}`, (elements) =>
      elements.filter(
        (element) =>
          (hasText === undefined || matches(textOf(element), hasText, {})) &&
          (has === undefined || has.elements().some((inner) => inner !== element && element.contains(inner))),
      ),
    );
  }

  and(other: DomLocator): DomLocator {
    return this.#among('and', (elements) => {
      const others = new Set(other.elements());
      return elements.filter((element) => others.has(element));
    });
  }

  nth(index: number): DomLocator {
    return this.#among(`number ${index}`, (elements) => elements.slice(index, index === -1 ? undefined : index + 1));
  }

  first(): DomLocator {
    return this.nth(0);
  }

  last(): DomLocator {
    return this.nth(-1);
  }

  #one(): Element | null {
    const [element, ...more] = this.#find();
    if (more.length > 0) throw new Error(`${more.length + 1} elements are${this.#what}`);
    return element ?? null;
  }

  /** Waits for the element. */
  #attached(): Promise<HTMLElement> {
    return this.#page.until(this.#what, () => this.#one() as HTMLElement | null);
  }

  /** Waits until a user can work with the element. */
  #usable(): Promise<HTMLElement> {
    return this.#page.until(`${this.#what}, visible and not disabled`, () => {
      const element = this.#one() as HTMLElement | null;
      return element !== null && isVisible(element) && !element.matches(':disabled') ? element : null;
    });
  }

  async waitFor({ state = 'visible' }: { readonly state?: 'visible' | 'attached' | 'detached' | 'hidden' } = {}) {
    await this.#page.until(`${this.#what}, ${state}`, () => {
      const element = this.#one();
      if (state === 'detached') return element === null ? true : null;
      if (state === 'hidden') return element === null || !isVisible(element) ? true : null;
      return element !== null && (state === 'attached' || isVisible(element)) ? true : null;
    });
  }

  async click(): Promise<void> {
    await this.#page.user.click(await this.#usable());
  }

  async hover(): Promise<void> {
    await this.#page.user.hover(await this.#usable());
  }

  async focus(): Promise<void> {
    (await this.#attached()).focus();
  }

  /** Replaces the value, as one input of the user. The change is complete when the focus leaves, or with Enter. */
  async fill(value: string): Promise<void> {
    const field = (await this.#usable()) as HTMLInputElement;
    const { InputEvent: Input, Event: Changed } = field.ownerDocument.defaultView as unknown as typeof globalThis;
    field.focus();
    field.value = value;
    field.dispatchEvent(new Input('input', { bubbles: true, inputType: 'insertText' }));
    field.dispatchEvent(new Changed('change', { bubbles: true }));
  }

  async clear(): Promise<void> {
    await this.fill('');
  }

  async press(key: string): Promise<void> {
    (await this.#attached()).focus();
    await pressKey(this.#page.user, key);
  }

  async pressSequentially(text: string): Promise<void> {
    (await this.#attached()).focus();
    await this.#page.user.keyboard(text.replaceAll(/[[{]/g, '$&$&'));
  }

  async check(): Promise<void> {
    await this.#setChecked(true);
  }

  async uncheck(): Promise<void> {
    await this.#setChecked(false);
  }

  async #setChecked(checked: boolean): Promise<void> {
    const box = (await this.#usable()) as HTMLInputElement;
    if (box.checked !== checked) await this.#page.user.click(box);
  }

  /** Chooses an option by its value or its label. */
  async selectOption(wanted: string | { readonly label: string }): Promise<void> {
    const select = (await this.#usable()) as HTMLSelectElement;
    await this.#page
      .until(`${this.#what}, option ${JSON.stringify(wanted)}`, () => {
        const fitting = [...select.options].find(({ value, text }) =>
          typeof wanted === 'string' ? value === wanted || plain(text) === wanted : plain(text) === wanted.label,
        );
        return fitting ?? null;
      })
      .then((option) => this.#page.user.selectOptions(select, option));
  }

  async count(): Promise<number> {
    return this.#find().length;
  }

  async isVisible(): Promise<boolean> {
    const element = this.#one();
    return element !== null && isVisible(element);
  }

  async isChecked(): Promise<boolean> {
    return ((await this.#attached()) as HTMLInputElement).checked;
  }

  async isDisabled(): Promise<boolean> {
    return (await this.#attached()).matches(':disabled');
  }

  async isEnabled(): Promise<boolean> {
    return !(await this.isDisabled());
  }

  async inputValue(): Promise<string> {
    return ((await this.#attached()) as HTMLInputElement).value;
  }

  async getAttribute(name: string): Promise<string | null> {
    return (await this.#attached()).getAttribute(name);
  }

  /** Text with each run of white space as one space, without hidden parts. Playwright's has lines instead. */
  async innerText(): Promise<string> {
    return shownText(await this.#attached());
  }

  async textContent(): Promise<string> {
    return textOf(await this.#attached());
  }

  async evaluate<T>(read: (element: HTMLElement) => T): Promise<T> {
    return read(await this.#attached());
  }

  async evaluateAll<T>(read: (elements: Element[]) => T): Promise<T> {
    return read(this.#find());
  }

  async allInnerTexts(): Promise<string[]> {
    return this.#find().map(shownText);
  }
}

/** Tags whose text continues the line. Others begin and end one. */
const INLINE = new Set('A ABBR B BDI BDO CODE EM I KBD MARK S SMALL SPAN STRONG SUB SUP TIME U'.split(' '));

function shownParts(node: Node): string {
  if (node.nodeType === 3) return node.textContent ?? '';
  if (node.nodeType !== 1 || !isVisible(node as Element)) return '';
  const inner = [...node.childNodes].map(shownParts).join('');
  return INLINE.has(node.nodeName) ? inner : ` ${inner} `;
}

const shownText = (element: Element): string => plain(shownParts(element));
