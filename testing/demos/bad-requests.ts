// npm run demo:bad-requests [-- --count 20000 --seed 1 --only 17]: sends bad requests of every kind to a server of its own and
// prints what became of them. The same seed sends the same requests. Exits with 1 if an answer was wrong, or something was left.
import { parseArgs } from 'node:util'
import { startTrials } from '../bad-requests/start-trials.ts'
import { attempt, drawRequest, type Trial } from '../bad-requests/trials.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
})
const [count, seed] = [Number(values.count), Number(values.seed)]

await using trials = await startTrials(seed)
const begun = performance.now()
const results = values.only === undefined ? await trials.attemptAll(count) : [await show(Number(values.only))]
const behind = await trials.problemsBehind()
const seconds = Math.round((performance.now() - begun) / 1_000)

printTable(results)
const violations = [...results.flatMap(describeProblem), ...behind]
for (const violation of violations) console.log(`VIOLATION ${violation}`)
const { rss } = process.memoryUsage()
console.log(
  `${results.length} connections in ${seconds} s, seed ${seed}, ${Math.round(rss / 2 ** 20)} MiB: ${violations.length} violations`,
)
process.exitCode = violations.length === 0 ? 0 : 1

async function show(index: number): Promise<Trial> {
  console.log(drawRequest(trials, index).bytes.toString('latin1'))
  return attempt(trials, index)
}

/** Prints how often each status was answered, by class. */
function printTable(trials: readonly Trial[]): void {
  for (const [name, some] of Map.groupBy(trials, (trial) => trial.class)) {
    const statuses = Map.groupBy(
      some.flatMap(({ statuses }) => statuses),
      (status) => status,
    )
    const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, all]) => `${status}: ${all.length}`)
    console.log(`${name.padEnd(12)} ${counts.join('  ')}`)
  }
}

function describeProblem({ index, problem, ...trial }: Trial): string[] {
  return problem === null ? [] : [`${trial.class}, --only ${index}: ${problem}`]
}
