import { translate } from '#messages/translate.ts'
import { readArguments, readNone } from '../arguments.ts'
import { CommandFailed, exitCodes, type Io, say } from '../command.ts'
import { createApi } from '../connection/api.ts'
import { Patience } from '../connection/patience.ts'
import { forgetLogin, savedLogin } from '../connection/settings.ts'

/** Revokes the token of the login and deletes it. */
export async function logout(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(argv, { local: { type: 'boolean' } })
  readNone(positionals)
  const saved = await savedLogin(io.env)
  if (!saved) {
    say(io, translate('cli.logout.notSignedIn'))
    return exitCodes.done
  }
  const { url, token } = saved
  const isRevoked = values.local || (await revoke(io, url, token))
  if (!isRevoked) throw new CommandFailed('unreachable', translate('cli.logout.notRevoked', { url }))
  await forgetLogin(io.env)
  say(io, translate('cli.logout.done', { url }))
  return exitCodes.done
}

/** Returns true if the token is no longer valid, revoked now or before. */
async function revoke({ signal }: Io, url: string, token: string): Promise<boolean> {
  const api = createApi(url, { authorization: `Bearer ${token}` })
  const patience = new Patience({ signal, waitMs: 2_000, onWait: () => undefined })
  try {
    await patience.run(() => api.token.revokeThis.mutate(undefined, { signal }), { losses: 1 })
    return true
  } catch (error) {
    return error instanceof CommandFailed && error.failure === 'notSignedIn'
  }
}
