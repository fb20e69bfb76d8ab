import net from 'node:net';
import tls from 'node:tls';
import { ActiveRule, type Fault, type FaultRule, type InjectedFault } from './fault-proxy-faults.ts';
import {
  MessageSplitter,
  readAnswer,
  readCommand,
  writeAnswer,
  type Command,
  type Message,
} from './fault-proxy-wire.ts';
import { type HostAndPort, primaryOf } from './mongo-primary.ts';

export interface FaultProxyOptions {
  /** Address of the engine. Of a replica set, the current primary is used. */
  readonly engine: string;
  /** Uses TLS with clients, never with the engine. */
  readonly tls?: { readonly key: Buffer; readonly cert: Buffer };
}

/** Proxy between a MongoDB driver and an engine, which injects faults on request. */
export class FaultProxy {
  readonly #options: FaultProxyOptions;
  readonly #target: HostAndPort;
  readonly #connections = new Set<ProxiedConnection>();
  #rules: ActiveRule[] = [];
  #server: net.Server | null = null;
  #port = 0;
  #isRefusing = false;
  #blackhole = false;
  #deaf = false;
  /** Names of the received commands in order, without those of monitoring. */
  readonly seen: string[] = [];

  private constructor(options: FaultProxyOptions, target: HostAndPort) {
    this.#options = options;
    this.#target = target;
  }

  static async start(options: FaultProxyOptions): Promise<FaultProxy> {
    const proxy = new FaultProxy(options, await primaryOf(options.engine));
    await proxy.#listen();
    return proxy;
  }

  get port(): number {
    return this.#port;
  }

  get openConnections(): number {
    return this.#connections.size;
  }

  /** Address of a database behind the proxy. `credentials` is `user:password`. */
  uri(database: string, query = '', credentials = ''): string {
    const user = credentials === '' ? '' : `${credentials}@`;
    return `mongodb://${user}127.0.0.1:${this.#port}/${database}?directConnection=true${query === '' ? '' : `&${query}`}`;
  }

  /** Activates a rule; earlier rules take precedence. */
  inject(rule: FaultRule): InjectedFault {
    const active = new ActiveRule(rule, (gone) => {
      this.#rules = this.#rules.filter((other) => other !== gone);
    });
    this.#rules.push(active);
    return active;
  }

  /** Closes all connections, like a network failure. New connections are accepted. */
  cut(): void {
    for (const connection of this.#connections) connection.end();
  }

  /**
   * Closes all connections, and new ones at once, like a server that is gone behind a load balancer. Keeps the port,
   * which another process could take otherwise.
   */
  refuse(): void {
    this.#isRefusing = true;
    this.cut();
  }

  /** Accepts and keeps connections, but drops all bytes in both directions. */
  blackhole(): void {
    this.#blackhole = true;
  }

  /** Accepts connections without reading from them: sent data fills the buffers of the system. */
  deafen(): void {
    this.#deaf = true;
    for (const connection of this.#connections) connection.deafen();
  }

  /** Removes all rules and outages. Closes connections that lost bytes. */
  restore(): void {
    this.#rules = [];
    this.#isRefusing = false;
    if (this.#blackhole || this.#deaf) {
      this.#blackhole = false;
      this.#deaf = false;
      this.cut();
    }
  }

  async close(): Promise<void> {
    this.refuse();
    const server = this.#server;
    this.#server = null;
    if (server !== null) await new Promise((resolve) => server.close(resolve));
  }

  async #listen(): Promise<void> {
    const { tls: secure } = this.#options;
    const { host, port } = this.#target;
    const accept = (client: net.Socket): void => {
      if (this.#isRefusing) {
        client.on('error', () => undefined);
        client.destroy();
        return;
      }
      const upstream = net.connect(port, host);
      const connection = new ProxiedConnection(client, upstream, {
        swallow: () => this.#blackhole,
        faultFor: (command) => this.#faultFor(command),
        onEnd: () => this.#connections.delete(connection),
      });
      this.#connections.add(connection);
      if (this.#deaf) connection.deafen();
    };
    const server = secure === undefined ? net.createServer(accept) : tls.createServer(secure, accept);
    // Failed handshakes are part of some tests.
    server.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    this.#port = (server.address() as net.AddressInfo).port;
    this.#server = server;
  }

  #faultFor(command: Command): Fault | null {
    if (!/^(hello|ismaster)$/i.test(command.name)) this.seen.push(command.name);
    return this.#rules.find((rule) => rule.takes(command))?.fault ?? null;
  }
}

interface ConnectionHooks {
  /** Whether to drop bytes. */
  readonly swallow: () => boolean;
  readonly faultFor: (command: Command) => Fault | null;
  readonly onEnd: () => void;
}

class ProxiedConnection {
  readonly #client: net.Socket;
  readonly #upstream: net.Socket;
  readonly #hooks: ConnectionHooks;
  /** Faults of pending answers, by request id. */
  readonly #answerFaults = new Map<number, { request: Message; fault: Fault }>();
  /** Queue that keeps the order of requests to the engine. */
  #queue: Promise<void> = Promise.resolve();
  /** Whether a command is still to be delivered after the client's connection was closed. */
  #late = false;

  constructor(client: net.Socket, upstream: net.Socket, hooks: ConnectionHooks) {
    this.#client = client;
    this.#upstream = upstream;
    this.#hooks = hooks;
    const requests = new MessageSplitter();
    const answers = new MessageSplitter();
    client.on('data', (chunk: Buffer) => {
      if (hooks.swallow()) return;
      for (const message of requests.push(chunk)) this.#queue = this.#queue.then(() => this.#request(message));
    });
    upstream.on('data', (chunk: Buffer) => {
      if (hooks.swallow()) return;
      for (const message of answers.push(chunk)) this.#answer(message);
    });
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => this.end());
    }
  }

  deafen(): void {
    this.#client.pause();
  }

  end(): void {
    this.#client.destroy();
    if (!this.#late) this.#upstream.destroy();
    this.#hooks.onEnd();
  }

  async #request(message: Message): Promise<void> {
    const command = readCommand(message);
    const fault = command === null ? null : this.#hooks.faultFor(command);
    if (fault === null) {
      this.#upstream.write(message.bytes);
      return;
    }
    switch (fault.kind) {
      case 'cut':
        this.end();
        return;
      case 'answer':
        this.#client.write(writeAnswer(message, fault.body));
        return;
      case 'delay':
        await new Promise((resolve) => setTimeout(resolve, fault.ms));
        break;
      case 'late':
        await this.#sendLate(message, fault.release);
        return;
      default:
        this.#answerFaults.set(message.requestId, { request: message, fault });
    }
    this.#upstream.write(message.bytes);
  }

  async #sendLate(message: Message, release: Promise<void>): Promise<void> {
    this.#late = true;
    this.end();
    await release;
    this.#upstream.once('data', () => this.#upstream.destroy());
    this.#upstream.write(message.bytes);
  }

  #answer(message: Message): void {
    const planned = this.#answerFaults.get(message.responseTo);
    if (planned === undefined) {
      this.#client.write(message.bytes);
      return;
    }
    this.#answerFaults.delete(message.responseTo);
    const { request, fault } = planned;
    switch (fault.kind) {
      case 'amend':
        this.#client.write(writeAnswer(request, { ...readAnswer(message), ...fault.members }));
        break;
      case 'truncate':
        this.#client.write(message.bytes.subarray(0, fault.bytes), () => this.end());
        break;
      case 'silence':
        break;
      default:
        this.end();
    }
  }
}
