/** What can go wrong: the service refused (`ApiError`), nothing answered, or something else than this API did. */

import type { components } from "./schema.js";

type Schemas = components["schemas"];

/** The body of any refusal. `code` tells them apart: in a `switch` over it, each case has the members of its own. */
export type Problem = { [Name in keyof Schemas]: Name extends `${string}Problem` ? Schemas[Name] : never }[keyof Schemas];

/** The codes of refusals. A newer service may send others, so a `switch` needs a `default`. */
export type Code = Problem["code"];

/** The service refused. `message` is the problem's `detail`, an English sentence that says what to do. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    /**
     * What the service said. `written` is `null` (of a 429 too) where an attempt before may have done what was asked
     * for: repeat it with the same key.
     */
    readonly problem: Problem,
    /** Milliseconds to wait before asking again, where the service said so. */
    readonly retryAfter?: number | undefined,
    /** What the logs of the service carry, to be quoted in a report. */
    readonly requestId?: string | undefined,
  ) {
    super(problem.detail);
  }

  get code(): Code {
    return this.problem.code;
  }
}

/** No answer came, or not the whole of it. What was asked for may have been done: repeat it with the same key. */
export class ConnectionFailed extends Error {
  override readonly name = "ConnectionFailed";
}

/** An answer came, but none of this API: another server's page, perhaps. */
export class BadAnswer extends Error {
  override readonly name = "BadAnswer";
}

/** Read the body of an answer with an error status: a problem, or `undefined` where it is none of this API's. */
export function problemOf(status: number, body: unknown): Problem | undefined {
  const { code, detail } = Object(body) as Partial<Record<string, unknown>>;
  if (typeof code === "string" && typeof detail === "string") return body as Problem;
  if (![502, 503, 504].includes(status)) return undefined;
  // A proxy answers so in place of a service that is away.
  return {
    type: "/problems/unavailable",
    title: "Unavailable",
    status: 503,
    detail: `The server answered ${status}.`,
    code: "unavailable",
    instance: "",
    written: null,
  };
}
