import { z } from 'zod'
import { CommandFailed } from '../command.ts'

/** The name of the file that says what an export holds. */
export const MANIFEST = 'manifest.json'

const image = z.object({
  /** Where its bytes lie, from the manifest on, with slashes. */
  file: z.string().refine(isWithin, 'The path of a file leads out of the export.'),
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

/** Null for what is no manifest of an export that this version knows. */
export const parseManifest = (text: string): ExportManifest | null => manifest.safeParse(jsonIn(text)).data ?? null

/** Throws CommandFailed for what is no manifest of an export that this version knows. */
export function readManifest(text: string): ExportManifest {
  const parsed = manifest.safeParse(jsonIn(text))
  if (parsed.success) return parsed.data
  const { path = [], message = '' } = parsed.error.issues[0] ?? {}
  throw new CommandFailed('failed', `${MANIFEST} is not one of Sluice: ${path.join('.')}: ${message}`)
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** A path below where the manifest lies: nobody who wrote one chooses what else is sent. */
function isWithin(path: string): boolean {
  return !/[\\:\0]/.test(path) && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}
