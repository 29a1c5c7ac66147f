// The game so far, and how the address holds it: the first position in the query, the moves behind the `#`.

/** @import { Game, Line, Spot } from "./types.d.ts" */

/**
 * A position and what chance has decided in it, as one text.
 * @param {Spot} spot
 */
export const textOf = ({ input, chance }) => (chance ? `${input}\t${chance}` : input);
/** @type {(text: string) => Spot} */
function spotOf(text) {
  const [input, chance] = text.split("\t");
  return chance ? { input, chance } : { input };
}

/** @param {string} text */
const packed = (text) => encodeURIComponent(text)
  .replace(/[!~_]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`).replaceAll("%20", "_");
/** @param {string} text */
const unpacked = (text) => decodeURIComponent(text.replaceAll("_", "%20"));

/**
 * A step as the difference of two texts: the length of the common beginning and end, and what is between them.
 * @type {(before: Spot, after: Spot, name: string) => string}
 */
function packStep(before, after, name) {
  const [from, to] = [before, after].map((spot) => [...textOf(spot)]);
  const least = Math.min(from.length, to.length);
  let head = 0;
  while (head < least && from[head] === to[head]) head += 1;
  let tail = 0;
  while (tail < least - head && from[from.length - 1 - tail] === to[to.length - 1 - tail]) tail += 1;
  return [name, String(head), String(tail), to.slice(head, to.length - tail).join("")].map(packed).join("~");
}

/** @type {(before: Spot, step: string) => { name: string, spot: Spot }} */
function unpackStep(before, step) {
  const [name, head, tail, between] = step.split("~").map(unpacked);
  const from = [...textOf(before)];
  const [start, end] = [Number(head), from.length - Number(tail)];
  if (between === undefined || !(start <= end)) throw new Error("the step does not fit");
  return { name, spot: spotOf(from.slice(0, start).join("") + between + from.slice(end).join("")) };
}

/**
 * The address of a game. `as` is the player that a person plays.
 * @type {(game: Game<*>, line: Line, as: number | null) => string}
 */
export function addressOf(game, { spots, names, at }, as) {
  const { input, chance } = spots[0];
  const query = new URLSearchParams(chance ? { input, chance } : { input });
  const steps = names.map((name, place) => (game.pack ?? packStep)(spots[place], spots[place + 1], name));
  const parts = [];
  if (steps.length > 0) parts.push(`at=${at}`, `game=${steps.join("!")}`);
  if (as !== null) parts.push(`as=${as}`);
  return `${location.pathname}?${query}${parts.length > 0 ? "#" : ""}${parts.join("&")}`;
}

/**
 * The game of the address. Steps that do not fit are left out.
 * @type {(game: Game<*>) => { line: Line, as: number | null }}
 */
export function readAddress(game) {
  const query = new URLSearchParams(location.search);
  const parts = new Map(location.hash.slice(1).split("&").map((part) => {
    const [name, value = ""] = part.split("=");
    return [name, value];
  }));
  const input = query.get("input") ?? game.sample;
  const chance = query.get("chance");
  const line = { spots: [chance ? { input, chance } : { input }], names: /** @type {string[]} */ ([]), at: 0 };
  try {
    for (const step of (parts.get("game") ?? "").split("!").filter(Boolean)) {
      const { name, spot } = (game.unpack ?? unpackStep)(line.spots[line.spots.length - 1], step);
      line.spots.push(spot);
      line.names.push(name);
    }
  } catch {
    // A cut address: the steps before the cut are shown.
  }
  line.at = Math.min(line.names.length, Math.max(0, Math.trunc(Number(parts.get("at"))) || 0));
  const as = parts.get("as") ?? "";
  return { line, as: /^[0-9]$/.test(as) && Number(as) < game.players.length ? Number(as) : null };
}
