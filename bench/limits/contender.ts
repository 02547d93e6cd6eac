import type { Target } from '../report/figures.ts'
import { SPARE_SUBJECTS, subjectOfCall } from './subjects.ts'

/** The calls of one turn that nobody has made yet. */
export interface Turn {
  left: number
}

/** A way to decide about calls. */
export interface Contender {
  readonly name: string
  readonly target?: Target | undefined
  /** One call of a subject; whether it was allowed. Throws when something else decided than what is to be measured. */
  decide(subject: number): Promise<boolean>
  /** Makes calls of the turn, one after the other, until none is left. Throws when one came out otherwise than all must. */
  work(turn: Turn): Promise<void>
}

interface Calls<Result> {
  readonly name: string
  readonly target?: Target | undefined
  /** A refusal may be a rejection, of anything but an Error. */
  readonly call: (subject: number) => Promise<Result>
  /** Throws where the result is of something else than is to be measured. */
  readonly isAllowed: (result: Result) => boolean
  /** How all calls that are measured come out. */
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
    // Without a function between the loop and the call, whose promise would be measured too.
    work: async (turn) => {
      while (turn.left > 0) {
        turn.left -= 1
        let passes: boolean
        try {
          passes = isAllowed(await call(subjectOfCall(turn.left)))
        } catch (refusal) {
          passes = refused(refusal)
        }
        if (passes !== toPass)
          throw new Error(`${name}: a call was not ${expected}: the figure would be of something else`)
      }
    },
  }
}

function refused(refusal: unknown): false {
  if (refusal instanceof Error) throw refusal
  return false
}

/** Proves that a contender limits, by so many a minute: it refuses none of so many calls, and one soon after, by when no
 *  more can have been gained. Tries again with another subject, for a window's border may have come between. */
export async function prove({ name, decide }: Contender, limit: number): Promise<void> {
  for (const subject of SPARE_SUBJECTS) {
    const start = performance.now()
    let passed = 0
    while (passed < 2 * limit && (await decide(subject))) passed += 1
    const gained = ((performance.now() - start) * limit) / 60_000
    if (passed >= limit && passed <= limit + gained) return
  }
  throw new Error(`${name} does not refuse the call after ${limit}: the figure would be of something else`)
}
