import js from '@eslint/js';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import vue from 'eslint-plugin-vue';
import vueParser from 'vue-eslint-parser';
import prettier from 'eslint-config-prettier';

export default tseslint.config(
  {
    ignores: ['dist', '.cache', 'coverage', 'node_modules', 'test/fixtures', 'bench/results', 'ui/src/api/schema.d.ts'],
  },
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.vue'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, extraFileExtensions: ['.vue'] } },
    rules: {
      // Numbers in messages are wanted: "limit is 100".
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // A stub that satisfies an interface may be async without awaiting.
      '@typescript-eslint/require-await': 'off',
      // Arrow shorthand around a void call is a common, harmless shape.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-extraneous-class': 'off',
      'max-lines': ['warn', { max: 300, skipBlankLines: true, skipComments: true }],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Use named exports: a name that can be searched for.' },
      ],
      'no-control-regex': 'off',
      eqeqeq: 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only config/ reads the environment.' },
        { object: 'process', property: 'exit', message: 'Only main.ts ends the process.' },
      ],
    },
  },
  { files: ['src/main.ts'], rules: { 'no-restricted-properties': 'off' } },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unused-expressions': 'off',
    },
  },
  {
    files: ['**/*.js', '**/*.cjs', '**/*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        module: 'writable',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
      },
    },
  },
  {
    files: ['ui/src/**/*.{ts,vue}'],
    languageOptions: { globals: globals.browser },
  },
  {
    files: ['ui/src/**/*.vue'],
    extends: [...vue.configs['flat/recommended-error']],
    languageOptions: {
      parser: vueParser,
      parserOptions: { parser: tseslint.parser, projectService: true, extraFileExtensions: ['.vue'] },
    },
    rules: {
      'no-undef': 'off',
      // Props are typed by a macro that the linter does not see through.
      '@typescript-eslint/no-useless-default-assignment': 'off',
      'vue/block-lang': ['error', { script: { lang: 'ts' } }],
      'vue/block-order': ['error', { order: ['script', 'template', 'style'] }],
      'vue/component-api-style': ['error', ['script-setup']],
      'vue/define-props-destructuring': 'error',
      'vue/no-unused-refs': 'error',
      'vue/no-useless-v-bind': 'error',
      // Events hold text of strangers: none of it ever becomes markup.
      'vue/no-v-html': 'error',
      'no-restricted-properties': [
        'error',
        { property: 'innerHTML', message: 'Text of strangers never becomes markup.' },
        { property: 'outerHTML', message: 'Text of strangers never becomes markup.' },
        { property: 'insertAdjacentHTML', message: 'Text of strangers never becomes markup.' },
      ],
      // The Content-Security-Policy lets no style attribute through.
      'vue/no-static-inline-styles': 'error',
    },
  },
  {
    files: ['ui/vite.config.ts', 'ui/vite.test-program.ts', 'ui/src/vue-files.d.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  prettier,
);
