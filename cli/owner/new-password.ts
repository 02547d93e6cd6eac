import { randomBytes } from 'node:crypto'
import { translate } from '#messages/translate.ts'
import { CommandFailed, type Io } from '../command.ts'
import { ask, readSecret } from '../terminal/ask.ts'

/** Returns a generated password, one that the user types twice without echo, or, without a terminal, standard input. */
export async function newPassword(io: Io, isGenerated: boolean): Promise<string> {
  // 120 bits.
  if (isGenerated) return randomBytes(15).toString('base64url')
  if (!io.stdin.isTTY) return readSecret(io)
  const password = await ask(io, translate('cli.owner.askPassword'), { hidden: true })
  if ((await ask(io, translate('cli.owner.askAgain'), { hidden: true })) === password) return password
  throw new CommandFailed('usage', translate('cli.owner.mismatch'))
}
