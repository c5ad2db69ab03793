/** A game as it goes on: Server-Sent Events read with `fetch`, over as many connections as it takes. */

import { unwrap, type Client } from "./client.js";
import { BadAnswer, ConnectionFailed } from "./errors.js";
import { RETRY, backoff, sleep, type Retry } from "./retry.js";
import type { StreamMessage } from "./schema.js";

/** Milliseconds without a byte, of which some come every 15 s, after which a connection is given up. */
const SILENCE = 45_000;

/** One event as the server sent it. */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** Makes events of what a connection brings, in pieces of any size (HTML, 9.2.6). */
export class EventParser {
  /** The id that the last event had. */
  lastId: string | undefined;
  /** The wait before connecting again that the server asks for, in milliseconds. */
  retry: number | undefined;
  #rest = "";
  #id: string | undefined;
  #event = "";
  #data: string[] = [];

  constructor(lastId?: string) {
    this.lastId = this.#id = lastId;
  }

  /** The events that are whole with this piece. */
  *feed(text: string): Generator<ServerEvent> {
    // A carriage return at the very end may be half of a line's end.
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line !== "") {
        this.#field(line);
        continue;
      }
      const [event, data] = [this.#event || "message", this.#data];
      this.#event = "";
      this.#data = [];
      this.lastId = this.#id;
      if (data.length) yield { event, data: data.join("\n") };
    }
  }

  #field(line: string): void {
    const [, name, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!;
    if (name === "event") this.#event = value;
    else if (name === "data") this.#data.push(value);
    else if (name === "id" && !value.includes("\0")) this.#id = value;
    else if (name === "retry" && /^\d+$/.test(value)) this.retry = Number(value);
    // Anything else is a comment, or a field of times to come.
  }
}

export interface FollowOptions {
  /** A version that was seen: the stream goes on after it. Without it, it begins with the present game. */
  readonly lastEventId?: number | undefined;
  /** To leave early, with its reason as the error; or just leave the loop. */
  readonly signal?: AbortSignal | undefined;
  /** How many connections in a row may bring nothing, and the waits between them. */
  readonly retry?: Partial<Retry> | undefined;
}

/**
 * Follow a game, message by message, until it is over.
 *
 * The first message is the present game, with no events; with `lastEventId` it is what followed that. A connection that
 * breaks is made again and goes on after the last message, so that no event is missed or met twice.
 */
export async function* follow(client: Client, game: string, options: FollowOptions = {}): AsyncGenerator<StreamMessage> {
  const { signal } = options;
  const retry = { ...RETRY, ...options.retry };
  let last = options.lastEventId;
  let hint = 0;
  let attempt = 1;
  for (;;) {
    const connection = new AbortController();
    const leave = () => connection.abort(signal?.reason);
    if (signal?.aborted) leave();
    signal?.addEventListener("abort", leave, { once: true });
    const parser = new EventParser(last?.toString());
    try {
      const body = await opened(client, game, last, connection.signal);
      if (body === undefined) return;
      for await (const { event, data } of events(body, parser)) {
        if (event === "end") return;
        last = Number(parser.lastId);
        attempt = 1;
        yield JSON.parse(data) as StreamMessage;
      }
    } finally {
      signal?.removeEventListener("abort", leave);
      connection.abort();
    }
    signal?.throwIfAborted();
    if (attempt >= retry.attempts) throw new ConnectionFailed(`The stream of ${game} breaks off again and again.`);
    hint = parser.retry ?? hint;
    const asked = hint * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
    await sleep(Math.min(Math.max(asked, backoff(attempt, retry)), retry.longestWait), signal);
    attempt++;
  }
}

/** The body of a stream that goes on after a version; `undefined` where nothing follows any more. */
async function opened(
  client: Client,
  game: string,
  last: number | undefined,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array> | undefined> {
  const call = client.GET("/v1/games/{id}/stream", {
    params: { path: { id: game }, header: last === undefined ? {} : { "Last-Event-ID": last } },
    parseAs: "stream",
    signal,
  });
  const body = await unwrap(call);
  const { response } = await call;
  const type = response.headers.get("Content-Type") ?? "no type";
  if (response.status !== 204 && !type.startsWith("text/event-stream")) {
    throw new BadAnswer(`the stream of ${game} was answered with ${type}, which is no stream`);
  }
  return body ?? undefined;
}

/** The events of one connection, until it ends, breaks or falls silent. */
async function* events(body: ReadableStream<Uint8Array>, parser: EventParser): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await withinSilence(reader.read());
      if (done) return;
      yield* parser.feed(decoder.decode(value, { stream: true }));
    }
  } catch {
    return; // it broke: what is missing comes with the next connection
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** What is read, unless it takes so long that the connection must be dead. */
function withinSilence<Read>(reading: Promise<Read>): Promise<Read> {
  let timer: ReturnType<typeof setTimeout>;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("silence")), SILENCE);
  });
  return Promise.race([reading, silence]).finally(() => clearTimeout(timer));
}
