import { randomUUID } from 'node:crypto'
import type { Viewer } from '#server/accounts/viewer.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { AuditAction } from './actions.ts'
import { withoutSecrets } from './without-secrets.ts'

/** Who makes a change, in which request, and from where. */
export interface Actor {
  readonly userId: string
  readonly username: string
  readonly requestId: string
  /** The client address as limits count it. Without one, the act was no request: a command on the server. */
  readonly address?: string
  readonly userAgent?: string
  /** The API token of the request. */
  readonly tokenId?: string | undefined
}

/** A change, with the state before and after; null for what did not exist. Secrets are never part of a state. */
export interface AuditedChange {
  readonly action: AuditAction
  /** What was changed, from general to specific. */
  readonly target: string
  /** The account that the change concerns, whose owner sees it in their recent activity; null or absent for none. */
  readonly account?: AuditedAccount | null
  readonly before: Prisma.InputJsonObject | null
  readonly after: Prisma.InputJsonObject | null
}

export interface AuditedAccount {
  readonly id: string
  readonly username: string
}

/** The actor of acts that no account makes: commands on the server, and failed sign-ins. */
export const NOBODY = '00000000-0000-0000-0000-000000000000'

/** Returns the actor of the owner's commands and settings, which need no account. */
export const commandLine = (): Actor => ({ userId: NOBODY, username: 'the command line', requestId: randomUUID() })

/** Records a change in the transaction that makes it. The caller locks what it changes before it reads `before`, which
 *  therefore equals the previous change's `after`. */
export function writeAudit(tx: Transaction, actor: Actor, change: AuditedChange): Promise<void> {
  return writeAudits(tx, actor, [change])
}

/** Records changes that one request makes together. */
export async function writeAudits(tx: Transaction, actor: Actor, changes: readonly AuditedChange[]): Promise<void> {
  if (changes.length === 0) return
  const by = await actorColumns(tx, actor)
  await tx.auditEntry.createMany({ data: changes.map((change) => ({ ...by, ...changeColumns(change) })) })
}

async function actorColumns(tx: Transaction, { userId, username, requestId, tokenId, ...from }: Actor) {
  const token = tokenId === undefined ? null : await tx.apiToken.findUnique({ where: { id: tokenId } })
  return {
    at: new Date(),
    actorId: userId,
    actorName: username,
    requestId,
    address: from.address ?? null,
    userAgent: from.userAgent === undefined ? null : toStoredAgent(from.userAgent),
    tokenId: tokenId ?? null,
    tokenName: token?.name ?? null,
  }
}

function changeColumns({ action, target, account = null, before, after }: AuditedChange) {
  return {
    action,
    target,
    accountId: account?.id ?? null,
    accountName: account?.username ?? null,
    ...(before && { before: withoutSecrets(before) }),
    ...(after && { after: withoutSecrets(after) }),
  }
}

/** Returns a User-Agent header as it is stored: clients send anything. */
export const toStoredAgent = (userAgent: string): string => userAgent.replaceAll('\0', '').slice(0, 300).toWellFormed()

interface Call {
  readonly viewer: Pick<Viewer, 'userId' | 'username'> & Partial<Pick<Viewer, 'token'>>
  readonly requestId: string
  readonly caller: { readonly address: string }
  header(name: string): string | undefined
}

/** Returns the caller of a procedure as an actor. A guest's procedure names the account that it has proven to know. */
export function toActor({ viewer, requestId, caller, header }: Call): Actor {
  return {
    userId: viewer.userId,
    username: viewer.username,
    requestId,
    address: caller.address,
    userAgent: header('user-agent') ?? '',
    tokenId: viewer.token?.id,
  }
}

/** Returns the viewer as the account that their own act concerns. */
export const ownAccount = ({ userId, username }: Pick<Viewer, 'userId' | 'username'>): AuditedAccount => ({
  id: userId,
  username,
})
