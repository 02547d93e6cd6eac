import { availableParallelism } from 'node:os'
import { defineConfig, devices } from '@playwright/test'
import { seedOfCommit } from './testing/seed-of-commit.ts'
import { findChromium } from './testing/servers/chromium.ts'

// Debian's Chromium otherwise looks for hosts of its maker at every start; QUIC has no place on loopback.
const quiet = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
]
// Chromium's sandbox refuses to run as root, which containers and CI are.
const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
const executablePath = findChromium()

// Workers read this file too, with the seed of the process that starts them.
if (process.env.TEST_SEED === undefined) {
  process.env.TEST_SEED = String(seedOfCommit())
  console.log(
    `Parts are drawn by the seed ${process.env.TEST_SEED}: TEST_SEED=${process.env.TEST_SEED} draws them again.`,
  )
}

/** One test that visits every page: begun last, it would run on alone. */
const longest = '**/every-page.sampled.spec.ts'

export default defineConfig({
  testDir: 'e2e',
  // Playwright begins them in this order.
  projects: [
    { name: 'pages', testMatch: longest },
    { name: 'ways', testIgnore: longest },
  ],
  testMatch: '**/*.spec.ts',
  // Tests take seconds on a quiet machine, and several times as long where others have its cores.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env.CI),
  // Each has a server and a browser of its own, which wait for each other part of the time.
  workers: availableParallelism() + 1,
  retries: 0,
  reporter: 'list',
  outputDir: 'test-results',
  use: {
    ...devices['Desktop Chrome'],
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath !== null && { executablePath }),
      args: [...quiet, ...sandbox],
      // In the C locale of a bare machine Chromium cannot open a file whose name is not ASCII.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    },
  },
})
