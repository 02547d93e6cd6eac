import { readArguments, readNone } from '../arguments.ts'
import { CommandFailed, exitCodes, type Io, say } from '../command.ts'
import { createApi } from '../connection/api.ts'
import { Patience } from '../connection/patience.ts'
import { forgetLogin, savedLogin } from '../connection/settings.ts'

/** Voids the token that login made, and forgets it. */
export async function logout(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(argv, { local: { type: 'boolean' } })
  readNone(positionals)
  const saved = await savedLogin(io.env)
  if (!saved) {
    say(io, 'Nobody is signed in here.')
    return exitCodes.done
  }
  const { url, token } = saved
  const isVoid = values.local || (await revoke(io, url, token))
  if (!isVoid)
    throw new CommandFailed(
      'unreachable',
      `${url} could not void the token: try again, or sluice logout --local and revoke it in your account.`,
    )
  await forgetLogin(io.env)
  say(io, `Signed out of ${url}.`)
  return exitCodes.done
}

/** True when the token is void now, or was before. */
async function revoke({ signal }: Io, url: string, token: string): Promise<boolean> {
  const api = createApi(url, { authorization: `Bearer ${token}` })
  const patience = new Patience({ signal, waits: false, onWait: () => undefined })
  try {
    await patience.run(() => api.token.revokeThis.mutate(undefined, { signal }), { losses: 1 })
    return true
  } catch (error) {
    return error instanceof CommandFailed && error.failure === 'notSignedIn'
  }
}
