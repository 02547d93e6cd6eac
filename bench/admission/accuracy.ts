import { seededRandom } from '../../testing/random.ts'
import { designs } from './designs.ts'
import { mostWithin, passings, send, spread } from './traffic.ts'

const LIMIT = 100
const WINDOW_MS = 60_000
const MINUTES = 240

/** What one algorithm admitted of each kind of traffic. */
export interface Accuracy {
  readonly design: string
  /** By kind of traffic: the most calls in any minute, and the total compared with the exact log, in percent. */
  readonly traffic: Readonly<Record<string, { readonly most: number; readonly share: number }>>
}

/** Sends hours of three kinds of traffic through every algorithm at 100 per minute. The same seed gives the same result. */
export function measureAccuracy(seed: number): readonly Accuracy[] {
  const traffics = { 'Poisson, 120 per minute': poisson(seed), bursts: bursts(seed), 'around boundaries': boundaries() }
  const [exact, ...others] = designs(LIMIT, '1m')
  if (!exact) throw new Error('no design')
  return [exact, ...others].map((design) => ({
    design: design.name,
    traffic: Object.fromEntries(
      Object.entries(traffics).map(([name, instants]) => {
        const answered = send(design, instants)
        const share = passings(answered).length / passings(send(exact, instants)).length
        return [name, { most: mostWithin(WINDOW_MS, answered), share: Math.round(share * 1_000) / 10 - 100 }]
      }),
    ),
  }))
}

function poisson(seed: number): readonly number[] {
  const random = seededRandom(seed)
  const instants: number[] = []
  for (let at = 0; at < MINUTES * WINDOW_MS; ) {
    at += Math.ceil((-Math.log(1 - random.below(1e6) / 1e6) * WINDOW_MS) / 120)
    instants.push(at)
  }
  return instants
}

/** 150 calls in a second, twenty to eighty seconds after the previous burst. */
function bursts(seed: number): readonly number[] {
  const random = seededRandom(seed)
  const instants: number[] = []
  for (let at = 0; at < MINUTES * WINDOW_MS; at += 20_000 + random.below(60_000))
    instants.push(...spread(at, 1_000, 150))
  return instants
}

/** 100 calls in the second before every other full minute, and 100 in the second after it. */
function boundaries(): readonly number[] {
  return Array.from({ length: MINUTES / 2 }, (_, i) => spread((2 * i + 1) * WINDOW_MS - 1_000, 2_000, 200)).flat()
}
