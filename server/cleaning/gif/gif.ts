import type { Cleaning } from '../cleaning.ts'
import { Parts } from '../parts.ts'
import { joinSubBlocks, splitSubBlocks } from './gif-blocks.ts'
import { controlBytes } from './gif-extensions.ts'
import { type GifFrame, readGifLayout } from './gif-layout.ts'
import { cutLzw } from './lzw.ts'

const IMAGE = Buffer.from([0x2c])
const TRAILER = Buffer.from([0x3b])
/** Local colour table and its size, interlaced, sorted. */
const KNOWN_FLAGS = 0b1110_0111

/** Rewrites a GIF: its screen, colour profile, loop, and images with their controls and colours. Image data is cut
 *  where its pixels end. A control before a plain text extension, which decoders skip, applies to the next image, as it
 *  does in decoders. */
export function cleanGif(bytes: Buffer): Cleaning {
  const layout = readGifLayout(bytes)
  if (typeof layout === 'string') return { outcome: layout }
  const { canvas, frames, removed } = layout
  const parts = new Parts()
  parts.add(layout.head, layout.profile, layout.loop)
  for (const frame of frames) {
    const data = joinSubBlocks(bytes, frame.dataStart, frame.dataEnd)
    const cut = cutLzw(data, frame.minimumCodeSize, frame.place.width * frame.place.height)
    if (!cut) return { outcome: 'undecodable' }
    if (cut.length < data.length) removed.add('trailer')
    parts.add(frameHead(frame), frame.colourTable, Buffer.from([frame.minimumCodeSize]), splitSubBlocks(cut))
  }
  parts.add(TRAILER)
  const header = { ...canvas, frames: frames.length, orientation: 1 } as const
  return { outcome: 'clean', parts: parts.list, header, removed: [...removed] }
}

function frameHead({ control, descriptor }: GifFrame): Buffer {
  const known = Buffer.from(descriptor)
  known.writeUInt8(known.readUInt8(8) & KNOWN_FLAGS, 8)
  return Buffer.concat([control ? controlBytes(control) : Buffer.alloc(0), IMAGE, known])
}
