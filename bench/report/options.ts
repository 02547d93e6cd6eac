import { parseArgs } from 'node:util'

/** Which parts of a benchmark run, how long, and where the figures are written. */
export interface Options {
  /** Whether a contender takes part in a table. */
  includes(table: string, contender: string): boolean
  readonly rounds: number
  /** Scales a count of calls or subjects: a tenth with --quick. */
  scaled(count: number): number
  /** The file for the figures before rounding. */
  readonly jsonFile: string | null
  /** Writes the report to its page in docs/. */
  readonly write: boolean
}

/** Fewer rounds say little about the spread. */
const FEWEST_ROUNDS = 5

/** Parses a command line. Throws if it is invalid. */
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
  if (!Number.isSafeInteger(rounds) || rounds < 1) throw new Error('--rounds must be a whole number')
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
