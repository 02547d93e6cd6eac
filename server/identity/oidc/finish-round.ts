import { findDevice } from '#server/accounts/sessions/devices.ts'
import type { SignInFrom } from '#server/accounts/sessions/sessions.ts'
import type { Viewer } from '#server/accounts/viewer.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { Services } from '#server/services.ts'
import { type CompletedSignIn, completeSignIn } from '../complete-sign-in.ts'
import { noteProof } from '../proof.ts'
import { findAccount } from './account-of-identity.ts'
import { hasCheckedFactor } from './claims.ts'
import { type Flow, spendFlow } from './flow.ts'
import { findLinkedUser, noteIdentityUsed, toIdentityKey } from './identities.ts'
import { linkToSession } from './link-to-session.ts'
import { callbackUrl, findProvider, type Provider } from './provider.ts'
import { sealIdToken } from './provider-session.ts'
import { type Answer, takeAnswer } from './take-answer.ts'

/** A browser that comes back from a provider. */
export interface Returning {
  readonly providerName: string
  /** The query of the callback. */
  readonly query: URLSearchParams
  /** The account of the browser's session, if it has one. */
  readonly viewer: Viewer | null
  readonly address: string
  readonly userAgent: string
  readonly requestId: string
  readonly cookie: string | undefined
  readonly chargeSignUp: () => Promise<void>
}

export type FinishedRound =
  | { readonly purpose: 'sign-in'; readonly next: string; readonly completed: CompletedSignIn }
  | { readonly purpose: 'link' | 'proof'; readonly next: string }

/** A round that failed after it was known to be this browser's: `purpose` and `next` say where to show it. */
export class RoundFailed extends Error {
  override readonly name = 'RoundFailed'
  readonly purpose: string
  readonly next: string

  constructor(flow: Flow, cause: unknown) {
    super('a round by a provider failed', { cause })
    this.purpose = flow.purpose
    this.next = flow.next
  }
}

/** Ends the browser's round by a provider. Throws `provider-expired` if it has none, or it is over; RoundFailed for everything after. */
export async function finishRound(app: Services, returning: Returning): Promise<FinishedRound> {
  const { providerName, query, cookie } = returning
  const flow = await spendFlow(app, cookie, { providerName, state: query.get('state') ?? '' })
  if (!flow) throw refuse('provider-expired')
  try {
    return await finish(app, flow, returning)
  } catch (error) {
    throw new RoundFailed(flow, error)
  }
}

async function finish(app: Services, flow: Flow, returning: Returning): Promise<FinishedRound> {
  const { next, purpose } = flow
  const provider = await findProvider(app.db, flow.providerName)
  const configuration = await app.discoveries.open(provider)
  const url = new URL(`${callbackUrl(app.config, provider.name)}?${returning.query}`)
  const answer = await takeAnswer(configuration, provider, { flow, url, log: app.log })
  if (purpose === 'sign-in')
    return { purpose, next, completed: await signIn(app, provider, { answer, flow, returning }) }
  const viewer = requireViewer(flow, returning)
  if (purpose === 'link') await linkToSession(app, { viewer, provider, claims: answer.claims, from: returning })
  else await prove(app, { viewer, provider, answer })
  return { purpose: purpose === 'link' ? 'link' : 'proof', next }
}

/** Throws if the session that began the round is no longer that of the browser. */
function requireViewer({ sessionId }: Flow, { viewer }: Returning): Viewer {
  if (!viewer || viewer.sessionId === null || viewer.sessionId !== sessionId) throw refuse('provider-expired')
  if (viewer.shared) throw refuse('shared-account')
  return viewer
}

interface SigningIn {
  readonly answer: Answer
  readonly flow: Flow
  readonly returning: Returning
}

async function signIn(
  app: Services,
  provider: Provider,
  { answer, flow, returning }: SigningIn,
): Promise<CompletedSignIn> {
  const { claims, idToken } = answer
  const { address, userAgent, requestId, cookie, chargeSignUp } = returning
  const { inviteHash } = flow
  const from = { address, userAgent, requestId }
  const userId = await findAccount(app, { provider, claims, inviteHash, from, chargeSignUp })
  await refuseBanned(app, userId)
  await noteIdentityUsed(app.db, toIdentityKey(provider, claims), claims)
  const session = {
    name: provider.name,
    sealedIdToken: idToken === null ? null : sealIdToken(app.config, provider.name, idToken),
    hasFactor: hasCheckedFactor(provider, claims),
  }
  const signInFrom: SignInFrom = { ...from, deviceId: await findDevice(app, userId, cookie), provider: session }
  const completed = await completeSignIn(app, { userId, by: 'oidc' }, signInFrom)
  // Banned or deleted since.
  if (!completed) throw refuse('provider-no-account', { provider: provider.label })
  return completed
}

async function refuseBanned({ db }: Services, id: string): Promise<void> {
  const user = await db.user.findUnique({ where: { id }, select: { bannedAt: true, banReason: true } })
  if (!user?.bannedAt) return
  throw user.banReason === null ? refuse('banned') : refuse('banned-because', { reason: user.banReason })
}

/** Notes that the user of the session has just signed in at a provider that is linked to its account. */
async function prove(
  { db }: Services,
  { viewer, provider, answer }: { viewer: Viewer; provider: Provider; answer: Answer },
) {
  const linked = await findLinkedUser(db, toIdentityKey(provider, answer.claims))
  if (linked?.userId !== viewer.userId) throw refuse('provider-other-identity', { provider: provider.label })
  await noteProof(db, viewer)
}
