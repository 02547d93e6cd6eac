import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { CommandFailed, type Io } from '../command.ts'

/** Asks a person at the terminal. What is `hidden` is not shown as it is typed. */
export async function ask({ stdin, stderr, signal }: Io, question: string, { hidden = false } = {}): Promise<string> {
  if (!stdin.isTTY)
    throw new CommandFailed('usage', `There is nobody to ask for: ${question.toLowerCase()}. See: sluice help login`)
  let isShown = true
  const echo = new Writable({
    write: (chunk, _encoding, done) => {
      if (isShown) stderr.write(chunk)
      done()
    },
  })
  // From now on the terminal shows nothing by itself.
  const reader = createInterface({ input: stdin, output: echo, terminal: true })
  const interrupted = new AbortController()
  // Nor does it send a signal.
  reader.on('SIGINT', () => interrupted.abort())
  try {
    const answer = reader.question(`${question}: `, { signal: AbortSignal.any([signal, interrupted.signal]) })
    // The question is written by now.
    isShown = !hidden
    const line = await answer
    return hidden ? line : line.trim()
  } catch (error) {
    // By Ctrl-C, or by Ctrl-D, which ends the input.
    const hasLeft = error instanceof Error && error.name === 'AbortError' && !signal.aborted
    if (hasLeft) throw new CommandFailed('interrupted', 'Broken off.', { cause: error })
    throw error
  } finally {
    reader.close()
    if (hidden) stderr.write('\n')
  }
}

/** All of standard input, without the line's end. */
export async function readSecret({ stdin }: Io): Promise<string> {
  return (await text(stdin)).replace(/\r?\n$/, '')
}
