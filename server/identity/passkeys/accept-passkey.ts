import { TRPCError } from '@trpc/server'
import { type Actor, writeAudit } from '#server/audit/audit.ts'
import type { Transaction } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { Assertion } from './answer.ts'
import { verifyAssertion } from './verify.ts'

interface Use {
  readonly userId: string
  /** The answer to a challenge that has just been spent. */
  readonly answer: Assertion
  readonly site: { readonly origin: string }
  readonly actor: Actor
}

/** Verifies the answer of one of the account's passkeys, and records its use. Returns null, or what is wrong. The account's row must be
 *  locked. */
export async function acceptPasskey(tx: Transaction, { userId, answer, site, actor }: Use): Promise<TRPCError | null> {
  const passkey = await tx.passkey.findUnique({
    where: { credentialId: answer.id, userId },
    select: { id: true, credentialId: true, publicKey: true, counter: true, name: true, user: { select: handle } },
  })
  const { userHandle } = answer.response
  if (!passkey || (userHandle && userHandle !== passkey.user.passkeyHandle)) return refuse('passkey-unknown')
  const signed = await verifyAssertion(site, answer, passkey)
  if (signed instanceof TRPCError) return signed
  const { id, name } = passkey
  await tx.passkey.update({ where: { id }, data: { ...signed, lastUsedAt: new Date() }, select: { id: true } })
  await recordUse(tx, actor, { id, name })
  return null
}

const handle = { passkeyHandle: true } as const

const HOUR_MS = 60 * 60 * 1_000

/** Records the use of a passkey: those of an hour from one address in one entry, because nothing limits right answers. */
async function recordUse(tx: Transaction, actor: Actor, { id, name }: { id: string; name: string }): Promise<void> {
  const now = new Date()
  const { userId, username, address = null } = actor
  const act = { action: 'account.usePasskey', target: `passkey/${id}` } as const
  const where = { accountId: userId, ...act, address, at: { gt: new Date(now.getTime() - HOUR_MS) } }
  const same = await tx.auditEntry.findFirst({ where, select: { id: true } })
  if (same) {
    const data = { times: { increment: 1 }, until: now }
    await tx.auditEntry.update({ where: { id: same.id }, data, select: { id: true } })
    return
  }
  await writeAudit(tx, actor, { ...act, account: { id: userId, username }, before: null, after: { name } })
}
