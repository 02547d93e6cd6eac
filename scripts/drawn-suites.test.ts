import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { drawSuites } from './drawn-suites.ts'

const root = join(import.meta.dirname, '..')
const specs = globSync('e2e/*.spec.ts', { cwd: root })
const runs = Array.from({ length: 100 }, (_, seed) => drawSuites(seed, specs))

it('names files that exist', () => {
  const named = runs.flatMap(({ leftOut, browsed }) => [...leftOut, ...browsed])
  expect([...new Set(named)].filter((path) => !existsSync(join(root, path)))).toEqual([])
})

it('leaves nothing out for good, and draws the same for the same seed', () => {
  const always = runs.reduce(
    (left, { leftOut }) => left.filter((path) => leftOut.includes(path)),
    runs[0]?.leftOut ?? [],
  )
  expect(always).toEqual([])
  expect([...new Set(runs.flatMap(({ browsed }) => browsed))].toSorted()).toEqual(specs.toSorted())
  expect(drawSuites(7, specs)).toEqual(runs[7])
})
