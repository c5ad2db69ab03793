/** Requests that are sent again, where that is safe, until an answer comes. */

import { ConnectionFailed, problemOf } from "./errors.js";

/** How stubborn a client is; times are in milliseconds. */
export interface Retry {
  /** How often a request is sent at most, the first time included. */
  readonly attempts: number;
  /** The wait before the second attempt. Each further one is twice as long; all are spread at random. */
  readonly firstWait: number;
  /**
   * No wait is longer. Where the service asks for a longer one by Retry-After, its refusal is the answer. Unless told it
   * is the window in which the service counts requests, beyond which it asks nobody to wait.
   */
  readonly longestWait: number;
  /** How long an answer may take. */
  readonly timeout: number;
}

export const RETRY: Retry = { attempts: 5, firstWait: 250, longestWait: 60_000, timeout: 10_000 };

/** A pause before a request is sent again: after which failed attempt, how long, and what had happened. */
export interface Wait {
  readonly attempt: number;
  readonly milliseconds: number;
  readonly failure: Response | ConnectionFailed;
}

type Send = (request: Request) => Promise<Response>;

/** Make a `fetch` that sends a request again after a lost connection, a 429 or a 503, as `retry` says. */
export function retrying(send: typeof fetch, retry: Retry, onWait?: ((wait: Wait) => void) | undefined): Send {
  return async (request) => {
    let inDoubt = false;
    for (let attempt = 1; ; attempt++) {
      const last = await once(send, request, retry.timeout);
      const outcome = inDoubt ? await doubted(last) : last;
      inDoubt ||= await mayBeDone(outcome);
      const milliseconds = attempt < retry.attempts ? await pause(request, outcome, attempt, retry) : undefined;
      if (milliseconds === undefined) {
        if (outcome instanceof ConnectionFailed) throw outcome;
        return outcome;
      }
      onWait?.({ attempt, milliseconds, failure: outcome });
      await sleep(milliseconds, request.signal);
    }
  };
}

/** How long is waited before a request is sent again; `undefined`: it is not. */
async function pause(
  request: Request,
  outcome: Response | ConnectionFailed,
  attempt: number,
  retry: Retry,
): Promise<number | undefined> {
  // Sent twice, these do no more than sent once; and so does what a key makes known as the same request.
  const repeatable = request.method !== "DELETE" && (request.method !== "POST" || request.headers.has("Idempotency-Key"));
  if (outcome instanceof ConnectionFailed) {
    return repeatable ? backoff(attempt, retry) : undefined;
  }
  if (outcome.status !== 429 && !(isAway(outcome) && (repeatable || (await nothingWritten(outcome))))) {
    return undefined;
  }
  const asked = retryAfter(outcome);
  if (asked === undefined) return backoff(attempt, retry);
  return asked <= retry.longestWait ? asked : undefined;
}

function isAway(response: Response): boolean {
  return [502, 503, 504].includes(response.status);
}

/** Whether the request may have been done, for all that this attempt tells. */
async function mayBeDone(outcome: Response | ConnectionFailed): Promise<boolean> {
  return outcome instanceof ConnectionFailed || (outcome.status !== 429 && !(await nothingWritten(outcome)));
}

/** What came of an attempt, after one that may have done what was asked for: `written` is `null`, and not `false`. */
async function doubted(outcome: Response | ConnectionFailed): Promise<Response | ConnectionFailed> {
  if (outcome instanceof ConnectionFailed || (await mayBeDone(outcome))) return outcome;
  const problem = problemOf(outcome.status, await outcome.clone().json().catch(() => undefined));
  if (problem === undefined) return outcome;
  const { status, statusText } = outcome;
  const headers = new Headers(outcome.headers);
  headers.delete("Content-Length");
  return new Response(JSON.stringify({ ...problem, written: null }), { status, statusText, headers });
}

async function nothingWritten(response: Response): Promise<boolean> {
  if (!isAway(response)) return false;
  const body: unknown = await response.clone().json().catch(() => undefined);
  const problem = problemOf(response.status, body);
  return problem?.code === "unavailable" && problem.written === false;
}

/** The wait after a failed attempt, spread so that clients do not come back in step. */
export function backoff(attempt: number, retry: Retry): number {
  return Math.min(retry.firstWait * 2 ** (attempt - 1), retry.longestWait) * (0.5 + Math.random() / 2);
}

/** Retry-After, seconds or a date, in milliseconds from now. */
export function retryAfter(response: Response): number | undefined {
  const text = response.headers.get("Retry-After")?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

export function sleep(milliseconds: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** One attempt: a whole answer (of a stream, its beginning), or why there is none. */
async function once(send: typeof fetch, request: Request, timeout: number): Promise<Response | ConnectionFailed> {
  const controller = new AbortController();
  const leave = () => controller.abort(request.signal.reason);
  if (request.signal.aborted) leave();
  request.signal.addEventListener("abort", leave, { once: true });
  const timer = setTimeout(() => controller.abort(new Error(`no answer within ${timeout} ms`)), timeout);
  let isStream = false;
  try {
    const response = await send(request.clone(), { signal: controller.signal });
    isStream = /^(text\/event-stream|application\/x-ndjson)/.test(response.headers.get("Content-Type") ?? "");
    if (isStream || response.body === null) return response;
    // Read here, so that an answer that breaks off is asked for again.
    const body = await response.arrayBuffer();
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  } catch (cause) {
    if (request.signal.aborted) throw request.signal.reason;
    const why = cause instanceof Error ? cause.message : String(cause);
    return new ConnectionFailed(`${request.method} ${request.url} brought no answer: ${why}`, { cause });
  } finally {
    clearTimeout(timer);
    if (!isStream) request.signal.removeEventListener("abort", leave);
  }
}
