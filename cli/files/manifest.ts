import { z } from 'zod'
import { translate } from '#messages/translate.ts'
import { CommandFailed } from '../command.ts'
import { manifestAlbum, manifestView } from './library.ts'

/** The file that lists the images of an export. */
export const EXPORT_MANIFEST = 'manifest.json'

/** The largest manifest, enough for half a million images. */
export const MAX_MANIFEST_BYTES = 256 * 1024 ** 2
/** The most values in it, counted by what separates them: as many as these images have, and what memory has room for. */
const MAX_VALUES = 16_000_000
/** The most unknown keys that are named. */
const MAX_UNKNOWN = 10

const image = z.object({
  /** Path of the file, relative to the manifest, with slashes. */
  file: z.string().refine(isWithin, translate('cli.transfer.outsideExport')),
  id: z.string(),
  slug: z.string(),
  filename: z.string(),
  title: z.string(),
  visibility: z.enum(['private', 'link', 'public']),
  /** ISO 8601. */
  createdAt: z.string(),
  /** Null for an image that is not in the trash. */
  trashedAt: z.string().nullable(),
  /** Of the file, in hexadecimal. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  size: z.int().min(0),
  mime: z.string(),
  width: z.int(),
  height: z.int(),
  // Not in exports of older versions.
  description: z.string().optional(),
  tags: z.array(z.string()).optional(),
  favourite: z.boolean().optional(),
  takenAt: z.string().nullable().optional(),
  camera: z.string().nullable().optional(),
})

const manifest = z.object({
  format: z.literal('sluice-export'),
  version: z.literal(1),
  exportedAt: z.string(),
  /** The origin of the server. */
  server: z.string(),
  username: z.string(),
  /** Newest first. Checked one by one, up to the first that is wrong. */
  images: z.array(z.unknown()),
  albums: z.array(manifestAlbum).default([]),
  /** The names of all tags, those of no image included. */
  tags: z.array(z.string()).default([]),
  views: z.array(manifestView).default([]),
  /** Checked one by one: what an older version wrote restores none. */
  shares: z.array(z.unknown()).default([]),
})

export type ManifestImage = Readonly<z.infer<typeof image>>
export type ExportManifest = Readonly<Omit<z.infer<typeof manifest>, 'images'> & { images: readonly ManifestImage[] }>

/** A manifest that was read. */
export interface ReadManifest extends ExportManifest {
  /** What it has that this version does not know, such as `images.location`. */
  readonly unknown: readonly string[]
}

export const writeManifest = (value: ExportManifest): string => `${JSON.stringify(value, null, 2)}\n`

/** Returns null for anything but a manifest of this version. */
export function parseManifest(text: string): ReadManifest | null {
  try {
    return readManifest(text)
  } catch (error) {
    if (error instanceof CommandFailed) return null
    throw error
  }
}

/** Throws CommandFailed for anything but a manifest of this version. */
export function readManifest(text: string): ReadManifest {
  const value = jsonIn(text)
  const { images, ...rest } = parseAs(manifest, value, [])
  const unknown = new Set(unknownKeys(value, manifest.shape, ''))
  const parsed = images.map((each, index) => {
    for (const key of unknownKeys(each, image.shape, 'images.')) unknown.add(key)
    return parseAs(image, each, ['images', index])
  })
  return { ...rest, images: parsed, unknown: [...unknown].slice(0, MAX_UNKNOWN) }
}

const unknownKeys = (value: unknown, known: object, within: string): string[] =>
  Object.keys(Object(value)).flatMap((key) => (Object.hasOwn(known, key) ? [] : `${within}${key}`))

export const manifestTooLarge = (): CommandFailed =>
  new CommandFailed('failed', translate('cli.transfer.manifestTooLarge', { manifest: EXPORT_MANIFEST }))

function parseAs<T>(schema: z.ZodType<T>, value: unknown, at: readonly PropertyKey[]): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const { path = [], message: problem = '' } = parsed.error.issues[0] ?? {}
  const values = { manifest: EXPORT_MANIFEST, path: [...at, ...path].join('.'), problem }
  throw new CommandFailed('failed', translate('cli.transfer.manifestInvalid', values))
}

function jsonIn(text: string): unknown {
  if (hasMoreValues(text, MAX_VALUES)) throw manifestTooLarge()
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Counts what begins or separates values, also within strings: never too few. */
function hasMoreValues(text: string, most: number): boolean {
  if (text.length <= most) return false
  let count = 0
  for (let at = 0; at < text.length && count <= most; at += 1) {
    const each = text[at]
    if (each === ',' || each === '[' || each === '{') count += 1
  }
  return count > most
}

/** Returns whether a path is inside the export: a manifest must not choose other files to upload. */
function isWithin(path: string): boolean {
  return !/[\\:\0]/.test(path) && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}
