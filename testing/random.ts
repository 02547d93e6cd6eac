/** Random numbers by Mulberry32. The same seed gives the same numbers. */
export interface Random {
  /** An integer from 0 to `count` - 1. */
  below(count: number): number
  pick<T>(choices: readonly [T, ...T[]]): T
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number) => Math.floor(next() * count)
  return { below, pick: (choices) => choices[below(choices.length)] ?? choices[0] }
}
