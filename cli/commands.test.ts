import { expect, test } from 'vitest'
import { commands } from './commands.ts'

test('each command has a name of its own, and says how it is called', () => {
  const names = commands.map(({ name }) => name)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  for (const { name, usage } of commands) expect(usage).toContain(`Usage: sluice ${name}`)
})
