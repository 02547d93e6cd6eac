import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const folders = '{server,app,cli,scripts,testing,bench}'
// Tests against a real Redis, a real PostgreSQL, an S3 server, and Sluice itself as a process.
const integration = `${folders}/**/*.{redis,postgres,s3,server}.test.ts`
// Minutes each, for whoever changes how images are stored: what the integration tests do in part, whole.
const long = `${folders}/**/*.long.test.ts`

/** Twenty seconds each or more: begun last, one of them would run on alone. */
const slow =
  /\/(storage-kills|storage-orders|bad-files|outages?|owner|pool|upload-faults|backup|equal|sluice-server)\.[a-z.]*test\.ts$/

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification) => slow.test(moduleId)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}

// To optimise the embedded database takes a second of a core in each process, more than the few calls of a test win by it.
const execArgv = ['--disable-warning=ExperimentalWarning', '--liftoff-only']

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: [`${folders}/**/*.test.{ts,tsx}`], exclude: [integration, long] },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: [integration],
          // The S3 server seals the tokens of its lists with DES.
          execArgv: [...execArgv, '--openssl-legacy-provider'],
        },
      },
      { extends: true, test: { name: 'long', include: [long] } },
    ],
    execArgv,
    // One more than cores: tests wait for servers and for deadlines a quarter of their time.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: SlowFirst },
    // Creating an embedded database takes seconds where two cores are shared.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is polled for comes soon, but on a busy machine not within the second that is the default.
    expect: { poll: { timeout: 20_000 } },
    restoreMocks: true,
  },
})
