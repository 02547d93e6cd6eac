import type { Prisma } from '../../generated/prisma/client.ts'

const columns = {
  title: true,
  passwordHash: true,
  showsTitles: true,
  originals: true,
  expiresAt: true,
  maxViews: true,
  requestsPerHour: true,
  requestsPerDay: true,
  bytesPerDay: true,
  albumId: true,
  _count: { select: { images: true } },
} as const satisfies Prisma.ShareSelect

type Row = Prisma.ShareGetPayload<{ select: typeof columns }>

/** Returns what the audit keeps of a share: neither its token nor its password. */
function state({ passwordHash, expiresAt, bytesPerDay, albumId, _count, ...share }: Row) {
  return {
    ...share,
    hasPassword: passwordHash !== null,
    expiresAt: expiresAt?.toISOString() ?? null,
    bytesPerDay: bytesPerDay === null ? null : Number(bytesPerDay),
    ...(albumId === null ? { images: _count.images } : { album: albumId }),
  }
}

export const auditedShare = { columns, state }
