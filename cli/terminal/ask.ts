import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { translate } from '#messages/translate.ts'
import { CommandFailed, type Io } from '../command.ts'

/** Asks the user at the terminal. A `hidden` answer is not echoed. */
export async function ask({ stdin, stderr, signal }: Io, question: string, { hidden = false } = {}): Promise<string> {
  if (!stdin.isTTY) throw new CommandFailed('usage', translate('cli.login.noTerminal', { question }))
  let isShown = true
  const echo = new Writable({
    write: (chunk, _encoding, done) => {
      if (isShown) stderr.write(chunk)
      done()
    },
  })
  // From here on the terminal itself echoes nothing.
  const reader = createInterface({ input: stdin, output: echo, terminal: true })
  const interrupted = new AbortController()
  // Ctrl-C sends no signal either.
  reader.on('SIGINT', () => interrupted.abort())
  try {
    const answer = reader.question(`${question}: `, { signal: AbortSignal.any([signal, interrupted.signal]) })
    // The question has been written.
    isShown = !hidden
    const line = await answer
    return hidden ? line : line.trim()
  } catch (error) {
    // Ctrl-C, or Ctrl-D, which ends the input.
    const hasLeft = error instanceof Error && error.name === 'AbortError' && !signal.aborted
    if (hasLeft) throw new CommandFailed('interrupted', translate('cli.interrupted'), { cause: error })
    throw error
  } finally {
    reader.close()
    if (hidden) stderr.write('\n')
  }
}

/** Returns all of standard input, without a newline at the end. */
export async function readSecret({ stdin }: Io): Promise<string> {
  return (await text(stdin)).replace(/\r?\n$/, '')
}
