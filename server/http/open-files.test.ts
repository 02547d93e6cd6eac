import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { fitConnections } from './open-files.ts'

it.each([
  [1_024, 412],
  [20_000, 9_900],
  [100, 1],
  [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
])('a process that may open %s files holds %s connections', (files, connections) => {
  expect(fitConnections(files)).toBe(connections)
})

it.runIf(process.platform === 'linux')('knows the limit of its process', () => {
  const print = `import { readFileLimit } from '${import.meta.resolve('./open-files.ts')}'; console.log(readFileLimit())`
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', '--input-type=module', '-e', print]
  const text = execFileSync('sh', ['-c', 'ulimit -n 700 && exec "$@"', 'sh', ...node], { encoding: 'utf8' })
  expect(text).toBe('700\n')
})
