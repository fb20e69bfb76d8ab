import { type Command, InvalidArgumentError } from 'commander';

/** Operand of a command. `parse` throws InvalidArgumentError for an invalid value. */
export interface Operand<T> {
  readonly description: string;
  readonly parse: (value: string) => T;
  /** Value of an operand that is not given; absent: it is required. */
  readonly missing?: T;
}

type Operands = Readonly<Record<string, Operand<unknown>>>;
type Values<O extends Operands> = { readonly [K in keyof O]: O[K] extends Operand<infer T> ? T : never };

interface Action<O extends Operands> {
  /** A method, so that an implementation may state the options it has declared. */
  run(values: Values<O>, options: object, command: Command): Promise<void>;
}

/** An operand that is taken as it is: a reference to look up, a file name. */
export function reference(description: string): Operand<string> {
  return { description, parse: (value) => value };
}

/** A reference that may be left out. */
export function optionalReference(description: string): Operand<string | null> {
  return { description, parse: (value) => value, missing: null };
}

function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function parseOperand(command: Command, name: string, operand: Operand<unknown>, text: string): unknown {
  try {
    return operand.parse(text);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    return command.error(`error: '${text}' is invalid for <${flagOf(name)}>. ${error.message}`);
  }
}

/**
 * Declares operands that may be given by position, in the order of the members, or by name:
 * `key list acme/shop` and `key list --project acme/shop` are the same. Those given by name do not take
 * a place among the others. `run` gets all of them, parsed.
 */
export function withOperands<O extends Operands>(command: Command, operands: O, run: Action<O>['run']): Command {
  const names = Object.keys(operands);
  const shown = (name: string) => (operands[name]?.missing === undefined ? `<${flagOf(name)}>` : `[${flagOf(name)}]`);
  command.usage(`${names.map(shown).join(' ')} [options]`);
  for (const [name, { description }] of Object.entries(operands)) {
    command.argument(`[${flagOf(name)}]`, description).option(`--${flagOf(name)} <value>`, 'the same by name');
  }
  return command.action(async () => {
    const options = command.opts<Record<string, unknown>>();
    const positional = [...command.args];
    const values: Record<string, unknown> = {};
    for (const [name, operand] of Object.entries(operands)) {
      const text = options[name] ?? positional.shift();
      if (typeof text === 'string') values[name] = parseOperand(command, name, operand, text);
      else if (operand.missing !== undefined) values[name] = operand.missing;
      else command.error(`error: missing required argument '${flagOf(name)}'`);
    }
    if (positional.length > 0) command.error('error: too many arguments');
    await run(values as Values<O>, options, command);
  });
}
