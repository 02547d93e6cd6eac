import { z } from 'zod'
import type { Transaction } from '#server/database/database.ts'
import { type Actor, ownAccount, toStoredAgent, writeAudit } from './audit.ts'

const HOUR_MS = 60 * 60 * 1_000

/** Entries for the sign-ins to one account in an hour. Further ones are counted in one more entry, without address. */
export const SIGN_IN_ENTRIES = 20

/**
 * Records a sign-in in the transaction that opens the session, with the account's row locked. Successful sign-ins are not limited,
 * so those of an hour from one address and browser, by one provider or another way, are one entry that counts them, and the number of
 * entries is limited.
 */
export async function recordSignIn(
  tx: Transaction,
  actor: Required<Omit<Actor, 'tokenId'>>,
  provider: string | null,
): Promise<void> {
  const now = new Date()
  const userAgent = toStoredAgent(actor.userAgent)
  const earlier = await tx.auditEntry.findMany({
    where: { accountId: actor.userId, action: 'account.signIn', at: { gt: new Date(now.getTime() - HOUR_MS) } },
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
    take: SIGN_IN_ENTRIES + 1,
    select: { id: true, address: true, userAgent: true, after: true },
  })
  const isFull = earlier.length >= SIGN_IN_ENTRIES
  const same =
    earlier.find(
      (each) => each.address === actor.address && each.userAgent === userAgent && readProvider(each.after) === provider,
    ) ?? (isFull ? earlier.find((each) => each.address === null) : undefined)
  if (same) {
    const data = { times: { increment: 1 }, until: now }
    await tx.auditEntry.update({ where: { id: same.id }, data, select: { id: true } })
    return
  }
  const { userId, username, requestId } = actor
  await writeAudit(tx, isFull ? { userId, username, requestId } : actor, {
    action: 'account.signIn',
    target: `user/${userId}`,
    account: ownAccount(actor),
    before: null,
    after: provider === null || isFull ? null : { provider },
  })
}

const states = z.object({ provider: z.string() })

const readProvider = (after: unknown): string | null => states.safeParse(after).data?.provider ?? null
