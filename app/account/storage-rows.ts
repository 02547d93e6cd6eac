import type { Outputs } from '#app/connection/trpc.ts'

type Kind = Outputs['image']['storage']['kinds'][number]

interface StorageRow {
  /** A media type, or the trash with images of all types. */
  readonly kind: string
  readonly images: number
  readonly bytes: number
  /** Of all bytes, from 0 to 1. */
  readonly share: number
}

/** Returns the used storage by format, the largest first, and what is in the trash at the end. */
export function storageRows(kinds: readonly Kind[]): readonly StorageRow[] {
  const total = Math.max(
    1,
    sum(kinds, ({ bytes }) => bytes),
  )
  const trash = kinds.filter(({ trashed }) => trashed)
  const rows = kinds.filter(({ trashed }) => !trashed).map(({ mime, images, bytes }) => ({ kind: mime, images, bytes }))
  const inTrash = { kind: 'trash', images: sum(trash, ({ images }) => images), bytes: sum(trash, ({ bytes }) => bytes) }
  return [...rows.toSorted((one, other) => other.bytes - one.bytes), ...(trash.length > 0 ? [inTrash] : [])].map(
    (row) => ({ ...row, share: row.bytes / total }),
  )
}

const sum = (kinds: readonly Kind[], amount: (kind: Kind) => number): number =>
  kinds.reduce((total, kind) => total + amount(kind), 0)

const names: Readonly<Record<string, string>> = { 'image/webp': 'WebP' }

/** `image/jpeg` is JPEG. */
export const formatName = (mime: string): string => names[mime] ?? mime.replace('image/', '').toUpperCase()
