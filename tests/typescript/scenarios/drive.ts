/** Does what it is told on stdin, as JSON, and prints what came of it: a line of JSON for each step and each wait. */

import { ApiError, EventParser, connect, follow, newKey, unwrap, type Retry } from "pasyans-client";

declare const process: { readonly stdin: AsyncIterable<Uint8Array> };

type Method = "GET" | "POST" | "PATCH" | "DELETE";

interface Orders {
  readonly url: string;
  readonly token?: string;
  readonly retry?: Partial<Retry>;
  readonly steps: readonly (
    | { readonly call: Method; readonly path: string; readonly init?: object; readonly leave_at?: "wait" }
    | { readonly follow: string; readonly last?: number; readonly at_most?: number; readonly leave_at?: "message" }
    | { readonly parse: readonly string[] }
    | { readonly keys: number }
  )[];
}

type Call = (path: string, init: object) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

function tell(what: object): void {
  console.log(JSON.stringify(what));
}

async function main(): Promise<void> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const piece of process.stdin) text += decoder.decode(piece, { stream: true });
  const orders = JSON.parse(text) as Orders;
  let leave = new AbortController();
  let leaveAt: string | undefined;
  const client = connect(orders.url, {
    token: orders.token,
    retry: orders.retry,
    onWait: ({ attempt, milliseconds, failure }) => {
      tell({ wait: milliseconds, attempt, after: failure instanceof Error ? failure.name : failure.status });
      if (leaveAt === "wait") leave.abort();
    },
  });
  for (const step of orders.steps) {
    try {
      leave = new AbortController();
      leaveAt = "leave_at" in step ? step.leave_at : undefined;
      const { signal } = leave;
      if ("call" in step) {
        const call = client[step.call] as Call;
        tell({ data: (await unwrap(call(step.path, { ...step.init, signal }))) ?? null });
      } else if ("follow" in step) {
        let left = step.at_most ?? Infinity;
        const options = { lastEventId: step.last, signal, retry: orders.retry };
        for await (const message of follow(client, step.follow, options)) {
          tell({ message });
          if (leaveAt === "message") leave.abort();
          if (--left === 0) break;
        }
        tell({ followed: step.follow });
      } else if ("parse" in step) {
        const parser = new EventParser("0");
        const events = step.parse.flatMap((piece) => [...parser.feed(piece)]);
        tell({ events, last: parser.lastId, retry: parser.retry });
      } else {
        tell({ keys: Array.from({ length: step.keys }, newKey) });
      }
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const members = error instanceof ApiError ? { problem: error.problem, retry_after: error.retryAfter ?? null } : {};
      tell({ error: error.name, text: error.message, ...members });
    }
  }
}

await main();
