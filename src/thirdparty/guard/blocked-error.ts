/**
 * Kind of a refusal. `form`, `port`: not allowed. `local`: local address. `unlisted`: not in a mandatory allow-list.
 * `metadata`: cloud metadata service, never allowed. `unresolvable`: unknown name.
 */
export type BlockKind = 'form' | 'port' | 'local' | 'unlisted' | 'metadata' | 'unresolvable';

/** `message` is the whole sentence, `URL is blocked: …`; `code` prevents retries in Node's network layer. */
export class BlockedError extends Error {
  readonly code = 'ERR_URL_BLOCKED';
  readonly reason: string;
  readonly kind: BlockKind;

  constructor(reason: string, kind: BlockKind) {
    super(`URL is blocked: ${reason}`);
    this.name = 'BlockedError';
    this.reason = reason;
    this.kind = kind;
  }
}

/** Remedy as a clause after a semicolon. `host` has the form of an allow-list entry; `thing` is what the address is of. */
export function blockCure(kind: BlockKind, host: string, thing: 'tracker' | 'receiver' | 'host' = 'tracker'): string {
  switch (kind) {
    case 'local':
      return `if the ${thing} is there, ask an operator to set ERRGATE_OUTBOUND_ALLOW=${host} and restart errgate`;
    case 'port':
      return `ask an operator to allow this port with ERRGATE_OUTBOUND_ALLOW=${host} and restart errgate`;
    case 'unlisted':
      return `this installation only connects to hosts that its operator lists (outbound.onlyAllowed); ask an operator to set ERRGATE_OUTBOUND_ALLOW=${host} and restart errgate`;
    case 'metadata':
      return `it leads to the metadata service of a cloud, which is always refused: enter the address of the ${thing}`;
    case 'form':
    case 'unresolvable':
      return `correct the address of the ${thing}`;
  }
}
