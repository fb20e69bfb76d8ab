import { inject, onBeforeUnmount, provide, watch, type InjectionKey } from 'vue';
import { person } from '../app/session.ts';
import { takeTab, writeTab } from './stored.ts';

type Dirty = () => boolean;

const FORMS: InjectionKey<Set<Dirty>> = Symbol('forms');

/** For what guards a page: whether any form below it has something that was typed and not saved. */
export function provideForms(): Dirty {
  const forms = new Set<Dirty>();
  provide(FORMS, forms);
  return () => [...forms].some((dirty) => dirty());
}

export interface UnsavedForm<T> {
  readonly dirty: Dirty;
  /** What is kept over a sign-in; never a secret. */
  readonly read: () => T;
  readonly write: (draft: T) => void;
}

/**
 * Has the page ask before it is left, and keeps what was typed when the session ends in the middle: it is there again
 * when the same person comes back in this tab. Answers whether that is so now. `name` tells forms and projects apart.
 */
export function useUnsaved<T>(name: string, { dirty, read, write }: UnsavedForm<T>): boolean {
  const forms = inject(FORMS, null);
  forms?.add(dirty);
  onBeforeUnmount(() => forms?.delete(dirty));
  const keyOf = (id: number) => `errgate.draft.${id}.${name}`;
  // Immediately: the page navigates to the sign-in when the session ends.
  watch(
    person,
    (now, before) => {
      if (now === null && before !== null && dirty()) writeTab(keyOf(before.id), JSON.stringify(read()));
    },
    { flush: 'sync' },
  );
  const draft = person.value === null ? null : takeTab(keyOf(person.value.id));
  if (draft === null) return false;
  write(JSON.parse(draft) as T);
  return true;
}
