import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type BrandKind, type BrandRendering, brandPath, renderingsByKind } from '../brand.ts'
import { squarePath } from '../decoder/decoder.ts'
import { type ReceivingParts, type RefusedUpload, receiveUpload, type Upload } from './receive-upload.ts'

/** A rendering, as PNG. */
export interface BrandFile {
  readonly name: BrandRendering
  readonly bytes: Buffer
  readonly width: number
  readonly height: number
}

export interface ReceivedBrand {
  readonly outcome: 'received'
  /** Of the cleaned file. */
  readonly sha256: string
  readonly main: BrandFile
  readonly others: readonly BrandFile[]
}

export interface ReceivedSquare {
  readonly outcome: 'received'
  /** A WebP. */
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Receives, cleans and renders a logo or an icon like any upload, and keeps nothing of it on the disk. */
export async function receiveBrand(
  parts: ReceivingParts,
  kind: BrandKind,
  upload: Upload,
): Promise<ReceivedBrand | RefusedUpload> {
  const received = await receiveUpload(parts, { ...upload, renderedAs: kind })
  if (received.outcome !== 'received') return received
  await using kept = received
  const { path, sha256 } = kept.file.original
  const { main, others } = renderingsByKind[kind]
  const read = (name: BrandRendering) => readRendering(dirname(path), name)
  return { outcome: 'received', sha256, main: await read(main), others: await Promise.all(others.map(read)) }
}

/** The same for the picture of an account, a small square. */
export async function receiveSquare(parts: ReceivingParts, upload: Upload): Promise<ReceivedSquare | RefusedUpload> {
  const received = await receiveUpload(parts, { ...upload, isOwned: true, renderedAs: 'picture' })
  if (received.outcome !== 'received') return received
  await using kept = received
  const bytes = await readFile(squarePath(dirname(kept.file.original.path)))
  return { outcome: 'received', bytes: new Uint8Array(bytes) }
}

async function readRendering(folder: string, name: BrandRendering): Promise<BrandFile> {
  const bytes = await readFile(brandPath(folder, name))
  // The size stands in the first chunk of a PNG.
  return { name, bytes, width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}
