import { hash } from 'node:crypto'

/*
 * How many have visited, without a trace of who: a HyperLogLog sketch (Flajolet, Fusy, Gandouet, Meunier 2007) of 512 registers,
 * with linear counting for few. Its standard error is 1.04 / √512, about 5 %. Addresses enter it hashed with a salt of the day and
 * the share, so that days and shares cannot be compared.
 */
const REGISTERS = 512
const INDEX_BITS = 9
const ALPHA = 0.7213 / (1 + 1.079 / REGISTERS)

export const newSketch = (): Uint8Array<ArrayBuffer> => new Uint8Array(REGISTERS)

/** Adds a visitor to a sketch. */
export function addVisitor(sketch: Uint8Array, salt: string, address: string): void {
  const bits = Buffer.from(hash('sha256', `${salt}\n${address}`, 'hex').slice(0, 16), 'hex').readBigUInt64BE()
  const index = Number(bits >> BigInt(64 - INDEX_BITS))
  const rest = BigInt.asUintN(64 - INDEX_BITS, bits)
  const rank = 64 - INDEX_BITS - rest.toString(2).length + (rest === 0n ? 2 : 1)
  sketch[index] = Math.max(sketch[index] ?? 0, rank)
}

/** Returns the sketch of the visitors of either. */
export const mergeSketches = (one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(newSketch(), (_, at) => Math.max(one[at] ?? 0, other[at] ?? 0))

/** Returns about how many visitors a sketch has seen. */
export function estimateVisitors(sketch: Uint8Array): number {
  const raw = (ALPHA * REGISTERS ** 2) / sketch.reduce((sum, rank) => sum + 2 ** -rank, 0)
  const empty = sketch.reduce((count, rank) => count + (rank === 0 ? 1 : 0), 0)
  return Math.round(raw <= 2.5 * REGISTERS && empty > 0 ? REGISTERS * Math.log(REGISTERS / empty) : raw)
}
