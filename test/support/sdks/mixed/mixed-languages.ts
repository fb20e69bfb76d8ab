import { SDK_LANGUAGES } from '../sdk-languages.ts';
import type { SdkClient } from '../sdk-client.ts';
import { goProgram } from './go-program.ts';
import { javaProgram } from './java-program.ts';
import type { MixedWriter } from './mixed-error.ts';
import { pythonProgram } from './python-program.ts';
import { rubyProgram } from './ruby-program.ts';
import { rustProgram } from './rust-program.ts';
import { browserProgram, nodeProgram } from './script-program.ts';

/** SDK whose programs are written for the errors wanted. */
export interface MixedLanguage {
  /** Name in the texts of errors: lower-case letters. */
  readonly id: string;
  readonly client: SdkClient;
  readonly write: MixedWriter;
}

/** Newest version of each SDK that runs here. */
export const MIXED_LANGUAGES: readonly MixedLanguage[] = [
  { id: 'go', client: newest('Go'), write: goProgram },
  { id: 'java', client: newest('Java'), write: javaProgram },
  { id: 'node', client: newest('Node.js'), write: nodeProgram },
  { id: 'browser', client: newest('Browser'), write: browserProgram },
  { id: 'python', client: newest('Python'), write: pythonProgram },
  { id: 'ruby', client: newest('Ruby'), write: rubyProgram },
  { id: 'rust', client: newest('Rust'), write: rustProgram },
];

function newest(language: string): SdkClient {
  const client = SDK_LANGUAGES.find((one) => one.language === language)?.clients[0];
  if (client === undefined) throw new Error(`no SDK of ${language} is known`);
  return client;
}
