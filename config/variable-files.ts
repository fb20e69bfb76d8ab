import { readFileSync } from 'node:fs';

/** `ERRGATE_MAIL_URL_FILE` names a file with the value of `ERRGATE_MAIL_URL`, as secrets of containers come. */
export const FILE_SUFFIX = '_FILE';

/** Variables with the contents of named files filled in, and one sentence for each that cannot be used. */
export interface FilledVariables {
  readonly env: NodeJS.ProcessEnv;
  readonly problems: readonly string[];
}

/** Reads the files that variables with the suffix name. Line breaks at their end do not belong to the value. */
export function readVariableFiles(env: NodeJS.ProcessEnv, names: Iterable<string>): FilledVariables {
  const filled = { ...env };
  const problems: string[] = [];
  for (const name of names) {
    const file = env[name + FILE_SUFFIX] ?? '';
    if (file === '') continue;
    if ((env[name] ?? '') !== '') {
      problems.push(`${name} and ${name}${FILE_SUFFIX} are both set: keep one of them`);
      continue;
    }
    try {
      filled[name] = readFileSync(file, 'utf8').replace(/[\r\n]+$/, '');
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'unreadable';
      problems.push(`${name}${FILE_SUFFIX} names ${file}, which cannot be read (${code})`);
    }
  }
  return { env: filled, problems };
}
