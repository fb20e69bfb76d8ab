import { Parser, tokTypes, type Node, type Options, type TokenType } from 'acorn';
import { isValue, KEYWORDS, plainChain, wordEnd, type PlainChain } from './plain-chain.ts';

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

const LAST_TOKENS = { name: tokTypes.name, call: tokTypes.parenR, brackets: tokTypes.bracketR } as const;

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
  readonly input: string;
  /** Place up to which the file is read. */
  pos: number;
  /** The token that was read last. */
  type: TokenType;
  value: unknown;
  start: number;
  end: number;
  containsEsc: boolean;
  /** Whether a slash would begin a regular expression. */
  exprAllowed: boolean;
  /** End of the token before. */
  readonly lastTokEnd: number;
  parse(): unknown;
  next(): void;
  readToken(code: number): void;
  finishToken(type: TokenType, value: unknown): void;
  startNodeAt(start: number): AnyNode;
  finishNode(node: AnyNode, type: string): AnyNode;
  finishNodeAt(node: AnyNode, type: string, end: number): AnyNode;
  parseExprSubscripts(errors: unknown, forInit: unknown): AnyNode;
  parseSubscripts(base: AnyNode, start: number, loc: undefined, noCalls: boolean, forInit: unknown): AnyNode;
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
    node.type = type;
    node.end = this.lastTokEnd;
    this.#note(node);
    return node;
  }

  /** Reads words of ASCII characters without the searches that the parser makes for each of them. */
  override readToken(code: number): void {
    const start = this.pos;
    const end = wordEnd(this.input, start);
    if (end < 0) {
      super.readToken(code);
      return;
    }
    const word = this.input.slice(start, end);
    this.pos = end;
    this.containsEsc = false;
    this.finishToken(KEYWORDS.get(word) ?? tokTypes.name, word);
  }

  /**
   * Goes over chains of names, members and calls at once: no function is in them, and each of their tokens would become
   * a node.
   */
  override parseExprSubscripts(errors: unknown, forInit: unknown): AnyNode {
    const { start, type } = this;
    const chain = type === tokTypes.name || type === tokTypes._this ? plainChain(this.input, this.end) : null;
    if (chain === null || !isValue(String(this.value))) return super.parseExprSubscripts(errors, forInit);
    return this.parseSubscripts(this.#chainNode(start, chain), start, undefined, false, forInit);
  }

  /** Makes the node of a chain, with what assignments look at, and reads the token behind it. */
  #chainNode(start: number, { end, last, lastStart }: PlainChain): AnyNode {
    // As if its last token had just been read.
    this.pos = end;
    this.start = lastStart;
    this.end = end;
    this.type = LAST_TOKENS[last];
    this.containsEsc = false;
    this.exprAllowed = false;
    this.next();
    const node = this.startNodeAt(start);
    if (last === 'call') return this.finishNodeAt(node, 'CallExpression', end);
    node.computed = last === 'brackets';
    node.property = this.finishNodeAt(this.startNodeAt(lastStart), 'Identifier', end);
    node.property.name = this.input.slice(lastStart, end);
    return this.finishNodeAt(node, 'MemberExpression', end);
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
