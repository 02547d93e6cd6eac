import { chunkAt, PNG_SIGNATURE } from '#server/cleaning/png/png-chunks.ts'

/** gAMA's number for the power of 1/2.2, which sRGB is near to; libpng too does nothing within a twentieth of it. */
const ORDINARY = 45_455
const NEAR = 0.05
/** What is beyond is nothing that a picture means. */
const [LEAST, MOST] = [10_000, 1_000_000]

/** What says more of the colours than gAMA does. */
const stronger = new Set(['cICP', 'iCCP', 'sRGB'])

/**
 * sRGB's samples for those of a clean PNG that tells by gAMA alone what they mean, which browsers heed and the decoder
 * does not; null where they are sRGB's, or what another chunk says.
 */
export function gammaTable(png: Buffer): Uint8Array | null {
  let gamma = ORDINARY
  for (let chunk = chunkAt(png, PNG_SIGNATURE.length); chunk; chunk = chunkAt(png, chunk.end)) {
    if (stronger.has(chunk.type)) return null
    if (chunk.type === 'gAMA') gamma = chunk.data.readUInt32BE(0)
    if (chunk.type === 'IDAT') break
  }
  if (Math.abs(gamma / ORDINARY - 1) < NEAR || gamma < LEAST || gamma > MOST) return null
  const power = 100_000 / gamma
  return Uint8Array.from({ length: 256 }, (_, sample) => Math.round(255 * encoded((sample / 255) ** power)))
}

/** IEC 61966-2-1: a share of the light, as sRGB writes it. */
const encoded = (light: number): number => (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055)

/** Replaces every sample of 8 bits but those of alpha, which is the last of two or four. */
export function replaceSamples(pixels: Buffer, channels: number, table: Uint8Array): void {
  const colours = channels - (channels % 2 === 0 ? 1 : 0)
  for (let at = 0; at < pixels.length; at += channels) {
    for (let colour = at; colour < at + colours; colour += 1) pixels[colour] = table[pixels[colour] ?? 0] ?? 0
  }
}
