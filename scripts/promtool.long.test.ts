import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { startApp } from '#testing/sluice/sluice-app.ts'
import { ensureServers, isOnPath, thisMachine } from './ensure-servers.ts'

// `npm test` does not install it for these seconds.
beforeAll(() =>
  ensureServers(thisMachine, [{ name: 'promtool', packages: ['prometheus'], isThere: () => isOnPath('promtool') }]),
)

const run = (args: readonly string[], input = '') => spawnSync('promtool', args, { input, encoding: 'utf8' })

const rules = join(import.meta.dirname, '../deploy/prometheus')

test('promtool accepts the rules, and they raise what they should', () => {
  expect(run(['check', 'rules', '--lint-fatal', join(rules, 'sluice.rules.yml')])).toMatchObject({ status: 0 })
  expect(run(['test', 'rules', join(rules, 'sluice.rules.test.yml')])).toMatchObject({ status: 0 })
})

test('promtool finds nothing to say about the metrics', async () => {
  await using served = await startApp({ SLUICE_METRICS_ADDRESSES: '127.0.0.1' })
  const text = await (await fetch(`${served.origin}/metrics`)).text()
  expect(run(['check', 'metrics'], text)).toMatchObject({ status: 0, stdout: '', stderr: '' })
})
