import type { HeicColour } from '#server/cleaning/avif/heic.ts'
import { joined } from '#server/cleaning/avif/iso-boxes.ts'

/** ICC's white, D50. */
const WHITE = [0.9642, 1, 0.8249]

/** The primaries of ITU-T H.273 as ICC profiles have them, adapted to D50: red, green and blue. Others are close to sRGB's. */
const SRGB = [
  [0.43607, 0.22249, 0.01392],
  [0.38515, 0.71687, 0.09708],
  [0.14307, 0.06061, 0.7141],
]
const primaries = new Map([
  [
    9,
    [
      [0.67348, 0.27904, -0.00194],
      [0.16566, 0.67534, 0.02998],
      [0.12505, 0.04561, 0.79685],
    ],
  ],
  [
    12,
    [
      [0.51512, 0.2412, -0.00105],
      [0.29198, 0.69225, 0.04189],
      [0.1571, 0.06657, 0.78407],
    ],
  ],
])

const fixed = (value: number): [4, number] => [4, Math.round(value * 65_536) >>> 0]

const point = (values: readonly number[]): Buffer => joined(['XYZ \0\0\0\0', ...values.map(fixed)])

function text(value: string): Buffer {
  const words = Buffer.from(value, 'utf16le').swap16()
  return joined(['mluc\0\0\0\0', [4, 1], [4, 12], 'enUS', [4, words.length], [4, 28], words])
}

const gamma = (power: number): Buffer => joined(['para\0\0\0\0', [2, 0], [2, 0], fixed(power)])

/** IEC 61966-2-1, which is also how browsers show BT.709. */
const srgbCurve = joined([
  'para\0\0\0\0',
  [2, 3],
  [2, 0],
  ...[2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].map(fixed),
])

const STEPS = 1_024

function table(toLight: (signal: number) => number): Buffer {
  const values = Array.from({ length: STEPS }, (_, step) => Math.round(65_535 * toLight(step / (STEPS - 1))))
  return joined(['curv\0\0\0\0', [4, STEPS], ...values.map((value) => [2, value] as const)])
}

/** Brightness of white in HDR (ITU-R BT.2408), and the most that is told apart, in cd/m². */
const [HDR_WHITE, HDR_PEAK] = [203, 1_000]
/** Up to here light is shown as it is; what is brighter shares the rest. */
const KNEE = 0.8

function toneMap(nits: number): number {
  const light = Math.min(nits, HDR_PEAK) / HDR_WHITE
  if (light <= KNEE) return light
  const peak = HDR_PEAK / HDR_WHITE
  const above = (light - KNEE) / (1 - KNEE)
  const most = (peak - KNEE) / (1 - KNEE)
  return KNEE + (1 - KNEE) * ((above * (1 + most)) / ((1 + above) * most))
}

/** SMPTE ST 2084. */
function perceptualQuantizer(signal: number): number {
  const [m1, m2, c1, c2, c3] = [2_610 / 16_384, 2_523 / 32, 3_424 / 4_096, 2_413 / 128, 2_392 / 128]
  const power = signal ** (1 / m2)
  return 10_000 * (Math.max(power - c1, 0) / (c2 - c3 * power)) ** (1 / m1)
}

/** ARIB STD-B67, as shown by a display of 1,000 cd/m². */
function hybridLogGamma(signal: number): number {
  const [a, b, c] = [0.17883277, 0.28466892, 0.55991073]
  const scene = signal <= 0.5 ? signal ** 2 / 3 : (Math.exp((signal - c) / a) + b) / 12
  return HDR_PEAK * scene ** 1.2
}

/** Curves by H.273's transfer characteristics; others are shown as sRGB. */
const curves = new Map([
  [4, () => gamma(2.2)],
  [5, () => gamma(2.8)],
  [8, () => gamma(1)],
  [16, () => table((signal) => toneMap(perceptualQuantizer(signal)))],
  [18, () => table((signal) => toneMap(hybridLogGamma(signal)))],
])

/** Returns the ICC profile for a picture's colours; null for sRGB, which needs none. Profiles of greys or inks do not describe
 *  what the decoder returns. */
export function colourProfile(colour: HeicColour): Buffer | null {
  if (Buffer.isBuffer(colour)) return colour.toString('latin1', 16, 20) === 'RGB ' ? colour : null
  if (!colour) return null
  const columns = primaries.get(colour.primaries)
  const curve = curves.get(colour.transfer)
  return columns || curve ? makeProfile(columns ?? SRGB, curve?.() ?? srgbCurve) : null
}

/** ICC.1:2022: a display profile of three primaries and one curve. */
function makeProfile([red = [], green = [], blue = []]: readonly (readonly number[])[], curve: Buffer): Buffer {
  const tags: (readonly [string, Buffer])[] = [
    ['desc', text('RGB')],
    ['cprt', text('CC0')],
    ['wtpt', point(WHITE)],
    ['rXYZ', point(red)],
    ['gXYZ', point(green)],
    ['bXYZ', point(blue)],
    ...(['rTRC', 'gTRC', 'bTRC'] as const).map((name) => [name, curve] as const),
  ]
  const start = 128 + 4 + 12 * tags.length
  const data = [...new Set(tags.map(([, bytes]) => bytes))].map((bytes) => ({ bytes, padded: padded(bytes) }))
  const places = new Map<Buffer, number>()
  let end = start
  for (const { bytes, padded } of data) {
    places.set(bytes, end)
    end += padded.length
  }
  const entries = tags.flatMap(([name, bytes]) => [name, [4, places.get(bytes) ?? 0], [4, bytes.length]] as const)
  const head = joined([[4, end], Buffer.alloc(4), [4, 0x04_30_00_00], 'mntrRGB XYZ ', Buffer.alloc(12), 'acsp'])
  const light = joined([Buffer.alloc(28), ...WHITE.map(fixed), Buffer.alloc(48)])
  return joined([head, light, [4, tags.length], ...entries, ...data.map(({ padded }) => padded)])
}

const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)])
