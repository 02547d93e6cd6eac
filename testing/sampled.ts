import { seededRandom } from './random.ts'

/** The seed for random samples of a suite. `vitest.config.ts` and `playwright.config.ts` derive it from the commit; TEST_SEED overrides it. */
export const seed = Number(process.env.TEST_SEED)

/** Set by `npm run test:long`, which runs all cases. */
export const isWhole = process.env.TEST_WHOLE === 'yes'

/** How many cases a suite runs that is too long for every run: all with `npm run test:long`, otherwise a sample. */
export const sample = (all: number, part: number): number => (isWhole ? all : part)

/** Draws, for one case after the other, which of its variants a run tries: one, or all with `npm run test:long`. */
export function variantDrawer(): <T>(variants: readonly [T, ...T[]]) => readonly [T, ...T[]] {
  const random = seededRandom(seed)
  return (variants) => (isWhole ? variants : [random.pick(variants)])
}
