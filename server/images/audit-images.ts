import type { Viewer } from '#server/accounts/viewer.ts'
import type { AuditAction } from '#server/audit/actions.ts'
import { toActor, writeAudits } from '#server/audit/audit.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Context } from '#server/trpc/context.ts'
import { isOwn, type Protected } from './access.ts'

/** The columns that an audit entry states, and those that access depends on. */
export interface AuditedImage extends Protected {
  readonly id: string
  readonly title: string
  /** Known to calls that can change it. */
  readonly description?: string
}

export interface ImageChange {
  readonly before: AuditedImage
  /** Null for an image that was deleted permanently. */
  readonly after: Omit<AuditedImage, 'id' | 'ownerId'> | null
}

type Call = Pick<Context, 'requestId' | 'caller' | 'header'> & { readonly viewer: Viewer }

/** Records changes of others' images, in the transaction that makes them. What users do to their own is not recorded. */
export async function auditImages(
  tx: Transaction,
  call: Call,
  action: Extract<AuditAction, `image.${string}`>,
  changes: readonly ImageChange[],
): Promise<void> {
  const others = changes.filter((change) => !isOwn(call.viewer, change.before) && hasChanged(change))
  if (others.length === 0) return
  const ownerIds = [...new Set(others.map(({ before }) => before.ownerId))]
  const owners = await tx.user.findMany({ where: { id: { in: ownerIds } }, select: { id: true, username: true } })
  const named = new Map(owners.map((owner) => [owner.id, owner]))
  const acts = others.map((change) => ({
    action,
    target: `image/${change.before.id}`,
    account: named.get(change.before.ownerId) ?? null,
    ...auditedStates(change),
  }))
  await writeAudits(tx, toActor(call), acts)
}

const hasChanged = (change: ImageChange): boolean => {
  const { before, after } = auditedStates(change)
  return JSON.stringify(before) !== JSON.stringify(after)
}

/** Texts of up to 2,000 letters are stated only if they have changed. */
function auditedStates({ before, after }: ImageChange) {
  const [was, is] = [before.description, after?.description]
  const isDescribed = was !== undefined && is !== undefined && was !== is
  return {
    before: { ...auditedState(before), ...(isDescribed && { description: was }) },
    after: after && { ...auditedState(after), ...(isDescribed && { description: is }) },
  }
}

export const auditedState = ({ title, visibility, trashedAt }: Omit<AuditedImage, 'id' | 'ownerId'>) => ({
  title,
  visibility,
  isTrashed: trashedAt !== null,
})
