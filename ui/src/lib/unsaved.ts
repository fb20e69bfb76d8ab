import { inject, onBeforeUnmount, provide, watch, type InjectionKey } from 'vue';
import { person } from '../app/session.ts';
import { takeTab, writeTab } from './stored.ts';

type Dirty = () => boolean;

const FORMS: InjectionKey<Set<Dirty>> = Symbol('forms');

/** Collects the forms below a component. Returns a function that checks them for unsaved input. */
export function provideForms(): Dirty {
  const forms = new Set<Dirty>();
  provide(FORMS, forms);
  return () => [...forms].some((dirty) => dirty());
}

export interface UnsavedForm<T> {
  readonly dirty: Dirty;
  /** Input to keep over a sign-in; never a secret. */
  readonly read: () => T;
  readonly write: (draft: T) => void;
}

/**
 * Registers a form for the confirmation before leaving the page. Its input is kept when the session ends.
 * It is restored when the same user signs in again in this tab. Returns whether input was restored.
 * `name` identifies the form and its project.
 */
export function useUnsaved<T>(name: string, { dirty, read, write }: UnsavedForm<T>): boolean {
  const forms = inject(FORMS, null);
  forms?.add(dirty);
  onBeforeUnmount(() => forms?.delete(dirty));
  const keyOf = (id: number) => `errgate.draft.${id}.${name}`;
  // Synchronous, because the page navigates to the sign-in when the session ends.
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
