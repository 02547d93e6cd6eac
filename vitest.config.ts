import { defineConfig } from 'vitest/config'

const folders = '{server,app,scripts,testing,bench}'
// Tests against a real Redis, a real PostgreSQL, an S3 server, and Sluice itself as a process.
const integration = `${folders}/**/*.{redis,postgres,s3,server}.test.ts`
// Minutes each, for whoever changes how images are stored: what the integration tests do in part, whole.
const long = `${folders}/**/*.long.test.ts`

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
          execArgv: ['--disable-warning=ExperimentalWarning', '--openssl-legacy-provider'],
        },
      },
      { extends: true, test: { name: 'long', include: [long] } },
    ],
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // Creating an embedded database takes seconds where two cores are shared.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    restoreMocks: true,
  },
})
