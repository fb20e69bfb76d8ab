import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { leftOut, shapesOf } from './browser-shapes.ts';
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

/** Script for the theme and the width of a page. */
const LOOK = "matchMedia('(prefers-color-scheme: dark)').matches + ' ' + innerWidth";

/**
 * Rules for the contrast of texts and for sizes, which take half of the time of a check. They are applied to pages in a
 * look (`assertLooks`), because colours belong to themes and sizes to widths, and with `ERRGATE_TEST_LOOKS=all` in every
 * check.
 */
const RULES_OF_LOOKS = ['color-contrast', 'target-size'];

/** Keys of elements that checks of this process found without fault: with the rules of a look, or without them. */
const checked = new Map<string, Set<number>>();

function checkedWith(rules: string): Set<number> {
  const keys = checked.get(rules) ?? new Set();
  checked.set(rules, keys);
  return keys;
}

/**
 * Fails with the accessibility violations of the page and their elements, and for controls that help names.
 * `colours`: whether contrast and sizes are checked too. Elements that an earlier check of this process found without
 * fault, in another page of the same parts, are left out, except with `ERRGATE_TEST_LOOKS=all`.
 */
export async function assertAccessible(page: CheckedPage, colours = EVERY_LOOK): Promise<void> {
  // A list that is loaded again is dimmed meanwhile, which axe would measure as weak contrast.
  await page.locator('.reloading').first().waitFor({ state: 'detached' });
  const keys = await shapesOf(page);
  const isChecked = checkedWith(colours ? await page.evaluate<string>(LOOK) : '');
  const known = EVERY_LOOK ? [] : keys.filter((key) => isChecked.has(key));
  if (known.length < keys.length) {
    await assertNoViolations(page, colours, leftOut(known));
    for (const key of keys) for (const others of [isChecked, checkedWith('')]) others.add(key);
  }
  assert.deepEqual(await page.evaluate<readonly string[]>(LONG_NAMES), [], 'names of controls are not sentences');
}

async function assertNoViolations(page: CheckedPage, colours: boolean, exclude: string): Promise<void> {
  // Evaluated by the debugger, which the page's Content-Security-Policy does not block.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(source);
  const rules = Object.fromEntries(RULES_OF_LOOKS.map((rule) => [rule, { enabled: colours }]));
  const found = await page.evaluate<readonly Violation[]>(
    `axe.run({ include: document, exclude: ${exclude} }, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      rules: ${JSON.stringify(rules)},
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
}
