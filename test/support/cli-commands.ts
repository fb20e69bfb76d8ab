import { callErrgate } from './cli-call.ts';

/** Command without commands below it. */
export interface LeafCommand {
  /** Without `errgate`: `user create`. */
  readonly name: string;
  /** Text of its `--help`. */
  readonly help: string;
}

const NONE = { ERRGATE_DATA_DIR: '/nonexistent' };

/** Lists all commands of the command line that do something themselves, from its help. */
export async function leafCommands(above: readonly string[] = []): Promise<LeafCommand[]> {
  const { stdout } = await callErrgate([...above, '--help'], NONE);
  const below = /\nCommands:\n([^]*)/.exec(stdout)?.[1];
  const names = [...(below ?? '').matchAll(/^ {2}([a-z][\w-]*)/gm)].flatMap(([, name]) =>
    name === undefined || name === 'help' ? [] : [name],
  );
  // A group with options of its own, as `import`, does something itself too.
  const doesItself = above.length > 0 && (names.length === 0 || /\nOptions:\n {2}(?!-h, --help)/.test(stdout));
  const deeper = await Promise.all(names.map((name) => leafCommands([...above, name])));
  return [...(doesItself ? [{ name: above.join(' '), help: stdout }] : []), ...deeper.flat()];
}
