import { readAccountFacts } from '#server/accounts/account-facts.ts'
import { findPicture } from '#server/accounts/profile/picture.ts'
import type { Viewer } from '#server/accounts/viewer.ts'
import { readLibraryAround } from '#server/albums/library/read-library.ts'
import { readFiling } from '#server/images/filing.ts'
import type { Services } from '#server/services.ts'
import { readExported } from '#server/sharing/export-shares.ts'
import { MAX_SHARES } from '#server/sharing/insert-share.ts'
import { toEntry } from './to-entry.ts'
import type { ZipEntry } from './zip-reader.ts'

/** An image in an export. Other columns are not written. */
interface Exported {
  readonly id: string
  readonly slug: string
  readonly filename: string
  readonly title: string
  readonly visibility: 'private' | 'link' | 'public'
  readonly createdAt: Date
  readonly trashedAt: Date | null
  readonly sha256: string
  readonly size: number
  readonly mime: string
  readonly width: number
  readonly height: number
  readonly description: string
  readonly takenAt: Date | null
  readonly camera: string | null
}

const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/**
 * Returns what a part of an export has beside its images: a manifest of them, which `sluice import` reads (cli/files/manifest.ts),
 * and the facts about the account, with its picture. `files` are the names of the images in the zip.
 */
export async function exportEntries(
  { db, config }: Services,
  viewer: Viewer,
  images: readonly Exported[],
  files: readonly string[],
): Promise<readonly ZipEntry[]> {
  const ids = images.map(({ id }) => id)
  const [facts, picture, filing, library, shares] = await Promise.all([
    readAccountFacts(db, viewer),
    viewer.pictureHash === null ? null : findPicture(db, viewer.pictureHash),
    readFiling(db, ids, viewer),
    readLibraryAround(db, viewer.userId, ids),
    readExported(db, viewer.userId, { most: MAX_SHARES, around: ids }),
  ])
  const manifest = {
    format: 'sluice-export',
    version: 1,
    exportedAt: new Date().toISOString(),
    server: config.origin,
    username: viewer.username,
    images: images.map((image, index) => ({
      ...{ file: files[index] ?? image.id, ...describeImage(image) },
      ...(filing.get(image.id) ?? { tags: [], favourite: false }),
    })),
    ...library,
    shares: shares.items,
  }
  return [
    toEntry('manifest.json', toJson(manifest)),
    toEntry('account.json', toJson(facts)),
    ...(picture ? [toEntry('picture.webp', picture)] : []),
  ]
}

function describeImage({ createdAt, trashedAt, takenAt, ...image }: Exported) {
  const { id, slug, filename, title, visibility, sha256, size, mime, width, height, description, camera } = image
  const times = { createdAt: createdAt.toISOString(), trashedAt: trashedAt?.toISOString() ?? null }
  const taken = { takenAt: takenAt?.toISOString() ?? null, camera }
  return { id, slug, filename, title, visibility, ...times, sha256, size, mime, width, height, description, ...taken }
}
