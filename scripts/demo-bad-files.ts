/** Sends bad files of every class and format to its own server and prints the outcomes: `npm run demo:bad-files -- --count 20000
 *  --seed 1`. The same seed makes the same files. Exits with 1 if a response was wrong, a stored image differs from the file's
 *  picture, or a file left something behind. Needs exiftool. */
import { parseArgs } from 'node:util'
import { behindProxy } from '../testing/http/image-client.ts'
import { BadFileTrials, type Trial } from '../testing/images/bad-file-trials.ts'
import { type BadFile, fixedBadFiles, mutatedFile, soundFiles } from '../testing/images/bad-files.ts'
import { startApp } from '../testing/sluice/sluice-app.ts'

const { values } = parseArgs({
  options: { count: { type: 'string', default: '20000' }, seed: { type: 'string', default: '1' } },
})
const [count, seed] = [Number(values.count), Number(values.seed)]

await using server = await startApp(behindProxy)
const trials = new BadFileTrials(server, await server.person({ role: 'superadmin' }))
const start = performance.now()
const results = await trials.attemptAll(await allFiles())
const seconds = (performance.now() - start) / 1_000
const behind = await trials.problemsBehind()

printTable(results)
printSlowest(results)
const violations = [...results.flatMap(describeProblem), ...behind]
for (const violation of violations) console.log(`VIOLATION ${violation}`)
console.log(`${results.length} files in ${Math.round(seconds)} s, seed ${seed}: ${violations.length} violations`)
process.exitCode = violations.length === 0 ? 0 : 1

async function allFiles(): Promise<Iterable<BadFile>> {
  const sound = await soundFiles()
  const fixed = fixedBadFiles(sound)
  return (function* () {
    yield* fixed
    for (let index = 0; index < count - fixed.length; index += 1) {
      if (index % 1_000 === 999) console.error(`${index + 1} mutated files`)
      yield mutatedFile(sound, seed, index)
    }
  })()
}

/** Prints the responses by class, and for each format how many files were accepted. */
function printTable(results: readonly Trial[]): void {
  const statuses = [...new Set(results.map(({ status }) => status))].sort()
  const line = (name: string, of: readonly Trial[]) => {
    const counts = statuses.map((status) => of.filter((trial) => trial.status === status).length)
    const costly = of.filter(({ isTooCostly }) => isTooCostly).length
    console.log([name.padEnd(20), ...[...counts, costly, of.length].map((number) => `${number}`.padStart(9))].join(''))
  }
  console.log([''.padEnd(20), ...[...statuses, 'killed', 'all'].map((title) => `${title}`.padStart(9))].join(''))
  for (const [name, of] of Map.groupBy(results, ({ file }) => file.class)) line(name, of)
  console.log('')
  for (const [name, of] of Map.groupBy(results, ({ file }) => file.format)) line(name, of)
  console.log('')
  line('all', results)
}

function printSlowest(results: readonly Trial[]): void {
  const [slowest] = results.toSorted((a, b) => b.ms - a.ms)
  if (!slowest) return
  const { file, ms, status } = slowest
  console.log(`slowest: ${Math.round(ms)} ms, ${file.format}, ${file.class}, ${file.name}, answered ${status}`)
}

function describeProblem({ file, problem }: Trial): string[] {
  return problem === null ? [] : [`${file.format}, ${file.class}, ${file.name}: ${problem}`]
}
