import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startApp } from '#testing/sluice/sluice-app.ts'

/** Debian's package `prometheus` has it. `npm test` does not install it for these seconds. */
const run = (args: readonly string[], input = '') => spawnSync('promtool', args, { input, encoding: 'utf8' })

const rules = join(import.meta.dirname, '../../deploy/prometheus')

test('promtool accepts the rules, and they raise what they should', () => {
  expect(
    execFileSync('promtool', ['check', 'rules', '--lint-fatal', join(rules, 'sluice.rules.yml')], { encoding: 'utf8' }),
  ).toContain('15 rules found')
  expect(run(['test', 'rules', join(rules, 'sluice.rules.test.yml')])).toMatchObject({ status: 0 })
})

test('promtool finds nothing to say about the metrics', async () => {
  await using served = await startApp({ SLUICE_METRICS_ADDRESSES: '127.0.0.1' })
  const text = await (await fetch(`${served.origin}/metrics`)).text()
  expect(run(['check', 'metrics'], text)).toMatchObject({ status: 0, stdout: '', stderr: '' })
})
