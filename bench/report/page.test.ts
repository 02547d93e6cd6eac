import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { parseOptions } from './options.ts'
import { publish } from './page.ts'

test('--json writes the figures before rounding, also for a benchmark with a page of its own', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-'))
  const file = join(folder, 'figures.json')
  vi.spyOn(console, 'log').mockReturnValue()
  const table = { title: 'Lists', about: '', columns: ['ms'], rows: [{ name: 'all', cells: ['1.2'], raw: 1.234 }] }
  publish({ title: 'Lists', script: 'bench:list', file: 'none.md' }, [table], parseOptions(['--json', file]))
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ tables: [{ rows: [{ raw: 1.234 }] }] })
  await rm(folder, { recursive: true })
})
