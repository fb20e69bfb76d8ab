/** Attribute of an open popover in a simulated document. */
export const POPOVER_OPEN = 'data-popover-open';

/** Elements that do not show their children. `visible` ignores style sheets, which simulated documents do not have. */
const HIDDEN = [
  '[hidden]',
  'dialog:not([open])',
  `[popover]:not([${POPOVER_OPEN}])`,
  'template',
  'script',
  'style',
  'datalist',
].join(',');

function hides(element: HTMLElement, child: Element | null): boolean {
  if (element.matches(HIDDEN) || element.style.display === 'none') return true;
  return element.matches('details:not([open])') && child !== null && !child.matches('summary');
}

/** Whether the document shows an element, as far as its elements and their attributes say. */
export function isVisible(element: Element): boolean {
  let child: Element | null = null;
  for (let at: Element | null = element; at !== null; child = at, at = at.parentElement) {
    if (hides(at as HTMLElement, child)) return false;
  }
  return true;
}

/** Whether screen readers find an element. */
export function isAccessible(element: Element): boolean {
  return element.closest('[aria-hidden="true"]') === null && isVisible(element);
}
