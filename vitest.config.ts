import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { seedOfCommit } from './testing/seed-of-commit.ts'

const folders = '{server,app,cli,format,messages,scripts,testing,bench}'
/** The longest: begun last, one of them would run on alone. */
const slow = new RegExp(
  `/(${[
    'access|acts|backup|bad-files|bad-uploads|bucket-reads|cached-faults|cluster|conformance|crowd|database|export|fault-load',
    'faults|fleet|full-file|guesses|images|job-queue|jpeg|killed-master|full-disk|legal-files|limit-outages|listing|make-variants',
    'outages?|owner|pages|pool|slow-uploads',
    'sluice-server|stop|storage-kills|storage-orders|upload-faults',
  ].join('|')})\\.[a-z.]*test\\.ts$`,
)

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification) => slow.test(moduleId)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}

const { TEST_SEED = String(seedOfCommit()), TEST_LEFT_OUT = '', TEST_WHOLE } = process.env
/** Files that `npm test` has not drawn (scripts/drawn-suites.ts), and those that only `npm run test:long` runs. */
const leftOut = [
  ...TEST_LEFT_OUT.split(',').filter(Boolean),
  ...(TEST_WHOLE === 'yes' ? [] : [`${folders}/**/*.long.test.ts`]),
]
console.log(`Parts are drawn by the seed ${TEST_SEED}: TEST_SEED=${TEST_SEED} draws them again.`)

// Young objects of a test seldom outlive it: with more room for them, collecting garbage takes a tenth of the CPU less.
const execArgv = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=32',
  // The S3 server of the tests seals the tokens of its lists with DES.
  '--openssl-legacy-provider',
]

export default defineConfig({
  test: {
    include: [`${folders}/**/*.test.{ts,tsx}`],
    exclude: leftOut,
    execArgv,
    env: { TEST_SEED },
    // Files share a few processes: one for each would take half as much time again, and a PostgreSQL for each file.
    isolate: false,
    // Two more than cores: tests wait for servers and for deadlines a good part of their time.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: SlowFirst },
    // Tests take seconds on a quiet machine, and several times as long where others have its cores; whole samples take minutes.
    testTimeout: TEST_WHOLE === 'yes' ? 3_600_000 : 300_000,
    hookTimeout: 360_000,
    // What is polled for comes soon, but on a busy machine not within the second that is the default.
    expect: { poll: { timeout: 60_000 } },
    restoreMocks: true,
    setupFiles: ['testing/compare-bytes.ts', 'testing/restore-timers.ts', 'testing/wait-for-servers.ts'],
    // Files share processes: what one stubs must not reach the next.
    unstubEnvs: true,
    unstubGlobals: true,
  },
})
