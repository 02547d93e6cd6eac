import { expect, it } from 'vitest'
import { startLimitAdminScene } from '#testing/limits/limit-admin-scene.ts'

it('a file of limits may have as many entries as are kept', async () => {
  await using scene = await startLimitAdminScene()
  const { import: run, export: stored } = scene.of(scene.root)
  const overrides = Array.from({ length: 1_000 }, (_, at) => ({
    ruleSet: 'view',
    target: { kind: 'subject', subject: `10.0.${at >> 8}.${at & 255}` },
    terms: { rules: [{ limit: 5, window: '1h' }] },
  }))
  await run({ file: { version: 1, overrides }, dryRun: false })
  expect((await stored()).overrides).toHaveLength(1_000)
  await run({ file: { version: 1 }, dryRun: false })
  expect(await stored()).toEqual({ version: 1, overrides: [], ruleSets: [] })
  // Each entry is written, and then removed, with its entry in the audit log.
}, 360_000)
