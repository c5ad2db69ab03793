/**
 * A whole game: `node play.js http://127.0.0.1:8000`.
 *
 * A guest plays a shared deal to its win and follows the game's stream meanwhile, as somebody who watches would. The
 * connection may break at any time: requests are repeated with their key, and the stream goes on where it was.
 */

import { ApiError, connect, follow, newKey, unwrap, type Client, type Game, type Layout } from "pasyans-client";

declare const process: { readonly argv: string[] };

const SEED = "r1-140";
const MOVES = `
  t4-f1 r-t4 draw w-t3 draw w-f1 r-f1 r-f2 w-t3 draw w-f3 r-f3 r-t4 r-t3 r-f4 r-f3 w-f1 w-f2 w-f4 w-f4 w-t2 t1-f4 r-t1
  t3-f3 t3-f4 draw w-t3 t3-t4*3 w-t3 w-f4 t1-f4 draw w-t1 draw w-t2 w-t3 w-f4 draw w-t2 w-f3 t2-t1*4 w-t2 w-f3 w-f3
  t3-f3 draw w-t4 w-f2 t4-f2 t4-f1`.trim().split(/\s+/);

async function main(address: string): Promise<void> {
  const { name, token } = await unwrap(connect(address).POST("/v1/players", { body: {} }));
  const client = connect(address, {
    token,
    onWait: ({ attempt, milliseconds }) => console.error(`attempt ${attempt} failed, next in ${Math.round(milliseconds)} ms`),
  });
  const variant = await unwrap(client.GET("/v1/variants/{variant}", { params: { path: { variant: "vokzal-36" } } }));
  const opening = await unwrap(
    client.POST("/v1/games", { body: { variant: variant.id, deal: { kind: "shared", seed: SEED } } }),
  );
  console.log(`${name} plays ${variant.name.en}, game ${opening.id}`);
  console.log(board(variant.layout, opening));

  const watched = watch(connect(address), opening.id);
  await beRefused(client, opening);
  const game = await play(client, opening);
  console.log(board(variant.layout, game));
  console.log(`${game.status} in ${game.moves} moves`);
  console.log(`events that were watched: ${(await watched).join(" ")}`);
}

/** Play the moves one by one and, as soon as the service knows the way to the end, that way at once. */
async function play(client: Client, game: Game): Promise<Game> {
  for (const move of MOVES) {
    if (game.finish !== null) break;
    if (!game.legal_moves.includes(move)) throw new Error(`${move} is not legal`);
    game = await send(client, game, [move]);
  }
  return game.finish === null ? game : send(client, game, game.finish);
}

/** Play moves on the board as it was seen. Once they are played, no repetition of the request plays them again. */
function send(client: Client, game: Game, moves: string[]): Promise<Game> {
  const header = { "If-Match": `"${game.version}"`, "Idempotency-Key": newKey() };
  return unwrap(client.POST("/v1/games/{id}/moves", { params: { path: { id: game.id }, header }, body: { moves } }));
}

/** What a refusal says is told by its code. */
async function beRefused(client: Client, game: Game): Promise<void> {
  const at = { path: { id: game.id } };
  const wrong = [
    () => client.POST("/v1/games/{id}/moves", { params: at, body: { moves: ["t1-f1"] } }),
    () => client.POST("/v1/games/{id}/undo", { params: at, body: {} }),
    () => client.POST("/v1/games/{id}/moves", { params: { ...at, header: { "If-Match": '"9"' } }, body: { moves: ["draw"] } }),
    () => client.GET("/v1/games/{id}", { params: { ...at, query: { at: 9 } } }),
  ];
  for (const call of wrong) {
    try {
      await unwrap<unknown>(call());
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      console.log(`refused: ${explain(error)}`);
    }
  }
}

function explain({ problem }: ApiError): string {
  switch (problem.code) {
    case "illegal-move":
      return `${problem.move} is ${problem.code}, ${problem.reason}; legal are ${problem.legal_moves.join(" ")}`;
    case "nothing-to-undo":
      return `${problem.code}, ${problem.available} can be undone`;
    case "stale-version":
      return `${problem.code}, the game is at ${problem.version}`;
    default:
      return `${problem.code}, ${problem.detail}`;
  }
}

/** Follow a game to its end, and return the numbers of its events. */
async function watch(client: Client, game: string): Promise<number[]> {
  const seen = [];
  for await (const { events } of follow(client, game, { lastEventId: 0 })) {
    seen.push(...events.map((event) => event.seq));
  }
  return seen;
}

/** A board as text: a line for each pile, zone by zone, face-down cards as `##`. */
function board(layout: Layout, game: Game): string {
  const piles = new Map(game.piles.map((pile) => [pile.id, pile]));
  const lines = layout.zones.flatMap((zone) => [
    `${zone.name.en}:`,
    ...zone.piles.map((id) => {
      const pile = piles.get(id);
      return `  ${id} ${[...Array<string>(pile?.hidden ?? 0).fill("##"), ...(pile?.cards ?? [])].join(" ")}`.trimEnd();
    }),
  ]);
  return lines.join("\n");
}

const [, , address = "http://127.0.0.1:8000"] = process.argv;
await main(address);
