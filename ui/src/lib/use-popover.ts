import { nextTick, onBeforeUnmount, ref, watch, type Ref } from 'vue';

/** Pixels between the button and the popover, and between the popover and the edge of the window. */
const GAP = 4;

/**
 * Opens an element with the attribute `popover` below its button, or above it where there is more room, and keeps it
 * there when the page scrolls. Where it has no room at all, it is made lower and has to scroll. The browser closes it on
 * Escape and on a click elsewhere. Bind `onToggle` to its event `toggle`.
 */
export function usePopover(opener: Readonly<Ref<HTMLElement | null>>, box: Readonly<Ref<HTMLElement | null>>) {
  const open = ref(false);

  function place(): void {
    const from = opener.value?.getBoundingClientRect();
    if (box.value === null || from === undefined) return;
    const { offsetWidth: width, offsetHeight, clientHeight, scrollHeight, style } = box.value;
    const height = scrollHeight + offsetHeight - clientHeight;
    const roomBelow = innerHeight - from.bottom - 2 * GAP;
    const roomAbove = from.top - 2 * GAP;
    const isBelow = height <= roomBelow || roomBelow >= roomAbove;
    style.maxHeight = `${isBelow ? roomBelow : roomAbove}px`;
    style.top = `${isBelow ? from.bottom + GAP : Math.max(GAP, from.top - GAP - height)}px`;
    const { clientWidth } = document.documentElement;
    // Ends with its button in the right half, so that it does not stand out of the content.
    const left = from.left + from.right > clientWidth ? from.right - width : from.left;
    style.left = `${Math.max(GAP, Math.min(left, clientWidth - width - GAP))}px`;
  }

  async function show(): Promise<void> {
    box.value?.showPopover();
    await nextTick();
    place();
  }

  function hide(): void {
    box.value?.hidePopover();
  }

  function onToggle(event: Event): void {
    open.value = (event as ToggleEvent).newState === 'open';
  }

  /** A scroll within the popover moves nothing. */
  function onScroll({ target }: Event): void {
    if (target === document) place();
  }

  function unfollow(): void {
    removeEventListener('resize', place);
    removeEventListener('scroll', onScroll, true);
  }

  watch(open, (now) => {
    unfollow();
    if (!now) return;
    addEventListener('resize', place);
    addEventListener('scroll', onScroll, true);
  });
  onBeforeUnmount(unfollow);

  return { open, show, hide, place, onToggle };
}
