import { nextTick } from 'vue';

/**
 * Remembers the focused element and the sections around it. The returned function gives the focus back if it was lost:
 * a button that is disabled while its action runs loses it. If the element is gone, the nearest section gets the focus.
 */
export function keepFocus(): () => Promise<void> {
  const { activeElement: before } = document;
  const around: HTMLElement[] = [];
  for (let at = before?.parentElement; at; at = at.parentElement) if (at.matches('section, main')) around.push(at);
  return async () => {
    await nextTick();
    if (document.activeElement !== document.body || !(before instanceof HTMLElement) || before === document.body)
      return;
    before.focus({ preventScroll: true });
    const section = around.find(({ isConnected }) => isConnected);
    if (before.isConnected || section === undefined) return;
    section.tabIndex = -1;
    section.focus({ preventScroll: true });
  };
}
