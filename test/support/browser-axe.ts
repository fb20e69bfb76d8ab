import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

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

/** Fails with all accessibility violations of the page and their elements, and for controls that help names. */
export async function assertAccessible(page: Page): Promise<void> {
  // A list that is loaded again is dimmed meanwhile, which axe would measure as weak contrast.
  await page.locator('.reloading').first().waitFor({ state: 'detached' });
  // Evaluated by the debugger, which the page's Content-Security-Policy does not block.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(source);
  const found = await page.evaluate<readonly Violation[]>(
    `axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
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
