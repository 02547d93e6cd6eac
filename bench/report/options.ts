import { parseArgs } from 'node:util'

/** What of a benchmark runs, how long, and where its figures go. */
export interface Options {
  /** Whether a contender takes part in a table. */
  includes(table: string, contender: string): boolean
  readonly rounds: number
  /** A count of calls or subjects: a tenth of it when it is to be quick. */
  scaled(count: number): number
  /** Where the figures go before they are rounded. */
  readonly jsonFile: string | null
  /** Puts the report into its page in docs/. */
  readonly write: boolean
}

/** Fewer say little of a spread. */
const FEWEST_ROUNDS = 5

/** Of a command line; throws what is wrong with it. */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', default: '' },
      rounds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      write: { type: 'boolean', default: false },
    },
  })
  const { only, quick, write } = values
  const rounds = Number(values.rounds ?? (quick ? 3 : 7))
  if (!Number.isSafeInteger(rounds) || rounds < 1) throw new Error('--rounds is a whole number')
  if (write && (only !== '' || quick || rounds < FEWEST_ROUNDS)) {
    throw new Error(
      `what is written is whole: --write goes with neither --only nor --quick, nor fewer than ${FEWEST_ROUNDS} rounds`,
    )
  }
  const pattern = new RegExp(only, 'i')
  return {
    includes: (table, contender) => pattern.test(`${table}: ${contender}`),
    rounds,
    scaled: (count) => (quick ? Math.ceil(count / 10) : count),
    jsonFile: values.json ?? null,
    write,
  }
}
