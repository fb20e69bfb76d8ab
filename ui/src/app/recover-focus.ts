/** Elements that keys move the focus to. */
const FOCUSABLE = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
/** Parts of pages that place the focus themselves. */
const ON_THEIR_OWN = 'tr[data-error]';
/** Preceding elements to choose from, as some of them may leave together with the focused one. */
const MAX_BEFORE = 20;

/**
 * Gives the focus to what precedes a removed element that had it, such as a button that shows more and disappears.
 * Otherwise keyboards begin again at the top of the page. Does nothing after a press of the pointer.
 */
export function recoverFocus(): void {
  let last: HTMLElement | null = null;
  let before: readonly HTMLElement[] = [];

  document.addEventListener('focusin', ({ target }) => {
    last = null;
    if (!(target instanceof HTMLElement) || !target.matches(':focus-visible')) return;
    const part = target.closest('main, dialog');
    if (part === null || target.closest(ON_THEIR_OWN) !== null) return;
    const all = [...part.querySelectorAll<HTMLElement>(FOCUSABLE)];
    const at = all.indexOf(target);
    before = all.slice(Math.max(0, at - MAX_BEFORE), Math.max(0, at)).reverse();
    last = target;
  });

  new MutationObserver(() => {
    if (last === null || last.isConnected) return;
    last = null;
    const candidates = before;
    // The page may have placed the focus itself meanwhile.
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return;
      candidates.find((element) => element.isConnected && element.checkVisibility())?.focus({ preventScroll: true });
    });
  }).observe(document.body, { childList: true, subtree: true });
}
