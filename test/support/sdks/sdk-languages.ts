import { browserSdk } from './browser-sdk.ts';
import { goSdk } from './go-sdk.ts';
import { javaSdk } from './java-sdk.ts';
import { nodeSdk } from './node-sdk.ts';
import { pythonSdk } from './python-sdk.ts';
import { rubySdk } from './ruby-sdk.ts';
import { rustSdk } from './rust-sdk.ts';
import type { SdkLanguage } from './sdk-client.ts';

/** Oldest recommended and newest version; newer versions are added here. */
export const SDK_LANGUAGES: readonly SdkLanguage[] = [
  { language: 'Go', clients: [goSdk('0.50.0'), goSdk('0.20.0')] },
  { language: 'Java', clients: [javaSdk('8.62.0'), javaSdk('6.18.1')] },
  {
    language: 'Node.js',
    clients: [nodeSdk('11.12.0', 'shop'), nodeSdk('10.78.0', 'shop'), nodeSdk('7.38.0', 'shop.mjs')],
  },
  { language: 'Browser', clients: [browserSdk('11.12.0'), browserSdk('7.38.0')] },
  { language: 'Python', clients: [pythonSdk('2.75.0'), pythonSdk('1.21.0')] },
  { language: 'Ruby', clients: [rubySdk('5.3.0')] },
  {
    language: 'Rust',
    clients: [
      rustSdk('0.49.5', ['release-health']),
      rustSdk('0.31.0', [], ['core', 'types', 'backtrace', 'contexts', 'panic']),
    ],
  },
];

/** SDKs that cannot be installed here; their captured requests are replayed. */
export const CAPTURED_SDKS = [
  { language: 'PHP', name: 'sentry/sentry', version: '3.18.0', capture: 'php-3.18.0' },
  { language: 'PHP', name: 'sentry/sentry', version: '4.29.0', capture: 'php-4.29.0' },
  { language: 'Ruby', name: 'sentry-ruby', version: '5.9.0', capture: 'ruby-5.9.0' },
  { language: 'Ruby', name: 'sentry-ruby', version: '6.6.2', capture: 'ruby-6.6.2' },
] as const;
