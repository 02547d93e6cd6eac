import type { Target } from '../report/figures.ts'
import { SPARE_SUBJECTS, subjectOfCall } from './subjects.ts'

/** The remaining calls of a turn. */
export interface Turn {
  left: number
}

/** A limiter to be measured. */
export interface Contender {
  readonly name: string
  readonly target?: Target | undefined
  /** Makes one call of a subject. Returns whether it was allowed. Throws if it was not decided by the part under test. */
  decide(subject: number): Promise<boolean>
  /** Makes the turn's calls one after the other until none is left. Throws if one does not have the expected outcome. */
  work(turn: Turn): Promise<void>
}

interface Calls<Result> {
  readonly name: string
  readonly target?: Target | undefined
  /** A refusal may be a rejection with anything but an Error. */
  readonly call: (subject: number) => Promise<Result>
  /** Throws if the result was not decided by the part under test. */
  readonly isAllowed: (result: Result) => boolean
  /** The expected outcome of all measured calls. */
  readonly expected?: 'allowed' | 'refused'
}

export function contender<Result>({ name, target, call, isAllowed, expected = 'allowed' }: Calls<Result>): Contender {
  const toPass = expected === 'allowed'
  return {
    name,
    target,
    decide: async (subject) => {
      try {
        return isAllowed(await call(subject))
      } catch (refusal) {
        return refused(refusal)
      }
    },
    // No function between the loop and the call, because its promise would be measured too.
    work: async (turn) => {
      while (turn.left > 0) {
        turn.left -= 1
        let passes: boolean
        try {
          passes = isAllowed(await call(subjectOfCall(turn.left)))
        } catch (refusal) {
          passes = refused(refusal)
        }
        if (passes !== toPass) throw new Error(`${name}: a call was not ${expected}, so the figure would be invalid`)
      }
    },
  }
}

function refused(refusal: unknown): false {
  if (refusal instanceof Error) throw refusal
  return false
}

/** Proves that a contender limits calls to `limit` per minute: it refuses none of that many calls, and one of the next, before more
 *  permits can have come back. Retries with another subject, because a window's boundary may have come in between. */
export async function prove({ name, decide }: Contender, limit: number): Promise<void> {
  for (const subject of SPARE_SUBJECTS) {
    const start = performance.now()
    let passed = 0
    while (passed < 2 * limit && (await decide(subject))) passed += 1
    const gained = ((performance.now() - start) * limit) / 60_000
    if (passed >= limit && passed <= limit + gained) return
  }
  throw new Error(`${name} does not refuse the call after ${limit}, so the figure would be invalid`)
}
