/** A typed client of the Pasyans API, for browsers and Node: `connect` to a service, and `unwrap` what it answers. */

export { connect, newKey, unwrap, type Client, type Options } from "./client.js";
export { ApiError, BadAnswer, ConnectionFailed, type Code, type Problem } from "./errors.js";
export { RETRY, type Retry, type Wait } from "./retry.js";
export { EventParser, follow, type FollowOptions, type ServerEvent } from "./stream.js";
export type * from "./schema.js";
