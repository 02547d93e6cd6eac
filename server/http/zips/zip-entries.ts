import { translate } from '#messages/translate.ts'
import { mayRead } from '#server/images/access.ts'
import { namedFor } from '#server/images/representation.ts'
import { zipNames } from '#server/images/zip/zip-names.ts'
import type { Services } from '#server/services.ts'
import { exportEntries } from './export-entries.ts'
import { toEntry } from './to-entry.ts'
import type { OpenedOrder } from './zip-order.ts'
import type { ZipEntry } from './zip-reader.ts'

/** Lists the images that have been deleted since the link was made, or that its holder may no longer read. */
const LEFT_OUT = '_left-out.txt'

/** The columns of an image in a zip. */
const zippedColumns = {
  ...{ id: true, slug: true, ownerId: true, sha256: true, mime: true, size: true, width: true, height: true },
  ...{ filename: true, title: true, visibility: true, createdAt: true, trashedAt: true },
  ...{ description: true, takenAt: true, camera: true },
} as const

/** Returns the entries of the zip in the requested order, and the slugs of their images. */
export async function findEntries(
  app: Services,
  { holder, ids, exportPart }: OpenedOrder,
): Promise<{ readonly entries: readonly ZipEntry[]; readonly slugs: readonly string[] }> {
  const rows = await app.db.image.findMany({ where: { id: { in: [...ids] } }, select: zippedColumns })
  const readable = new Map(
    rows.flatMap((row) => (mayRead(holder, row) ? [[row.id, namedFor(holder, row)] as const] : [])),
  )
  const images = ids.flatMap((id) => readable.get(id) ?? [])
  const folder = exportPart === null ? '' : 'images/'
  const names = zipNames(images, [LEFT_OUT]).map((name) => `${folder}${name}`)
  const files = images.map(({ id, sha256, size, createdAt }, index): ZipEntry => {
    return { name: names[index] ?? id, size, lastModified: createdAt, object: { imageId: id, sha256 } }
  })
  const gone = ids.filter((id) => !readable.has(id))
  const others = [
    ...(gone.length > 0 ? [toEntry(LEFT_OUT, `${translate('http.leftOut')}\n${gone.join('\n')}\n`)] : []),
    ...(exportPart === null || holder === null ? [] : await exportEntries(app, holder, images, names)),
  ]
  return { entries: [...files, ...others], slugs: images.map(({ slug }) => slug) }
}
