import { onBeforeUnmount, onMounted, ref, type Ref } from 'vue';

/** Pixels at the top of the window that bars may cover. */
const COVERED = 48;

/** Whether an element has left the window at its top, such as the heading above a sticky bar. */
export function useStuck(element: Readonly<Ref<HTMLElement | null>>): Readonly<Ref<boolean>> {
  const stuck = ref(false);
  let observer: IntersectionObserver | null = null;
  onMounted(() => {
    observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1);
        const top = entry?.rootBounds?.top ?? COVERED;
        // Without a size it is empty or hidden, and nowhere.
        const isThere = (entry?.boundingClientRect.height ?? 0) > 0;
        stuck.value = isThere && entry?.isIntersecting === false && entry.boundingClientRect.bottom <= top;
      },
      { rootMargin: `-${COVERED}px 0px 0px 0px` },
    );
    if (element.value !== null) observer.observe(element.value);
  });
  onBeforeUnmount(() => observer?.disconnect());
  return stuck;
}
