/** What a random part of a suite is drawn from. `vitest.config.ts` makes it of the commit; TEST_SEED sets another. */
export const seed = Number(process.env.TEST_SEED)

/** Set by `npm run test:long`: nothing is left to the draw. */
export const isWhole = process.env.TEST_WHOLE === 'yes'

/** How many cases a suite that is too long for every run takes: all of them by `npm run test:long`, a part otherwise. */
export const sample = (all: number, part: number): number => (isWhole ? all : part)
