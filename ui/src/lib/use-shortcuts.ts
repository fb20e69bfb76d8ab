import { onMounted, onUnmounted } from 'vue';

const TYPING = 'input:not([type="checkbox"]):not([type="radio"]), select, textarea, [contenteditable="true"]';

/**
 * Single keys, by `event.key`, while nobody types into a field and no dialog is open. A handler may answer false to let
 * the key go its usual way.
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
