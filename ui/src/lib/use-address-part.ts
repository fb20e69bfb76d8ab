import { computed, type WritableComputedRef } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { queryText } from './query-text.ts';

/** One parameter of the address. The fallback is its value when it is absent, and is never written. */
export function useAddressPart(name: string, fallback: string): WritableComputedRef<string> {
  const route = useRoute();
  const router = useRouter();
  return computed({
    get: () => queryText(route.query, name) || fallback,
    set: (value) => {
      const { [name]: _, ...rest } = route.query;
      void router.push({ query: value === fallback ? rest : { ...rest, [name]: value } });
    },
  });
}
