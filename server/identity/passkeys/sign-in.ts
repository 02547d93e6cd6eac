import type { TRPCError } from '@trpc/server'
import { signInAddress, signInByAddress } from '#server/accounts/sessions/limits.ts'
import type { FailedOutcome } from '#server/audit/failed-places.ts'
import type { Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { Decision } from '#server/limits/decision.ts'
import { setsOf } from '#server/limits/rules/declared-route.ts'
import type { Services } from '#server/services.ts'
import { usernameKey } from '../../accounts/credentials.ts'
import { findDevice } from '../../accounts/sessions/devices.ts'
import { type CompletedSignIn, completeSignIn } from '../complete-sign-in.ts'
import { acceptPasskey } from './accept-passkey.ts'
import { type Assertion, readAssertion } from './answer.ts'
import { aboutSignIn, readBrowser, spendChallenge } from './challenges.ts'

interface PasskeyAttempt {
  /** As it was posted. */
  readonly answer: string
  /** The client's normalized address. */
  readonly address: string
  readonly userAgent: string
  readonly requestId?: string | undefined
  /** The request's Cookie header, which names the browser and may name the device. */
  readonly cookie: string | undefined
}

type SignedIn = Extract<CompletedSignIn, { outcome: 'signed-in' }>

export type PasskeyOutcome =
  | SignedIn
  /** `error` says what is wrong. `owner` is the user name of the account whose passkey it is, if it is one. */
  | { readonly outcome: 'wrong'; readonly error: TRPCError; readonly owner: string | null }
  /** The passkey was right. */
  | { readonly outcome: 'banned'; readonly reason: string | null; readonly owner: string }
  | { readonly outcome: 'limited'; readonly decision: Decision }

const perAddress = setsOf(signInByAddress, signInAddress)

/**
 * Signs in by a passkey alone, which has to have verified its user. Limited like passwords by address, and not by account: nobody can
 * guess what it signs. A challenge is used up by every attempt.
 */
export async function signInByPasskey(app: Services, attempt: PasskeyAttempt): Promise<PasskeyOutcome> {
  const { address, userAgent, requestId = 'page' } = attempt
  const caller = { address, userId: null, shared: false }
  const permit = await app.limiter.reserve([{ procedure: signInByAddress.label, sets: perAddress, caller }], {
    label: signInByAddress.label,
  })
  const recordFailure = (outcome: FailedOutcome, owner: string | null) =>
    app.failedSignIns.record({ usernameKey: owner && usernameKey(owner), outcome, address, userAgent, requestId })
  if (!permit.decision.allowed) {
    recordFailure('limited', null)
    return { outcome: 'limited', decision: permit.decision }
  }
  try {
    const outcome = await check(app, attempt)
    await permit.end(outcome.outcome === 'signed-in' ? 'succeeded' : 'failed')
    if (outcome.outcome === 'banned') recordFailure('banned', outcome.owner)
    if (outcome.outcome === 'wrong') recordFailure('wrong-passkey', outcome.owner)
    return outcome
  } catch (error) {
    await permit.end('succeeded')
    throw error
  }
}

async function check(app: Services, attempt: PasskeyAttempt): Promise<Exclude<PasskeyOutcome, { outcome: 'limited' }>> {
  const { db, config } = app
  const wrong = (error: TRPCError, owner: string | null = null) => ({ outcome: 'wrong', error, owner }) as const
  const answer = readAssertion(attempt.answer)
  if (!answer) return wrong(refuse('wrong-passkey'))
  const browser = readBrowser(config, attempt.cookie)
  const isFresh = browser !== undefined && (await spendChallenge(db, answer.challenge, aboutSignIn(browser)))
  if (!isFresh) return wrong(refuse('passkey-expired'))
  const owner = await findOwner(app, answer)
  if (!owner) return wrong(refuse('passkey-unknown'))
  const { id: userId, username } = owner
  const { address, userAgent, requestId } = attempt
  const actor = { userId, username, address, userAgent, requestId: requestId ?? 'page' }
  const failures: TRPCError[] = []
  const claim = async (tx: Transaction) => {
    const failure = await acceptPasskey(tx, { userId, answer, site: config, actor })
    if (failure) failures.push(failure)
    return failure === null
  }
  if (owner.bannedAt) {
    const isRight = await transact(db, claim)
    if (isRight) return { outcome: 'banned', reason: owner.banReason, owner: username }
    return wrong(failures[0] ?? refuse('wrong-passkey'), username)
  }
  const from = { address, userAgent, requestId, deviceId: await findDevice(app, userId, attempt.cookie) }
  const completed = await completeSignIn(app, { userId, by: 'passkey', claim }, from)
  // A passkey takes no second step. Without a failure, the account has been banned or deleted meanwhile.
  return completed?.outcome === 'signed-in' ? completed : wrong(failures[0] ?? refuse('passkey-unknown'), username)
}

/** Returns the account whose passkey has answered; null for none. Shared accounts sign in by their password alone. */
async function findOwner({ db }: Services, { id: credentialId }: Assertion) {
  const user = { select: { id: true, username: true, shared: true, bannedAt: true, banReason: true } } as const
  const passkey = await db.passkey.findUnique({ where: { credentialId }, select: { user } })
  return passkey && !passkey.user.shared ? passkey.user : null
}
