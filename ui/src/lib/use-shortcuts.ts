import { onMounted, onUnmounted } from 'vue';

const TYPING = 'input:not([type="checkbox"]):not([type="radio"]), select, textarea, [contenteditable="true"]';

/**
 * Binds single keys, by `event.key`, outside of input fields and dialogs. A handler may return false to keep the
 * default action.
 */
export function useShortcuts(keys: Readonly<Record<string, () => unknown>>): void {
  function onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.isComposing) return;
    const target = event.target instanceof Element ? event.target : null;
    if ((target?.closest(TYPING) ?? null) !== null || document.querySelector('dialog[open]') !== null) return;
    const handler = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
    if (handler !== undefined && handler() !== false) event.preventDefault();
  }
  onMounted(() => document.addEventListener('keydown', onKey));
  onUnmounted(() => document.removeEventListener('keydown', onKey));
}
