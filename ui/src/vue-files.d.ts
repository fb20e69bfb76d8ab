/** Declaration for tools that do not read single-file components; `vue-tsc` does. */
declare module '*.vue' {
  import type { DefineComponent } from 'vue';

  const component: DefineComponent<object, object, unknown>;
  export default component;
}
