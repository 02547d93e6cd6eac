import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { counted, read, timed } from './declared.ts'

const root = join(import.meta.dirname, '../..')
const readText = (path: string) => readFileSync(join(root, path), 'utf8')

const names: readonly string[] = [
  ...Object.keys(counted),
  ...Object.keys(read),
  ...Object.keys(timed).flatMap((name) => ['_bucket', '_sum', '_count'].map((suffix) => name + suffix)),
]

test.each([
  'deploy/grafana/sluice.json',
  'deploy/prometheus/sluice.rules.yml',
  'deploy/prometheus/sluice.rules.test.yml',
])('%s names only metrics that exist', (path) => {
  const named = new Set(readText(path).match(/\b(?:sluice|process|nodejs)_[a-z0-9_]+/g))
  expect(named.size).toBeGreaterThan(5)
  expect([...named].filter((name) => !names.includes(name))).toEqual([])
})

test('the table of metrics names each', () => {
  const table = readText('docs/monitoring.md')
  const named = [...table.matchAll(/^\| `((?:sluice|process|nodejs)_[a-z0-9_]+)`/gm)].map(([, name]) => name)
  expect(named).toEqual([...Object.keys(timed), ...Object.keys(counted), ...Object.keys(read)])
})
