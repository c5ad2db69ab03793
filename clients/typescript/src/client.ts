/** A connection to one service, for one player or nobody. */

import createClient, { type Client as OpenApiClient } from "openapi-fetch";

import { ApiError, BadAnswer, problemOf } from "./errors.js";
import { RETRY, retryAfter, retrying, type Retry, type Wait } from "./retry.js";
import type { paths } from "./schema.js";

/** `GET`, `POST`, `PATCH` and `DELETE` on the paths of the API, typed by its OpenAPI document. */
export type Client = OpenApiClient<paths>;

export interface Options {
  /** A player's token; without one, what is public can be read, and a player be made. */
  readonly token?: string | undefined;
  readonly retry?: Partial<Retry> | undefined;
  /** Called before each wait that precedes a repeated request. */
  readonly onWait?: ((wait: Wait) => void) | undefined;
  /** What sends requests, in place of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

/**
 * Connect to a service, such as `https://host/pasyans`; nothing is sent yet.
 *
 * Requests carry the token. Every POST carries an Idempotency-Key, a new one unless it is given, so that it is done
 * once however often it is sent; requests are sent again as `retry` says.
 */
export function connect(baseUrl: string, { token, retry, onWait, fetch: send = fetch }: Options = {}): Client {
  const persistent = retrying((...given) => send(...given), { ...RETRY, ...retry }, onWait);
  return createClient<paths>({
    baseUrl,
    ...(token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } }),
    fetch: (request) => {
      if (request.method === "POST" && !request.headers.has("Idempotency-Key")) {
        request.headers.set("Idempotency-Key", newKey());
      }
      return persistent(request);
    },
  });
}

/** What a call answers with: `await unwrap(client.GET(…))` is its data, and a refusal is thrown as an `ApiError`. */
export async function unwrap<Data>(
  call: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<Data> {
  const { data, error, response } = await call.catch((cause: unknown) => {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new BadAnswer("an answer that is no JSON: is this a Pasyans service?", { cause });
  });
  if (response.ok) return data as Data;
  const problem = problemOf(response.status, error);
  if (problem === undefined) {
    throw new BadAnswer(`status ${response.status} and no problem details: is this a Pasyans service?`);
  }
  throw new ApiError(problem, retryAfter(response), response.headers.get("X-Request-Id") ?? undefined);
}

/** A new Idempotency-Key: a random UUID. Keep it with a request that is to be repeated later. */
export function newKey(): string {
  // Browsers have `randomUUID` on secure origins only.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
