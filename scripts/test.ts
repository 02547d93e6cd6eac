import { existsSync, globSync, mkdtempDisposableSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seedOfCommit } from '../testing/seed-of-commit.ts'
import { drawSuites } from './drawn-suites.ts'
import { add, describeFailures, finishResults, type Results, toResults } from './results.ts'
import { roomyMemory } from './roomy-memory.ts'
import { describeSlowest } from './slowest.ts'
import { checks, type Outcome, runLanes, runStep, type ScriptStep } from './steps.ts'
import { type ReportedTest, readPlaywrightReport, readVitestReport } from './test-reports.ts'

const root = join(import.meta.dirname, '..')

// The tests start about a hundred processes of the same modules, each of which would otherwise compile all of them.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/compiled')

// Temporary files are mostly copies of an embedded database, gigabytes in all, each deleted within seconds.
const memory = roomyMemory()
if (memory !== null) process.env.TMPDIR ??= memory

// Drawn here once for Vitest, Playwright and what they start.
process.env.TEST_SEED ??= String(seedOfCommit())
const isWhole = process.env.TEST_WHOLE === 'yes'
const specs = globSync('e2e/*.spec.ts', { cwd: root })
const { leftOut, browsed } = isWhole
  ? { leftOut: [], browsed: specs }
  : drawSuites(Number(process.env.TEST_SEED), specs)
process.env.TEST_LEFT_OUT = leftOut.join()

const toResult = ({ name, succeeded }: Outcome): Results =>
  succeeded ? { passed: 1, failures: [] } : { passed: 0, failures: [name] }

const reported: ReportedTest[] = []

/** Runs a step that writes a report to `report`, and reads the tests in it. */
async function runTests(step: ScriptStep, report: string, read: (report: unknown) => ReportedTest[]): Promise<Results> {
  const succeeded = await runStep(step, { PLAYWRIGHT_JSON_OUTPUT_FILE: report })
  if (!existsSync(report)) return finishResults(step.name, { passed: 0, failures: [] }, succeeded)
  const tests = read(JSON.parse(readFileSync(report, 'utf8')))
  reported.push(...tests)
  return finishResults(step.name, toResults(tests), succeeded)
}

/** What tests need: the programs that they start, and, for those that start Sluice, the build. That comes after the types, because
 *  both write those of pages. */
const servers: ScriptStep = { name: 'servers', command: ['node', 'scripts/ensure-servers.ts'] }
const build: ScriptStep = { name: 'build', command: ['node', 'server/build.ts'] }

async function runAll(): Promise<Results> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'sluice-test-'))
  const vitestReport = join(folder.path, 'vitest.json')
  const playwrightReport = join(folder.path, 'playwright.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`]
  const vitest = ['vitest', 'run', ...reporters]
  const playwright = ['playwright', 'test', '--reporter=list,json', ...browsed]

  const outcomes = await runLanes([[servers], [...checks.typed, build], checks.read])
  const results = outcomes.map(toResult)
  const failed = outcomes.filter(({ succeeded }) => !succeeded).map(({ name }) => name)
  if (failed.includes(servers.name)) return add([...results, notRun('the tests were not run, for want of servers')])
  results.push(
    await runTests({ name: 'unit and integration', command: vitest }, vitestReport, (report) =>
      readVitestReport(report, root),
    ),
  )
  results.push(
    failed.includes(build.name)
      ? notRun('end to end was not run, because the build failed')
      : await runTests({ name: 'end to end', command: playwright }, playwrightReport, readPlaywrightReport),
  )
  return add(results)
}

const notRun = (why: string): Results => ({ passed: 0, failures: [why] })

const { passed, failures } = await runAll()
process.exitCode = failures.length > 0 ? 1 : 0
if (reported.length > 0) console.log(`\n${describeSlowest(reported, 20)}`)
const notBrowsed = specs.length - browsed.length
if (!isWhole) {
  console.log(
    `\nNot drawn: ${leftOut.length} files of Vitest, ${notBrowsed} of Playwright. npm run test:long runs them.`,
  )
}
if (failures.length > 0) console.log(`\n${describeFailures(failures)}`)
console.log(`\n${passed} passed, ${failures.length} failed`)
