// The types of the page: the objects of the API, as docs/json.md describes them, and what the page makes of them.
// Only the type checker reads this file; the server does not send it.

/** Why a request was refused. */
export interface Failure {
  line?: number;
  what: string;
  remedy: string;
}

export interface Chance {
  answer: string;
  probability: number;
}

export type Player = "A" | "B";

export interface Hand {
  dice: number[];
  arrangement: string;
}

export interface DiceCase extends Chance {
  a: Hand;
  b: Hand;
  mover: Player | null;
  over?: string;
  fraction: string;
  moves: DiceMove[];
}

export interface DiceMove extends Chance {
  reroll: number[];
  keep: number[];
  outcomes: { arrangement: string; probability: number }[];
}

export type Place = "left" | "middle" | "right";
export type Face = "red" | "green" | "blue" | "black";

export interface BlockPlace {
  level: number;
  place: Place;
}

export interface JengaMove {
  take: BlockPlace;
  put: BlockPlace;
  ways: number;
  minutes: number;
  next: string;
}

export interface Jenga {
  levels: string[];
  answer: string;
  minutes: number;
  over?: string;
  faces: { face: Face; sides: number; moves: JengaMove[] }[];
}

export interface Cell {
  row: number;
  column: number;
}

export interface Hopchess extends Chance {
  board: string[];
  mover: "J" | "D";
  proposal_size: number;
  fraction: string | null;
  over?: string;
  moves: (Chance & { from: Cell; to: Cell; captured: string; proposed: boolean; next: string })[];
}

export type Team = "R" | "B";
export type Identity = Team | "I" | "A" | ".";

export interface Hint extends Chance {
  hint: number;
  words: string[];
  number: number;
}

export interface Codenames extends Chance {
  mover: Team;
  over?: string;
  blocked_by?: string[];
  guessing?: string;
  moves: Hint[];
  numbers: (Chance & { number: number })[];
  first_guesses: (Chance & { word: string; identity: Identity; outcome: string; next?: string })[];
}

export interface BaldaMove {
  row: number;
  column: number;
  letter: string;
  word: string;
  first_row: number;
  first_column: number;
  steps: string;
}

export interface BaldaGame {
  language: string;
  start: string;
  points: number;
  letters: number;
  moves: BaldaMove[];
}

export interface Table {
  table: string;
  game: string;
  state: string;
  positions?: number;
  bytes?: number;
  sha256?: string;
  shipped?: boolean;
}

/** How a game program describes itself, as docs/game-programs.md says. */
export interface Description {
  name: string;
  about: string;
  rules: string;
  unit: string;
  players: number;
  names: string[];
  decimals: number | null;
  sum: number;
  starts: string[];
  examples: { name: string; position: string }[];
  look: Look[];
}

/** How a character of a board looks. */
export interface Look {
  glyph: string;
  name?: string;
  colour?: string;
  shape?: string;
}

/** A node of a game program's answer. */
export interface Explained {
  value: number;
  fraction?: string;
  lower?: number;
  upper?: number;
  moves_to_end?: number;
  endless?: boolean;
  over?: boolean;
  again?: boolean;
  next?: string;
  turn?: boolean;
  goal?: "max" | "min";
  proposed?: number;
  moves?: (Explained & { move: string; touch?: Touch })[];
  outcomes?: (Explained & { outcome?: string; weight: number })[];
}

/** The answer of a game program. */
export type Program = Explained & { board?: string[] };

/** What a move touches: groups of cells, each a row and a column from 0. */
export type Touch = [number, number][][];

/** The answer of each path under `/api/`. */
export interface Answers {
  dice: { cases: DiceCase[] };
  jenga: Jenga;
  hopchess: Hopchess;
  codenames: Codenames;
  "hopchess/factors": { justin: number[]; probabilities: number[][] };
  "balda/start": { word: string };
  "balda/next": { moves: (BaldaMove & { next: string })[] };
  tables: { tables: Table[] };
  games: { games: Description[] };
  [sample: `${string}/sample`]: { input: string };
  [program: `program/${string}`]: Program;
}

/** The paths whose answer is a stream: the data of each event, and of the last one. */
export interface Streams {
  "codenames/stream": { event: { done: number; total: number }; final: Codenames };
  "balda/stream": { event: BaldaGame; final: BaldaGame };
}

/** The query of an address or of a request. */
export type Parameters = Record<string, string>;

/** What is shown: a position, and what chance has decided in it. */
export interface Spot {
  input: string;
  chance?: string;
}

/** The positions of a game, the names of the moves between them, and the place of the one that is shown. */
export interface Line {
  spots: Spot[];
  names: string[];
  at: number;
}

/** A way to make a move on the board: groups of labels. The cells of a group are touched in any order. */
export interface Way {
  touch: string[][];
  next?: Spot;
}

/** A move. `loss` is what it loses against the best one, `share` the length of its bar. */
export interface Move {
  name: string;
  number: string;
  /** The number for a cell that is too small for it. */
  short?: string;
  loss: number;
  share: number;
  ways: Way[];
  /** The outcome of chance that it needs. It is compared with the moves after the same outcome. */
  group?: string;
  next?: () => Spot;
  proposed?: boolean;
}

/** An outcome of chance. A touch of `cell` chooses it. */
export interface Result {
  name: string;
  weight: number;
  number?: string;
  /** What it loses against the best outcome, for its colour on the board. */
  loss?: number;
  cell?: string;
  look?: string;
  next: Spot;
}

/** What an answer says. `value` is the first player's; it is null if it is not known for that player. */
export interface Reading {
  value: number | null;
  raw: string;
  number: string;
  unit: string;
  exact?: string | null;
  note?: string | null;
  mover: number;
  over?: string;
  /** The title of the list of moves, what its numbers are, and how the first move differs: "best" if left out. */
  title?: string;
  column?: string;
  most?: string;
  moves: Move[];
  /** A loss of this size is a mistake here; that of the game if left out. */
  mistake?: number;
  chance?: { name: string; results: Result[] };
  /** What chance has just brought, for the board. */
  came?: { name: string; look?: string };
  /** To find the moves is the game, so a player does not see them listed. */
  isSearch?: boolean;
  /** The touched cells do not make a move before a button is pressed. */
  confirm?: boolean;
  selected?: string[];
}

/** A position with its answer, as the parts of the page below the board see it. */
export interface View<Answer> {
  spot: Spot;
  answer: Answer;
  reading: Reading;
  signal: AbortSignal;
  /** Begins a new game. */
  set: (input: string) => void;
  /** Shows a whole game. */
  load: (line: Line, replace: boolean) => void;
}

/** What a touch puts into a cell. `look` is the class of its dot, if it has one. */
export interface Piece {
  glyph: string;
  name: string;
  look?: string;
}

/** The edit mode: what is chosen from the palette is put into a touched cell. */
export interface Edit {
  palette: Piece[] | ((spot: Spot) => Piece[]);
  put: (input: string, cell: string, glyph: string) => string;
  fields?: (input: string, set: (input: string) => void) => Node[];
  /** Whose turn it is, if the position does not say it. */
  turn?: { of: (spot: Spot) => number; set: (spot: Spot, player: number) => Spot };
  /** Gets ready to edit a position, whose answer may be missing. */
  begin?: (spot: Spot, answer: unknown) => Promise<void>;
  /** Draws what is edited, if `board` of the game cannot do it without an answer. */
  board?: (spot: Spot) => Node | null;
  /** The text can be edited as well. */
  hasText?: boolean;
  /** Every change is asked about. */
  isLive?: boolean;
}

/** How a game looks and what a touch means. `board` draws a position whose answer is not known yet, too. */
export interface Game<Answer> {
  name: string;
  title: string;
  /** The title in the navigation, if it is shorter there. */
  short?: string;
  line: string;
  /** More than the line says; may be empty. */
  rules: string;
  sample: string;
  players: string[];
  /** The name of the graph, and its range. */
  graph: string;
  range?: [number, number];
  /** A loss of this size is a mistake. */
  mistake: number;
  lossText: (loss: number) => string;
  examples: [string, string][];
  transforms?: { name: string; change: (input: string) => string }[];
  drag?: boolean;
  /** The server draws no positions of it. */
  hasNoSamples?: boolean;
  /** The board comes with the answer, so the last one stays until then. */
  isDrawnByAnswer?: boolean;
  ask: (spot: Spot, signal: AbortSignal, progress: (share: number) => void) => Promise<Answer>;
  read: (answer: Answer, spot: Spot) => Reading;
  board: (spot: Spot, answer: Answer | null) => Node;
  edit?: Edit;
  chosen?: (move: Move) => Node[];
  extra?: (view: View<Answer>) => Node[];
  /** A fixed panel that stays the same element. */
  tools?: (load: View<Answer>["load"]) => Node;
  pack?: (before: Spot, after: Spot, name: string) => string;
  unpack?: (before: Spot, step: string) => { name: string; spot: Spot };
}

type Attribute = string | number | boolean | null | undefined;

/** The attributes of an element, its style, and its event handlers. */
export interface Properties {
  style?: Partial<CSSStyleDeclaration>;
  [handler: `on${string}`]: (event: Event) => unknown;
  [attribute: string]: Attribute | Partial<CSSStyleDeclaration> | ((event: Event) => unknown);
}

/** What an element contains. What is missing or `false` is left out. */
export type Child = Node | string | false | null | undefined | Child[];
