import type { Locator } from 'playwright-core';

/** Measures the left edge of the text of the first element of each selector within `parent`, in whole pixels. */
export function textEdges(parent: Locator, ...selectors: string[]): Promise<number[]> {
  return parent.evaluate((element, names) => {
    const range = document.createRange();
    return names.map((name) => {
      const found = element.querySelector(name);
      if (found === null) throw new Error(`there is no ${name}`);
      range.selectNodeContents(found);
      return Math.round(range.getClientRects()[0]?.left ?? 0);
    });
  }, selectors);
}
