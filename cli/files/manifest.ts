import { z } from 'zod'
import { translate } from '#messages/translate.ts'
import { CommandFailed } from '../command.ts'

/** The file that lists the images of an export. */
export const EXPORT_MANIFEST = 'manifest.json'

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
})

const manifest = z.object({
  format: z.literal('sluice-export'),
  version: z.literal(1),
  exportedAt: z.string(),
  /** The origin of the server. */
  server: z.string(),
  username: z.string(),
  /** Newest first. */
  images: z.array(image),
})

export type ManifestImage = Readonly<z.infer<typeof image>>
export type ExportManifest = Readonly<z.infer<typeof manifest>>

export const writeManifest = (value: ExportManifest): string => `${JSON.stringify(value, null, 2)}\n`

/** Returns null for anything but a manifest of this version. */
export const parseManifest = (text: string): ExportManifest | null => manifest.safeParse(jsonIn(text)).data ?? null

/** Throws CommandFailed for anything but a manifest of this version. */
export function readManifest(text: string): ExportManifest {
  const parsed = manifest.safeParse(jsonIn(text))
  if (parsed.success) return parsed.data
  const { path = [], message: problem = '' } = parsed.error.issues[0] ?? {}
  const values = { manifest: EXPORT_MANIFEST, path: path.join('.'), problem }
  throw new CommandFailed('failed', translate('cli.transfer.manifestInvalid', values))
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Returns whether a path is inside the export: a manifest must not choose other files to upload. */
function isWithin(path: string): boolean {
  return !/[\\:\0]/.test(path) && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}
