// A game that is a program: the page of any game that describes itself (docs/game-programs.md).

import { Refusal, ask, refusalOf } from "./api.js";
import { h, percent, points } from "./view.js";

/** @import { Description, Edit, Explained, Game, Look, Program, Spot } from "./types.d.ts" */

/// Maximum number of starts and examples that are listed.
const EXAMPLES = 8;
/// Maximum number of decimals of a value.
const MOST_DECIMALS = 12;
/// What a move loses that changes no value, but the number of moves to the end.
const TIME = 1e-6;
/// Maximum number of characters between two rows of a board in a text.
const MOST_BETWEEN = 3;
/// Maximum number of rows of a board, and of cells in a row. Every cell is a button.
const MOST_CELLS = 64;
const COLOURS = ["red", "green", "blue", "yellow", "black", "white"];
const SHAPES = ["disc", "block", "tile", "text"];

/**
 * The games that are programs.
 * @returns {Promise<Game<Program>[]>}
 */
export async function programs() {
  try {
    return (await ask("games")).games.map(gameOf);
  } catch (error) {
    // Our own games do not need this list.
    refusalOf(error);
    return [];
  }
}

/**
 * What has been decided in a position: whether the second player is to move, and the way through moves and throws.
 * @type {(spot: Spot) => { isSecond: boolean, path: number[] }}
 */
function decided({ chance = "" }) {
  const parts = chance.split(" ").filter(Boolean);
  const path = parts.filter((part) => part !== "second").flatMap((part) => part.split(".").map(Number));
  return { isSecond: parts.includes("second"), path };
}

/** @type {(input: string, isSecond: boolean, path: number[]) => Spot} */
function spotOf(input, isSecond, path) {
  const chance = [isSecond ? "second" : "", path.join(".")].filter(Boolean).join(" ");
  return chance ? { input, chance } : { input };
}

/**
 * What was thrown on the way to a node, if anything.
 * @type {(answer: Program, path: number[]) => string | undefined}
 */
function thrown(answer, path) {
  const last = path.findLastIndex((_, place) => nodeAt(answer, path.slice(0, place)).outcomes?.length);
  if (last < 0) return undefined;
  return nodeAt(answer, path.slice(0, last)).outcomes?.[path[last]].outcome ?? `outcome ${path[last] + 1}`;
}

/** @type {(answer: Program, path: number[]) => Explained} */
function nodeAt(answer, path) {
  /** @type {Explained} */
  let node = answer;
  for (const place of path) {
    const next = (node.moves ?? node.outcomes ?? [])[place];
    if (!next) throw new Refusal({ what: "the address does not fit the position", remedy: "begin the game again" });
    node = next;
  }
  return node;
}

/** A win, a draw or a loss with the moves to the end, in few letters. @param {Explained} node */
const shortResult = ({ value, moves_to_end: end, endless }) => `${"LDW"[value + 1]}${endless || !end ? "" : end}`;

/** @typedef {(value: unknown) => boolean} Check */

/** @type {Check} */
const isText = (value) => typeof value === "string";
/** @type {Check} */
const isFlag = (value) => typeof value === "boolean";
/** @type {Check} */
const isNumber = (value) => typeof value === "number";
/** @type {(check: Check) => Check} */
const listOf = (check) => (value) => Array.isArray(value) && value.every(check);
/** @type {Check} */
const isBoard = (value) => Array.isArray(value) && value.length <= MOST_CELLS
  && value.every((row) => isText(row) && row.length <= MOST_CELLS);
/** @type {Check} */
const isNode = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
/** @type {Check} */
const isCell = (value) => listOf(Number.isInteger)(value) && /** @type {number[]} */ (value).length === 2;

/** What the fields of a node must be, if they are there. @type {Record<string, Check>} */
const FIELDS = {
  value: isNumber, fraction: isText, lower: isNumber, upper: isNumber, moves_to_end: isNumber, endless: isFlag,
  over: isFlag, again: isFlag, next: isText, turn: isFlag, goal: (value) => value === "max" || value === "min",
  proposed: isNumber, move: isText, outcome: isText, weight: (value) => isNumber(value) && Number(value) > 0,
  touch: listOf(listOf(isCell)), board: isBoard, moves: listOf(isNode), outcomes: listOf(isNode),
};

/**
 * The first field of an answer that is missing or wrong. A field that is `null` counts as left out.
 * @type {(node: Record<string, unknown>, needed: string[]) => string | undefined}
 */
function wrongField(node, needed) {
  for (const field of Object.keys(FIELDS)) {
    if (node[field] === null) delete node[field];
  }
  const wrong = Object.entries(FIELDS).find(([field, check]) =>
    (node[field] === undefined ? needed.includes(field) : !check(node[field])));
  if (wrong) return wrong[0];
  /** @type {[string, string[]][]} */
  const lists = [["moves", ["value", "move"]], ["outcomes", ["value", "weight"]]];
  for (const [list, fields] of lists) {
    for (const next of /** @type {Record<string, unknown>[]} */ (node[list] ?? [])) {
      const found = wrongField(next, fields);
      if (found) return `${list}: ${found}`;
    }
  }
  return undefined;
}

/** The line about a game without its name, which stands above it. @param {Description} game */
function withoutName({ name, about }) {
  const [first, ...others] = about.split(": ");
  const [named, whole] = [first.toLowerCase(), name].map((text) => text.replace(/[^a-z0-9]/g, ""));
  // A name may end with a size.
  const isName = named !== "" && (named.endsWith(whole) || whole.startsWith(named));
  return isName && others.length > 0 ? titleOf(others.join(": ")) : about;
}

/** @param {string} name */
const titleOf = (name) => name.charAt(0).toUpperCase() + name.slice(1);

/** @type {(game: Description) => Game<Program>} */
function gameOf(game) {
  // A short text is a version number.
  const rules = game.rules.length > 3 ? game.rules : "";
  const hasTwo = game.players > 1;
  const isChance = hasTwo && game.sum === 1;
  const isWon = hasTwo && game.sum === 0;
  /** @param {number} value */
  const plain = (value) => {
    if (game.decimals !== null) return value.toFixed(Math.min(game.decimals, MOST_DECIMALS));
    return Number.isInteger(value) ? String(value) : value.toFixed(3);
  };
  /** @type {(node: Explained) => string} */
  const numberOf = ({ value, lower, upper, moves_to_end: end, endless }) => {
    const moves = end === undefined || end === 0 ? "" : ` in ${end}`;
    if (endless) return isWon ? "Draw" : `${plain(value)}, endless`;
    if (isWon && [1, 0, -1].includes(value)) return `${["Loss", "Draw", "Win"][value + 1]}${moves}`;
    if (isChance) return percent(value);
    const isWide = lower !== undefined && upper !== undefined && plain(lower) !== plain(upper);
    return (isWide ? `${plain(lower)} to ${plain(upper)}` : plain(value)) + moves;
  };
  /** @param {Explained} node */
  const shortOf = (node) => {
    if (isWon && [1, 0, -1].includes(node.value)) return shortResult(node);
    if (isChance) return `${Math.round(100 * node.value)} %`;
    return Number.isInteger(node.value) ? String(node.value) : node.value.toFixed(1);
  };
  const names = game.names.length === 2 ? game.names : ["First", "Second"];
  const players = hasTwo ? names : ["Player"];
  const [seenByFirst, seenBySecond] = [false, true].map((isSecond) =>
    new Map(game.look.map((look) => [look.glyph, owned(look, game.look, players, isSecond)])));
  const looksOf = (/** @type {Spot} */ spot) => (decided(spot).isSecond ? seenBySecond : seenByFirst);
  const starts = game.starts.map((start) => /** @type {[string, string]} */ ([`Start: ${start}`, start]));
  const examples = game.examples.map(({ name, position }) =>
    /** @type {[string, string]} */ ([name ? `${titleOf(name)}: ${position}` : position, position]));

  /** @type {Game<Program>["ask"]} */
  const askProgram = async ({ input }, signal) => {
    const answer = await ask(/** @type {`program/${string}`} */ (game.name), { input }, signal);
    const wrong = isNode(answer) ? wrongField(/** @type {*} */ (answer), ["value"]) : "value";
    if (wrong === undefined) return answer;
    throw new Refusal({ what: `${game.name} answered without a right ‘${wrong}’`, remedy: "mend the program" });
  };

  return {
    name: game.name,
    title: titleOf(game.name.replaceAll("-", " ")),
    line: rules === "" ? withoutName(game) : rules.split(/(?<=[.!?]) /)[0],
    rules: rules && `${rules} ${game.about.replace(/[.!?]?$/, ".")}`,
    sample: game.starts[0],
    players,
    graph: hasTwo ? `The value for ${players[0]}` : game.unit || "The value",
    range: isWon ? [-1, 1] : isChance ? [0, 1] : undefined,
    mistake: isChance ? 0.1 : 0.5,
    lossText: (loss) => {
      if (loss <= TIME) return "time";
      if (isChance) return points(loss);
      if (isWon) return `${loss > 1 ? "a whole" : "half a"} point`;
      return Number(plain(loss)) === 0 ? `less than ${plain(loss).replace(/0$/, "1")}` : plain(loss);
    },
    // Many starts leave room for the positions worth a look.
    examples: [...starts.slice(0, Math.max(1, EXAMPLES - examples.length)), ...examples].slice(0, EXAMPLES),
    isDrawnByAnswer: true,

    ask: askProgram,
    edit: editOf(game.starts[0], looksOf, askProgram),

    read(answer, spot) {
      const { isSecond, path } = decided(spot);
      const node = nodeAt(answer, path);
      const turned = isSecond !== (hasTwo && node.goal === "min");
      /** @type {(next: Explained, place: number) => Spot} */
      const follow = (next, place) => {
        if (next.next !== undefined) return spotOf(next.next, isSecond !== Boolean(next.turn), []);
        return next.again ? spotOf(spot.input, isSecond, []) : spotOf(spot.input, isSecond, [...path, place]);
      };
      const moves = node.moves ?? [];
      const came = thrown(answer, path);
      const worse = moves.map((move) => Math.abs(moves[0].value - move.value));
      const most = Math.max(...worse, 1e-9);
      // Of moves with the same value, the winner wants the end soon and the loser late.
      const losses = moves.map(({ moves_to_end: end }, place) =>
        worse[place] || (end === moves[0].moves_to_end ? 0 : TIME));
      const isOver = node.over || (moves.length === 0 && !node.outcomes?.length && node.next === undefined);
      const whose = hasTwo ? `for ${players[turned ? 1 : 0]}, to move` : "";
      return {
        value: isSecond ? game.sum - node.value : node.value,
        raw: node.fraction ?? String(node.value),
        number: numberOf(node),
        unit: isOver ? game.unit : [game.unit, whose].filter(Boolean).join(" "),
        exact: isWon ? null : node.fraction ?? String(node.value),
        note: node.proposed ? `Chance picks among the best ${node.proposed} moves.` : null,
        mover: turned ? 1 : 0,
        over: isOver ? "The game is over." : undefined,
        title: came === undefined ? undefined : `Thrown: ${came}. Moves`,
        came: came === undefined ? undefined : { name: came },
        // Points of any size: half of what the worst move loses, if that is not next to nothing.
        mistake: isChance || isWon ? undefined : Math.max(most / 2, Math.abs(node.value) / 50),
        moves: moves.map((move, place) => ({
          name: move.move,
          number: numberOf(move),
          short: shortOf(move),
          loss: losses[place],
          share: 1 - (0.85 * worse[place]) / most,
          proposed: place < (node.proposed ?? 0),
          ways: [{
            touch: (move.touch ?? []).map((group) => group.map((cell) => cell.join())),
            next: follow(move, place),
          }],
        })),
        chance: node.outcomes?.length ? {
          name: "Throw",
          results: node.outcomes.map((outcome, place) => ({
            name: outcome.outcome ?? `outcome ${place + 1}`,
            weight: outcome.weight,
            number: numberOf(outcome),
            next: follow(outcome, place),
          })),
        } : undefined,
      };
    },

    board(spot, answer) {
      const rows = answer?.board;
      if (!rows || rows.length === 0) return h("pre", { class: "position" }, spot.input.replaceAll("/", "\n"));
      return grid(rows, looksOf(spot));
    },
  };
}

/** Where a text holds the cells of a board, row by row, and the characters between the rows.
 * @typedef {{ cells: number[][], between: Map<number, string> }} Layout */

/**
 * The ways in which a text may hold the rows of a board: one after the other, with the same distance.
 * @type {(text: string, rows: string[]) => Layout[]}
 */
function layoutsOf(text, rows) {
  const size = rows[0]?.length ?? 0;
  if (size === 0 || rows.some((row) => row.length !== size)) return [];
  /** @type {Layout[]} */
  const found = [];
  for (const isReversed of [false, true]) {
    const order = isReversed ? rows.toReversed() : rows;
    for (let gap = 0; gap <= MOST_BETWEEN; gap += 1) {
      const length = rows.length * (size + gap) - gap;
      for (let start = 0; start + length <= text.length; start += 1) {
        const starts = order.map((_, row) => start + row * (size + gap));
        if (!order.every((row, place) => text.startsWith(row, starts[place]))) continue;
        const inOrder = isReversed ? starts.toReversed() : starts;
        const cells = inOrder.map((first) => Array.from({ length: size }, (_, column) => first + column));
        const all = new Set(cells.flat());
        const places = Array.from({ length }, (_, place) => start + place).filter((place) => !all.has(place));
        found.push({ cells, between: new Map(places.map((place) => [place, text[place]])) });
      }
    }
  }
  return found;
}

/** The board that a text holds, if the layout fits it. @type {(layout: Layout, text: string) => string[] | null} */
function rowsIn({ cells, between }, text) {
  if (Math.max(...cells.flat()) >= text.length) return null;
  if ([...between].some(([place, sign]) => text[place] !== sign)) return null;
  return cells.map((row) => row.map((place) => text[place]).join(""));
}

/**
 * The edit mode of any game: its text, and its board where the text holds the board. Whether it does is learned from
 * two positions. The program itself says what is wrong with a changed text.
 * @type {(start: string, looksOf: (spot: Spot) => Map<string, Look>, ask: Game<Program>["ask"]) => Edit}
 */
function editOf(start, looksOf, askProgram) {
  /** @type {Layout | null} */
  let layout = null;
  /** @type {Set<string>} */
  let glyphs = new Set();
  /** The first position that follows another. @type {(node: Explained) => string | undefined} */
  const nextOf = (node) => {
    const all = [...(node.moves ?? []), ...(node.outcomes ?? [])];
    return all.map((next) => next.next ?? nextOf(next)).find((text) => text !== undefined);
  };
  return {
    palette: (spot) => (layout === null ? [] : [...glyphs].map((glyph) => {
      const look = looksOf(spot).get(glyph);
      if (glyph === ".") return { glyph, name: "empty", look: "none" };
      const isPlain = look?.shape === "disc" || look?.shape === "block";
      return { glyph, name: isPlain ? look?.name ?? glyph : [glyph, look?.name].filter(Boolean).join(" "),
        look: isPlain ? look?.colour : undefined };
    })),
    put(input, cell, glyph) {
      if (!layout || !rowsIn(layout, input)) return input;
      const [row, column] = cell.split(",").map(Number);
      const place = layout?.cells[row]?.[column];
      return place === undefined ? input : input.slice(0, place) + glyph + input.slice(place + 1);
    },
    async begin({ input }, answer) {
      const { signal } = new AbortController();
      const here = answer === undefined ? start : input;
      const first = /** @type {Program} */ (answer ?? await askProgram({ input: start }, signal, () => null));
      const others = [nextOf(first), start].filter((other) => other !== undefined && other !== here);
      const rows = first.board ?? [];
      layout = null;
      glyphs = new Set(rows.join(""));
      for (const other of others) {
        const next = await askProgram({ input: String(other) }, signal, () => null);
        const board = next.board ?? [];
        if (board.join() === rows.join()) continue;
        for (const glyph of board.join("")) glyphs.add(glyph);
        layout = layoutsOf(here, rows).find((found) => rowsIn(found, String(other))?.join() === board.join()) ?? null;
        break;
      }
      for (const glyph of looksOf({ input }).keys()) glyphs.add(glyph);
      glyphs = new Set([...glyphs].filter((glyph) => glyph !== " ").sort());
    },
    turn: { of: (spot) => Number(decided(spot).isSecond), set: ({ input }, who) => spotOf(input, who === 1, []) },
    board(spot) {
      const rows = layout && rowsIn(layout, spot.input);
      return rows ? grid(rows, looksOf(spot)) : null;
    },
    hasText: true,
    isLive: true,
  };
}

/**
 * A look whose name is `own …` belongs to the player to move, the one with `other …` to the other player. A player
 * keeps the colour when the turn passes.
 * @type {(look: Look, all: Look[], players: string[], isSecond: boolean) => Look}
 */
function owned(look, all, players, isSecond) {
  const [, whose, kind] = /^(own|other) (.+)$/.exec(look.name ?? "") ?? [];
  const pair = ["own", "other"].map((word) => all.find(({ name }) => name === `${word} ${kind}`));
  if (!whose || pair.includes(undefined)) return look;
  const owner = Number((whose === "other") !== isSecond);
  return { ...look, colour: pair[owner]?.colour, name: `${players[owner] ?? players[0]}’s ${kind}` };
}

/** @type {(rows: string[], looks: Map<string, Look>) => Node} */
function grid(rows, looks) {
  const columns = Math.max(...rows.map((row) => [...row].length));
  const most = Math.min(130 * columns, 560, (480 * columns) / rows.length);
  const style = { "--columns": String(columns), "--rows": String(rows.length), maxWidth: `${most}px` };
  return h("div", { class: "grid any", style }, rows.flatMap((row, y) =>
    Array.from({ length: columns }, (_, x) => {
      const glyph = [...row][x] ?? " ";
      if (glyph === " ") return h("span", {});
      const look = looks.get(glyph);
      const isEmpty = glyph === ".";
      const shape = SHAPES.includes(look?.shape ?? "") ? look?.shape : "text";
      const colour = COLOURS.includes(look?.colour ?? "") ? look?.colour : "plain";
      const showsGlyph = shape === "tile" || shape === "text";
      return h("button", { class: `cell${(x + y) % 2 ? " dark" : ""}`, "data-cell": `${y},${x}` },
        isEmpty ? h("span", { class: "visually-hidden" }, `empty, row ${y + 1}, column ${x + 1}`)
          : h("span", { class: `shape ${shape} ${colour}` },
            showsGlyph && glyph,
            h("span", { class: "visually-hidden" }, look?.name ? ` ${look.name}` : showsGlyph ? "" : glyph)));
    })));
}
