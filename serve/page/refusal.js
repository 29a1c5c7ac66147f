// Why a request has no answer.

/** @import { Failure } from "./types.d.ts" */

export class Refusal extends Error {
  /** @param {Failure} failure */
  constructor({ line, what, remedy }) {
    super(what);
    this.line = line;
    this.what = what;
    this.remedy = remedy;
  }
}

/**
 * What to show of a caught error: the refusal, or `null` if the page has aborted the request. Others are thrown again.
 * @param {unknown} error
 */
export function refusalOf(error) {
  if (error instanceof Refusal) return error;
  if (isAborted(error)) return null;
  throw error;
}

/** @param {unknown} error */
export const isAborted = (error) => error instanceof Error && error.name === "AbortError";
