/** Kinds of tokens with separate colours. */
export type TokenKind = 'keyword' | 'string' | 'number' | 'comment' | 'title' | 'type';

export interface Token {
  readonly text: string;
  readonly kind: TokenKind | null;
}

export type CodeLine = readonly Token[];

/** Splits code into lines without colours. */
export function plainLines(code: string): CodeLine[] {
  return code.split('\n').map((text) => [{ text, kind: null }]);
}

/** Node of the highlighter's tree, reduced to the members used here. */
export interface CodeNode {
  readonly type: string;
  readonly value?: string;
  readonly properties?: { readonly className?: unknown };
  readonly children?: readonly CodeNode[];
}

/** Token kinds by the first part of the highlighter's class names: `hljs-title`, `function_`. */
const KINDS: Readonly<Record<string, TokenKind>> = {
  'hljs-keyword': 'keyword',
  'hljs-literal': 'keyword',
  'hljs-meta': 'keyword',
  'hljs-string': 'string',
  'hljs-regexp': 'string',
  'hljs-symbol': 'string',
  'hljs-number': 'number',
  'hljs-comment': 'comment',
  'hljs-doctag': 'comment',
  'hljs-title': 'title',
  'hljs-type': 'type',
  'hljs-built_in': 'type',
};

function kindOf(node: CodeNode, inherited: TokenKind | null): TokenKind | null {
  const names: unknown = node.properties?.className;
  const first: unknown = Array.isArray(names) ? names[0] : undefined;
  if (typeof first !== 'string') return inherited;
  return (Object.hasOwn(KINDS, first) ? KINDS[first] : undefined) ?? inherited;
}

/** Converts a highlighter's tree to lines of tokens. Its markup is never used. */
export function linesOf(root: CodeNode): CodeLine[] {
  const lines: Token[][] = [[]];
  function add(text: string, kind: TokenKind | null): void {
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) lines.push([]);
      if (part !== '') lines.at(-1)?.push({ text: part, kind });
    }
  }
  function walk(node: CodeNode, inherited: TokenKind | null): void {
    if (node.type === 'text') add(node.value ?? '', inherited);
    else for (const child of node.children ?? []) walk(child, kindOf(child, inherited));
  }
  walk(root, null);
  return lines;
}
