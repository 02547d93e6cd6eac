import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { CommandFailed, type Io } from '../command.ts'

/** A password that the user types, unseen and twice; that standard input says, where that is no terminal; or a new one. */
export async function newPassword(io: Io, isGenerated: boolean): Promise<string> {
  // 120 bits.
  if (isGenerated) return randomBytes(15).toString('base64url')
  if (!io.stdin.isTTY) return (await text(io.stdin)).replace(/\r?\n$/, '')
  const password = await ask(io, 'New password: ')
  if ((await ask(io, 'Once more: ')) !== password) throw new CommandFailed('usage', 'That was not the same twice.')
  return password
}

/** Reads a line from the terminal without showing it. */
function ask({ stdin, stderr, signal }: Io, question: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let typed = ''
  const take = (chunk: Buffer) => {
    for (const key of chunk.toString()) {
      if (key === '\r' || key === '\n') return resolve(typed)
      // Ctrl-C and Ctrl-D: nobody else looks at them in this mode of the terminal.
      if (key === '\u0003' || key === '\u0004') return reject(new CommandFailed('interrupted', 'Nothing was changed.'))
      typed = key === '\u007f' || key === '\b' ? typed.slice(0, -1) : typed + key
    }
  }
  const leave = () => reject(new CommandFailed('interrupted', 'Nothing was changed.'))
  stderr.write(question)
  stdin.setRawMode(true)
  stdin.on('data', take)
  signal.addEventListener('abort', leave)
  stdin.resume()
  return promise.finally(() => {
    stdin.off('data', take)
    signal.removeEventListener('abort', leave)
    stdin.setRawMode(false)
    stdin.pause()
    stderr.write('\n')
  })
}
