/** Takes each step of some games through the guide's functions, and prints what they make of it, as JSON. */

import type { Change, Layout, Pile } from "pasyans-client";
import { apply, drops, glides, lay, picture, predict, svg } from "./table.js";

declare const process: { readonly stdin: AsyncIterable<Uint8Array> };

interface Step {
  readonly layout: Layout;
  readonly piles: Pile[];
  readonly legal_moves: string[];
  readonly move: string | null;
  readonly changes: Change[];
}

let text = "";
const decoder = new TextDecoder();
for await (const piece of process.stdin) text += decoder.decode(piece, { stream: true });

for (const { layout, piles, legal_moves, move, changes } of JSON.parse(text) as Step[]) {
  const table = lay(piles);
  const predicted = move === null ? null : predict(table, move);
  const told = {
    table,
    after: apply(table, changes),
    picture: picture(layout, table),
    svg: svg(picture(layout, table)),
    glides: glides(layout, table, changes),
    predicted: predicted && apply(table, predicted),
    drops: Object.entries(table).map(([at, cards]) => cards.map((_, index) => drops(legal_moves, at, cards.length - index))),
  };
  console.log(JSON.stringify(told));
}
