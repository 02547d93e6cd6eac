import { chunkAt, PNG_SIGNATURE } from '#server/cleaning/png/png-chunks.ts'

/** gAMA's value for the power 1/2.2, close to sRGB. libpng also ignores deviations of less than a twentieth. */
const ORDINARY = 45_455
const NEAR = 0.05
/** Values outside of this range are not meaningful. */
const [LEAST, MOST] = [10_000, 1_000_000]

/** Chunks that take precedence over gAMA. */
const stronger = new Set(['cICP', 'iCCP', 'sRGB'])

/** Returns a table that converts samples to sRGB, for a clean PNG whose colours only gAMA describes: browsers apply it,
 *  but the decoder does not. Null when samples are sRGB already or another chunk describes them. */
export function gammaTable(png: Buffer): Uint8Array | null {
  let gamma = ORDINARY
  for (let chunk = chunkAt(png, PNG_SIGNATURE.length); chunk; chunk = chunkAt(png, chunk.end)) {
    if (stronger.has(chunk.type)) return null
    if (chunk.type === 'gAMA') gamma = chunk.data.readUInt32BE(0)
    if (chunk.type === 'IDAT') break
  }
  if (Math.abs(gamma / ORDINARY - 1) < NEAR || gamma < LEAST || gamma > MOST) return null
  const power = 100_000 / gamma
  return Uint8Array.from({ length: 256 }, (_, sample) => Math.round(255 * encodeSrgb((sample / 255) ** power)))
}

/** IEC 61966-2-1: encodes a linear value as sRGB. */
const encodeSrgb = (light: number): number => (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055)

/** Replaces every 8-bit sample except alpha, which is the last of two or four. */
export function replaceSamples(pixels: Buffer, channels: number, table: Uint8Array): void {
  const colours = channels - (channels % 2 === 0 ? 1 : 0)
  for (let at = 0; at < pixels.length; at += channels) {
    for (let colour = at; colour < at + colours; colour += 1) pixels[colour] = table[pixels[colour] ?? 0] ?? 0
  }
}
