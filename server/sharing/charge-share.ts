import { toCaller } from '#server/accounts/viewer.ts'
import type { Decision } from '#server/limits/decision.ts'
import type { Services } from '#server/services.ts'
import type { CallContext } from '#server/trpc/context.ts'
import { shareRequest, shareRoute } from './limits.ts'
import type { ShareRow } from './share-row.ts'

/** Charges a call to the share that it came through, in addition to its caller, and notes it in the share's use. Throws
 *  TOO_MANY_REQUESTS. */
export async function chargeShare({ app, caller, decisions, chargeFor }: CallContext, share: ShareRow): Promise<void> {
  const { use } = app.sharing
  const decision = await chargeFor([shareRequest(share, caller)]).catch((error: unknown) => {
    const refusal = decisions.at(-1)
    if (refusal) use.note(share, refusal)
    throw error
  })
  use.note(share, decision, { requests: 1, address: caller.address })
}

/** Charges a request of a route to the share that it came through, and notes it in the share's use, without who sent it. Returns the
 *  decision. */
export async function chargeShareRequest(
  { limiter, sharing }: Pick<Services, 'limiter' | 'sharing'>,
  share: ShareRow,
  { address }: { readonly address: string },
): Promise<Decision> {
  const permit = await limiter.reserve([shareRequest(share, toCaller(null, address))], { label: shareRoute.label })
  sharing.use.note(share, permit.decision, { requests: 1 })
  await permit.end('succeeded')
  return permit.decision
}
