import { expect, test } from 'vitest'
import { untraced } from './tracing.ts'
import { createWatch } from './watch.ts'

test('work is timed by how it ends; an error that is no fault of the dependency is not its failure', async () => {
  const timed: string[] = []
  const watch = createWatch<'read' | 'write'>({
    tracing: untraced,
    name: 'store',
    isFault: (error) => error instanceof TypeError,
    time: (seconds, operation, outcome) => timed.push(`${operation} ${outcome} ${seconds >= 0}`),
  })
  expect(await watch('read', async () => 5)).toBe(5)
  await expect(watch('read', () => Promise.reject(new RangeError('none')))).rejects.toThrow('none')
  await expect(watch('write', () => Promise.reject(new TypeError('down')))).rejects.toThrow('down')
  expect(timed).toEqual(['read ok true', 'read ok true', 'write failed true'])
})
