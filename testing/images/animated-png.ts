import sharp from 'sharp'
import { makePng } from './pictures.ts'

/** An APNG whose frames fill the canvas, each in a single RGBA colour: 8 bits, or 16 bits with a profile. */
export async function animatedPng(
  colours: readonly string[],
  { width = 900, height = 60, delayMs = 80, loop = 0, profile = '' } = {},
): Promise<Buffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([profile ? 16 : 8, 6, 0, 0, 0], 8)
  const chunks: [string, Buffer][] = [['IHDR', header]]
  let sequence = 0
  for (const [index, background] of colours.entries()) {
    const control = Buffer.concat([words(sequence++, width, height, 0, 0), Buffer.from([0, 0, 0, 0, 0, 0])])
    control.writeUInt16BE(delayMs, 20)
    control.writeUInt16BE(1_000, 22)
    const flat = sharp({ create: { width, height, channels: 4, background } })
    const deep = profile && flat.toColourspace('rgb16').withIccProfile(profile)
    const png = await (deep || flat).png().toBuffer()
    const data = chunkData(png, 'IDAT')
    if (index === 0) {
      if (profile) chunks.push(['iCCP', chunkData(png, 'iCCP')])
      chunks.push(['acTL', words(colours.length, loop)])
    }
    chunks.push(['fcTL', control], index === 0 ? ['IDAT', data] : ['fdAT', Buffer.concat([words(sequence++), data])])
  }
  return makePng([...chunks, ['IEND', Buffer.alloc(0)]])
}

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}

/** Returns the data of a PNG's chunks of one type. */
function chunkData(png: Buffer, type: string): Buffer {
  const parts: Buffer[] = []
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === type) parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  }
  return Buffer.concat(parts)
}
