import { existsSync, mkdtempDisposableSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { add, type Count, countPlaywright, countVitest, finishCount } from './count-results.ts'
import { ensureServers } from './ensure-servers.ts'
import { roomyMemory } from './roomy-memory.ts'
import { describeSlowest, type Timing, timingsOfPlaywright, timingsOfVitest } from './slowest.ts'
import { checks, runStep, type ScriptStep } from './steps.ts'

const passed: Count = { passed: 1, failed: 0 }
const failed: Count = { passed: 0, failed: 1 }

// The tests start about a hundred processes of the same modules, each of which would otherwise compile all of them.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/compiled')

// Temporary files are mostly copies of an embedded database, gigabytes in all, each deleted within seconds.
const memory = roomyMemory()
if (memory !== null) process.env.TMPDIR ??= memory

async function runCheck(step: ScriptStep): Promise<Count> {
  return (await runStep(step)) ? passed : failed
}

const timings: Timing[] = []

/** Runs a step that writes its results to `report`, and counts and times them. */
async function runTests(
  step: ScriptStep,
  report: string,
  count: (report: unknown) => Count,
  time: (report: unknown) => Timing[],
): Promise<Count> {
  const succeeded = await runStep(step, { PLAYWRIGHT_JSON_OUTPUT_FILE: report })
  if (!existsSync(report)) return finishCount({ passed: 0, failed: 0 }, succeeded)
  const results: unknown = JSON.parse(readFileSync(report, 'utf8'))
  timings.push(...time(results))
  return finishCount(count(results), succeeded)
}

async function runAll(): Promise<Count> {
  try {
    ensureServers()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return failed
  }
  using folder = mkdtempDisposableSync(join(tmpdir(), 'sluice-test-'))
  const vitestReport = join(folder.path, 'vitest.json')
  const playwrightReport = join(folder.path, 'playwright.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`]
  const vitest = ['vitest', 'run', '--project=unit', '--project=integration', ...reporters]
  const playwright = ['playwright', 'test', '--reporter=list,json']

  const counts: Count[] = []
  for (const step of checks) counts.push(await runCheck(step))
  // Before the tests, because those that start Sluice need the build.
  const build = await runCheck({ name: 'build', command: ['node', 'server/build.ts'] })
  counts.push(build)
  const files = { name: 'unit and integration', command: vitest }
  const timingsOfFiles = (report: unknown) => timingsOfVitest(report, join(import.meta.dirname, '..'))
  counts.push(await runTests(files, vitestReport, countVitest, timingsOfFiles))
  const e2e = { name: 'end to end', command: playwright }
  counts.push(build.failed > 0 ? failed : await runTests(e2e, playwrightReport, countPlaywright, timingsOfPlaywright))
  return add(counts)
}

const total = await runAll()
process.exitCode = total.failed > 0 ? 1 : 0
if (timings.length > 0) console.log(`\n${describeSlowest(timings, 20)}`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
