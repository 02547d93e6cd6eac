import { lockCaller } from '#server/accounts/lock-caller.ts'
import type { Viewer } from '#server/accounts/viewer.ts'
import { type Actor, ownAccount } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { Services } from '#server/services.ts'
import type { Claims } from './claims.ts'
import { findLinkedUser, linkIdentity, toIdentityKey } from './identities.ts'
import type { Provider } from './provider.ts'

interface Linking {
  readonly viewer: Viewer
  readonly provider: Provider
  readonly claims: Claims
  readonly from: Required<Pick<Actor, 'address' | 'userAgent' | 'requestId'>>
}

/** Links somebody's account at a provider to the account that they are signed in to. Throws CONFLICT if it is linked to another one. */
export async function linkToSession(
  { db, mail }: Services,
  { viewer, provider, claims, from }: Linking,
): Promise<void> {
  const { address, userAgent, requestId } = from
  await transact(db, async (tx) => {
    await lockCaller(tx, viewer)
    const linked = await findLinkedUser(tx, toIdentityKey(provider, claims))
    if (linked?.userId === viewer.userId) return
    if (linked) throw refuse('identity-linked-elsewhere', { provider: provider.label })
    const actor = { userId: viewer.userId, username: viewer.username, address, userAgent, requestId }
    await linkIdentity(tx, { actor, account: ownAccount(viewer), provider, claims, by: 'session' })
    await mail.note(tx, actor, 'provider-linked')
  })
}
