/** Names by which build tools reach a project. */
export interface BuildPlace {
  /** Address of the service, without a slash at its end. */
  readonly url: string;
  readonly organization: string;
  readonly project: string;
}

/** Instructions for a build tool. Its token is in the environment, not in a file of the repository. */
export interface BuildSnippet {
  readonly id: string;
  readonly name: string;
  /** Command that installs it; null: the file does. */
  readonly install: string | null;
  /** File that the code belongs to; null: commands to run. */
  readonly file: string | null;
  /** Name of the language for the highlighter; null: none. */
  readonly language: string | null;
  /** Whether it takes all values from the environment, or only the token. */
  readonly fromEnvironment: boolean;
  /** Whether it runs `sentry-cli`, which accepts no address below a path. `before`: only versions before this one do. */
  readonly runsSentryCli: boolean | { readonly before: string };
  readonly code: (place: BuildPlace) => string;
}

/** Returns the place as a tool accepts it: without a path where it runs `sentry-cli`. */
export function placeFor(place: BuildPlace, { runsSentryCli }: Pick<BuildSnippet, 'runsSentryCli'>): BuildPlace {
  return runsSentryCli === true ? { ...place, url: new URL(place.url).origin } : place;
}

const shell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const single = (text: string): string => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
const double = (text: string): string => JSON.stringify(text);

/** Returns the commands that set the environment of a build. */
export function buildEnvironment(
  { url, organization, project }: BuildPlace,
  token: string,
  { fromEnvironment }: Pick<BuildSnippet, 'fromEnvironment'>,
): string {
  const values = fromEnvironment
    ? { SENTRY_URL: url, SENTRY_ORG: organization, SENTRY_PROJECT: project, SENTRY_AUTH_TOKEN: token }
    : { SENTRY_AUTH_TOKEN: token };
  return Object.entries(values)
    .map(([name, value]) => `export ${name}=${shell(value)}`)
    .join('\n');
}

/** Options of the plugins of bundlers. */
const options = (indent: string, { url, organization, project }: BuildPlace): string =>
  [
    `url: ${single(url)},`,
    `org: ${single(organization)},`,
    `project: ${single(project)},`,
    'authToken: process.env.SENTRY_AUTH_TOKEN,',
  ]
    .map((line) => indent + line)
    .join('\n');

/** Build tools whose uploads are used. */
export const BUILD_SNIPPETS: readonly [BuildSnippet, ...BuildSnippet[]] = [
  {
    id: 'sentry-cli',
    name: 'sentry-cli',
    install: 'npm install --save-dev @sentry/cli',
    file: null,
    language: null,
    fromEnvironment: true,
    runsSentryCli: true,
    code: () => `npx sentry-cli releases new "$VERSION"
npx sentry-cli releases set-commits "$VERSION" --auto
npx sentry-cli sourcemaps inject dist
npx sentry-cli sourcemaps upload --release "$VERSION" dist
npx sentry-cli releases finalize "$VERSION"
npx sentry-cli deploys new --release "$VERSION" -e production`,
  },
  {
    id: 'sentry',
    name: 'sentry',
    install: 'npm install --save-dev sentry',
    file: null,
    language: null,
    fromEnvironment: true,
    runsSentryCli: false,
    code: ({ organization, project }) => {
      const release = `${shell(`${organization}/`)}"$VERSION"`;
      return `npx sentry release create ${release} --project ${shell(project)}
npx sentry release set-commits ${release} --auto
npx sentry sourcemap inject dist
npx sentry sourcemap upload --release "$VERSION" dist
npx sentry release finalize ${release}
npx sentry release deploy ${release} production`;
    },
  },
  {
    id: 'vite',
    name: 'Vite',
    install: 'npm install --save-dev @sentry/vite-plugin',
    file: 'vite.config.js',
    language: 'javascript',
    fromEnvironment: false,
    runsSentryCli: { before: '11' },
    code: (place) => `import { sentryVitePlugin } from '@sentry/vite-plugin';
import { defineConfig } from 'vite';

export default defineConfig({
  build: { sourcemap: 'hidden' },
  plugins: [
    // After all other plugins.
    sentryVitePlugin({
${options('      ', place)}
    }),
  ],
});`,
  },
  {
    id: 'webpack',
    name: 'webpack',
    install: 'npm install --save-dev @sentry/webpack-plugin',
    file: 'webpack.config.mjs',
    language: 'javascript',
    fromEnvironment: false,
    runsSentryCli: { before: '11' },
    code: (place) => `import { sentryWebpackPlugin } from '@sentry/webpack-plugin';

export default {
  devtool: 'hidden-source-map',
  plugins: [
    sentryWebpackPlugin({
${options('      ', place)}
    }),
  ],
};`,
  },
  {
    id: 'rollup',
    name: 'Rollup',
    install: 'npm install --save-dev @sentry/rollup-plugin',
    file: 'rollup.config.mjs',
    language: 'javascript',
    fromEnvironment: false,
    runsSentryCli: true,
    code: (place) => `import { sentryRollupPlugin } from '@sentry/rollup-plugin';

export default {
  output: { sourcemap: 'hidden' },
  plugins: [
    // After all other plugins.
    sentryRollupPlugin({
${options('      ', place)}
    }),
  ],
};`,
  },
  {
    id: 'esbuild',
    name: 'esbuild',
    install: 'npm install --save-dev @sentry/esbuild-plugin',
    file: 'build.mjs',
    language: 'javascript',
    fromEnvironment: false,
    runsSentryCli: true,
    code: (place) => `import { sentryEsbuildPlugin } from '@sentry/esbuild-plugin';
import { build } from 'esbuild';

await build({
  sourcemap: true,
  plugins: [
    // After all other plugins.
    sentryEsbuildPlugin({
${options('      ', place)}
    }),
  ],
});`,
  },
  {
    id: 'gradle',
    name: 'Gradle (Android)',
    install: null,
    file: 'app/build.gradle.kts',
    language: null,
    fromEnvironment: false,
    runsSentryCli: true,
    code: ({ url, organization, project }) => `plugins {
    id("io.sentry.android.gradle") version "5.12.0"
}

sentry {
    url.set(${double(url)})
    org.set(${double(organization)})
    projectName.set(${double(project)})
    authToken.set(System.getenv("SENTRY_AUTH_TOKEN"))
    includeProguardMapping.set(true)
    autoUploadProguardMapping.set(true)
}`,
  },
  {
    id: 'proguard',
    name: 'R8 mapping',
    install: 'npm install --save-dev @sentry/cli',
    file: null,
    language: null,
    fromEnvironment: true,
    runsSentryCli: true,
    code: () => 'npx sentry-cli upload-proguard --uuid "$PROGUARD_UUID" app/build/outputs/mapping/release/mapping.txt',
  },
];
