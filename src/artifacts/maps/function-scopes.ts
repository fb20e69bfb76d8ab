import { Parser, type Node, type Options } from 'acorn';

/** Characters of a minified file whose functions are looked for: parsing takes some 10 bytes each. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** Name of a function as the minified file has it. */
export interface FunctionName {
  /** Place of the name, in characters. */
  readonly at: number;
  readonly text: string;
  /** True: name of a member, which minifiers keep. */
  readonly isMember: boolean;
}

/** Function of a minified file. */
export interface FunctionScope {
  /** Characters from which and up to which it goes. */
  readonly start: number;
  readonly end: number;
  /** Null: an anonymous function. */
  name: FunctionName | null;
  /** Class of a method. */
  owner: FunctionName | null;
  readonly isConstructor: boolean;
}

/**
 * Returns the functions of a minified file, inner ones after the ones around them; null when the file is too large or
 * no JavaScript.
 */
export function functionScopes(code: string): FunctionScope[] | null {
  if (code.length > MAX_CHARACTERS) return null;
  for (const sourceType of ['module', 'script'] as const) {
    try {
      const parser = new ScopeParser({ ...OPTIONS, sourceType }, code);
      parser.parse();
      return parser.scopes.sort((a, b) => a.start - b.start || b.end - a.end);
    } catch (error) {
      // A RangeError: expressions are nested too deep for the stack.
      if (!(error instanceof SyntaxError)) return null;
    }
  }
  return null;
}

const OPTIONS = {
  ecmaVersion: 'latest',
  allowHashBang: true,
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  allowSuperOutsideMethod: true,
  checkPrivateFields: false,
} as const satisfies Omit<Options, 'sourceType'>;

/** Node of the tree, with the members that are looked at. */
interface AnyNode extends Node {
  id?: AnyNode | null;
  init?: AnyNode | null;
  left?: AnyNode;
  right?: AnyNode;
  key?: AnyNode;
  value?: AnyNode | null;
  property?: AnyNode;
  computed?: boolean;
  kind?: string;
  name?: string;
  body?: unknown;
  scope?: FunctionScope;
  /** Scopes of the methods of a class. */
  methods?: FunctionScope[];
}

/** The parser with the methods that plugins override and its types leave out. */
const PARSER = Parser as unknown as new (
  options: Options,
  code: string,
) => {
  parse(): unknown;
  finishNode(node: AnyNode, type: string): AnyNode;
  declareName(name: string): void;
  checkLocalExport(id: unknown): void;
  checkParams(node: unknown): void;
  checkUnreserved(name: unknown): void;
};

/**
 * Parser that notes functions as they end and drops their bodies, so that the tree of a large file is never in memory as
 * a whole.
 */
class ScopeParser extends PARSER {
  readonly scopes: FunctionScope[] = [];

  override finishNode(node: AnyNode, type: string): AnyNode {
    const finished = super.finishNode(node, type);
    this.#note(finished);
    return finished;
  }

  /** Skips the check for names that are declared twice: it takes time by the square of their number. */
  override declareName(): void {
    // Nothing depends on the names of a scope.
  }

  /** Skips the check that exported names are declared, which needs those names. */
  override checkLocalExport(): void {
    // As above.
  }

  /** Skips the check of parameters, which takes a list of names for each function. */
  override checkParams(): void {
    // Browsers have run the file.
  }

  /** Skips the check for reserved words, which takes two searches for each name. */
  override checkUnreserved(): void {
    // As above.
  }

  #note(node: AnyNode): void {
    switch (node.type) {
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        this.#addFunction(node);
        break;
      case 'ClassDeclaration':
      case 'ClassExpression':
        this.#addClass(node);
        break;
      case 'VariableDeclarator':
        nameAfter(node.init, node.id, false);
        break;
      case 'AssignmentExpression':
      case 'AssignmentPattern':
        nameAfter(node.right, node.left, false);
        break;
      case 'Property':
      case 'PropertyDefinition':
      case 'MethodDefinition':
        if (node.computed !== true) nameAfter(node.value, node.key, true);
        break;
    }
  }

  #addFunction(node: AnyNode): void {
    const scope = { start: node.start, end: node.end, name: nameOf(node.id, false), owner: null, isConstructor: false };
    this.scopes.push(scope);
    node.scope = scope;
    node.body = null;
  }

  #addClass(node: AnyNode): void {
    const owner = nameOf(node.id, false);
    const { body } = node.body as { body: AnyNode[] };
    node.methods = body.flatMap(({ type, kind, value }) => {
      const scope = value?.scope;
      if (scope === undefined) return [];
      if (type === 'MethodDefinition' && kind === 'constructor') Object.assign(scope, { isConstructor: true });
      scope.owner = owner;
      return [scope];
    });
    node.body = null;
  }
}

/** Names a function or class without a name of its own after what it is assigned to. */
function nameAfter(value: AnyNode | null | undefined, target: AnyNode | null | undefined, isMember: boolean): void {
  if (value?.scope === undefined && value?.methods === undefined) return;
  const name = nameOf(target, isMember);
  if (value.scope !== undefined) value.scope.name ??= name;
  for (const method of value.methods ?? []) method.owner ??= name;
}

function nameOf(node: AnyNode | null | undefined, isMember: boolean): FunctionName | null {
  if (node === undefined || node === null) return null;
  if (node.type === 'MemberExpression') return node.computed === true ? null : nameOf(node.property, true);
  if (node.type === 'Literal') {
    const { value } = node as unknown as { value: unknown };
    return typeof value === 'string' ? { at: node.start, text: value, isMember: true } : null;
  }
  if (node.type === 'PrivateIdentifier') return { at: node.start, text: `#${node.name ?? ''}`, isMember: true };
  return node.type === 'Identifier' ? { at: node.start, text: node.name ?? '', isMember } : null;
}
