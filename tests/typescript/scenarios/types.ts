/** What the compiler must accept, and what it must not: each wrong line is expected to be an error. It is never run. */

import { ApiError, connect, unwrap, type Client, type Code, type Game, type PlayedGame } from "pasyans-client";

export async function accepted(client: Client): Promise<PlayedGame> {
  const game: Game = await unwrap(
    client.POST("/v1/games", { body: { variant: "court", deal: { kind: "shared", seed: "hello" } } }),
  );
  const at = { path: { id: game.id } };
  const page = await unwrap(client.GET("/v1/games", { params: { query: { status: "won", limit: 5 } } }));
  const next: string | null = page.next;
  const rules: string = await unwrap(
    client.GET("/v1/variants/{variant}/rules", { params: { path: { variant: next ?? "" } }, parseAs: "text" }),
  );
  connect(rules, { token: undefined, retry: { attempts: 1 } });
  return unwrap(client.POST("/v1/games/{id}/undo", { params: at, body: {} }));
}

export async function refused(client: Client, error: ApiError): Promise<void> {
  // @ts-expect-error There is no such path.
  await client.GET("/v1/nothing");
  // @ts-expect-error A game is not deleted.
  await client.DELETE("/v1/games/{id}", { params: { path: { id: "" } } });
  // @ts-expect-error The id is missing.
  await client.GET("/v1/games/{id}");
  // @ts-expect-error There is no such kind of deal.
  await client.POST("/v1/games", { body: { variant: "court", deal: { kind: "open" } } });
  // @ts-expect-error A shared deal has a seed.
  await client.POST("/v1/games", { body: { variant: "court", deal: { kind: "shared" } } });
  // @ts-expect-error There is no such status.
  await client.GET("/v1/games", { params: { query: { status: "drawn" } } });
  // @ts-expect-error A game has no such field.
  (await unwrap(client.GET("/v1/games/{id}", { params: { path: { id: "" } } }))).result;
  // @ts-expect-error There is no such code.
  const code: Code = "no-such-code";
  if (error.problem.code === "illegal-move") {
    error.problem.legal_moves.join(code);
    // @ts-expect-error Another problem has that member.
    error.problem.available;
  }
}
