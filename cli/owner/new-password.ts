import { randomBytes } from 'node:crypto'
import { CommandFailed, type Io } from '../command.ts'
import { ask, readSecret } from '../terminal/ask.ts'

/** A password that the user types, unseen and twice; that standard input says, where that is no terminal; or a new one. */
export async function newPassword(io: Io, isGenerated: boolean): Promise<string> {
  // 120 bits.
  if (isGenerated) return randomBytes(15).toString('base64url')
  if (!io.stdin.isTTY) return readSecret(io)
  const password = await ask(io, 'New password', { hidden: true })
  if ((await ask(io, 'Once more', { hidden: true })) === password) return password
  throw new CommandFailed('usage', 'That was not the same twice.')
}
