import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { EVERY_LOOK } from './browser.ts';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Page of a browser, or of a simulated document. */
interface CheckedPage {
  evaluate<T>(script: string): Promise<T>;
  locator(selector: string): {
    first(): { waitFor(options: { readonly state: 'detached' }): Promise<void> };
  };
}

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/**
 * Script that lists controls whose label is a sentence or longer than 60 characters: help describes a control, and does
 * not name it. Labels with the title of an error are left out.
 */
const LONG_NAMES = `[...document.querySelectorAll('input, select, textarea')]
  .filter((control) => !control.closest('[data-error]') && !control.hasAttribute('aria-labelledby'))
  .flatMap((control) => [...(control.labels ?? [])])
  .map((label) => {
    const copy = label.cloneNode(true);
    for (const inner of copy.querySelectorAll('input, select, textarea')) inner.remove();
    return copy.textContent.trim().replaceAll(/\\s+/g, ' ');
  })
  .filter((name) => name.length > 60 || /[.!?](\\s|$)/.test(name))`;

/**
 * Script that lists elements which repeat: those of the same shape as `KEPT` siblings before them. The shape is the tags,
 * classes and names of attributes of an element and of all in it, without texts and values. A list of 50 equal rows has
 * the faults of its first ones.
 */
const REPEATED = `(() => {
  const KEPT = 3;
  const repeated = [];
  const shape = (element) => {
    const inner = new Map();
    const shapes = [...element.children].map((child) => {
      const own = shape(child);
      const count = (inner.get(own) ?? 0) + 1;
      inner.set(own, count);
      if (count > KEPT) repeated.push(child);
      return own;
    });
    const names = [...element.attributes].map(({ name, value }) => (name === 'class' ? value : name));
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
    return element.tagName + names + (hasText ? 'text' : '') + '(' + shapes + ')';
  };
  shape(document.body);
  return repeated;
})()`;

/**
 * Rule for the contrast of texts, which takes most of the time of a check. It is applied to pages in a look
 * (`assertLooks`), because colours belong to themes, and with `ERRGATE_TEST_LOOKS=all` in every check.
 */
const COLOURS = 'color-contrast';

/**
 * Fails with the accessibility violations of the page and their elements, and for controls that help names.
 * `colours`: whether contrast is checked too.
 */
export async function assertAccessible(page: CheckedPage, colours = EVERY_LOOK): Promise<void> {
  // A list that is loaded again is dimmed meanwhile, which axe would measure as weak contrast.
  await page.locator('.reloading').first().waitFor({ state: 'detached' });
  // Evaluated by the debugger, which the page's Content-Security-Policy does not block.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(source);
  const found = await page.evaluate<readonly Violation[]>(
    `axe.run({ include: document, exclude: ${REPEATED} }, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      rules: { '${COLOURS}': { enabled: ${colours} } },
      resultTypes: ['violations'],
      // Only rules for media and for style sheets of rotated screens need it, which are not here or not asked for.
      preload: false,
    }).then((result) => result.violations)`,
  );
  assert.deepEqual(
    found.map(
      ({ id, help, nodes }) =>
        `${id}: ${help}\n  ${nodes.map((node) => `${node.html.slice(0, 200)}\n    ${node.failureSummary ?? ''}`).join('\n  ')}`,
    ),
    [],
  );
  assert.deepEqual(await page.evaluate<readonly string[]>(LONG_NAMES), [], 'names of controls are not sentences');
}
