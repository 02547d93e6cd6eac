import type { PrismaClient } from '#server/database/database.ts'
import { imageOfKey, isObjectKey } from '#server/storage/object-store.ts'
import type { Finding } from './check-data.ts'

/** Images that are named for each object, which several may share. */
const NAMED = 5

const shown = { id: true, title: true, owner: { select: { username: true } } } as const

/** Returns whom and what a finding concerns, a line each: images with their title and owner, or an account. */
export async function nameFinding(db: PrismaClient, finding: Finding): Promise<readonly string[]> {
  if ('userId' in finding) {
    const user = await db.user.findUnique({ where: { id: finding.userId }, select: { username: true } })
    return user ? [`account ${user.username}`] : []
  }
  const where = 'imageId' in finding ? { id: finding.imageId } : imagesOf(finding.key)
  if (where === null) return []
  const images = await db.image.findMany({ where, select: shown, orderBy: { id: 'asc' }, take: NAMED + 1 })
  const lines = images
    .slice(0, NAMED)
    .map(({ id, title, owner }) => `image ${id} ${JSON.stringify(title)} of ${owner.username}`)
  return images.length > NAMED ? [...lines, 'and others'] : lines
}

const imagesOf = (key: string) => (isObjectKey(key) ? { sha256: imageOfKey(key) } : null)
