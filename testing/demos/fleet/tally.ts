import type { Outcome } from '../../http/ask.ts'

export type Claim = (typeof claims)[keyof typeof claims]

export const claims = {
  kept: 'What was acknowledged is there, byte for byte',
  gone: 'What was deleted permanently is gone',
  secret: 'Nobody reads what they must not',
  signedIn: 'The right password signs in, a wrong one never',
  answers: 'Every failure is a refusal or an outage with Retry-After, never an error of the server',
  exact: 'Limits are exact while Redis answers',
  bounded: 'Limits are within their bound in an outage of Redis',
  charged: 'Budgets have counted whatever the bucket has seen',
  stored: 'Database and bucket agree (check:data)',
  memory: 'Memory is flat',
  crashes: 'No process ended by itself',
} as const

export const outcomes = [
  'done',
  'refused',
  'limited',
  'unavailable',
  'no process',
  'no answer',
  'wrong',
] as const satisfies readonly Outcome[]

/** What became of the requests of each kind, and what broke a claim. */
export class Tally {
  readonly kinds = new Map<string, Record<Outcome, number>>()
  /** What of each claim was checked, and what broke it. */
  readonly claims = new Map(Object.values(claims).map((claim) => [claim, { checked: 0, broken: [] as string[] }]))

  add(kind: string, outcome: Outcome): void {
    const none = Object.fromEntries(outcomes.map((each) => [each, 0])) as Record<Outcome, number>
    const counts = this.kinds.get(kind) ?? none
    counts[outcome] += 1
    this.kinds.set(kind, counts)
  }

  /** Notes a check of a claim; `broken` says what it found, if it does not hold. */
  check(claim: Claim, holds: boolean, broken: string): void {
    const found = this.claims.get(claim)
    if (!found) return
    found.checked += 1
    if (holds) return
    found.broken.push(broken)
    console.error(`BROKEN: ${claim}: ${broken}`)
  }
}
