import type { TRPCError } from '@trpc/server'
import type { Actor } from '#server/audit/audit.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Factors } from '../factors.ts'

/** What a browser answers in the second step. */
export interface SecondStepAnswer {
  readonly userId: string
  /** As it was posted, at most 8,000 characters: a code as typed, or a passkey's answer as JSON. */
  readonly answer: string
  /** What a passkey had to sign; null if none can be asked for. */
  readonly challenge: string | null
  readonly site: { readonly origin: string; readonly secret: string }
  /** For an audit entry of its own. The sign-in and a wrong answer are recorded anyway. */
  readonly actor: Actor
}

/** A way to take the second step (methods.ts lists them). */
export interface SecondStepMethod {
  /** A guess has a chance worth counting, so that wrong answers to an account are limited wherever they come from. */
  readonly isGuessable: boolean
  /** Returns whether the account can use it. */
  isReady(factors: Factors): boolean
  /** Returns null for a right answer, which it uses up, or else what is wrong with it. Runs in the transaction that opens the session,
   *  with the account's row locked, so that an answer is accepted once; nothing that it writes stays if the answer is wrong. */
  accept(tx: Transaction, answer: SecondStepAnswer): Promise<TRPCError | null>
}
