import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { CommandFailed, type Io } from '../command.ts'
import { ask } from './ask.ts'

function scene({ isTTY = true } = {}) {
  const [stdin, stderr] = [Object.assign(new PassThrough(), { isTTY }), new PassThrough()]
  const io: Io = { env: {}, stdin, stdout: new PassThrough(), stderr, signal: new AbortController().signal }
  const shown = async () => {
    stderr.end()
    return stripVTControlCharacters(await text(stderr))
  }
  return { io, stdin, shown }
}

test('echoes a name, but not a password', async () => {
  const { io, stdin, shown } = scene()
  const name = ask(io, 'User name')
  stdin.write(' sue \r')
  expect(await name).toBe('sue')
  const password = ask(io, 'Password', { hidden: true })
  stdin.write(' its spaces too \r')
  expect(await password).toBe(' its spaces too ')
  expect(await shown()).toBe('User name:  sue \r\nPassword: \n')
})

test('Ctrl-C interrupts the question', async () => {
  const { io, stdin } = scene()
  const answer = ask(io, 'Password', { hidden: true })
  stdin.write('\u0003')
  await expect(answer).rejects.toEqual(new CommandFailed('interrupted', 'Interrupted.'))
})

test('refuses to ask without a terminal', async () => {
  const { io } = scene({ isTTY: false })
  await expect(ask(io, 'Password')).rejects.toEqual(
    new CommandFailed('usage', 'No terminal to ask for: Password. See: sluice help login'),
  )
})
