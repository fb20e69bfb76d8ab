import { computed, type ComputedRef } from 'vue';
import { useRoute, useRouter, type RouteLocation } from 'vue-router';

/** Route of the address, also while its page is loaded first, so that menus do not come and go. */
export function useTargetRoute(): ComputedRef<Pick<RouteLocation, 'name' | 'meta' | 'params'>> {
  const route = useRoute();
  const router = useRouter();
  return computed(() => (route.matched.length > 0 ? route : router.resolve(router.options.history.location)));
}
