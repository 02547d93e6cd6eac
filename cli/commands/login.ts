import { hostname } from 'node:os'
import { translate } from '#messages/translate.ts'
import { readArguments, readNone, readNumber } from '../arguments.ts'
import { CommandFailed, exitCodes, type Io, say } from '../command.ts'
import { createApi } from '../connection/api.ts'
import { Patience } from '../connection/patience.ts'
import { isThisMachine, parseOrigin, saveLogin } from '../connection/settings.ts'
import { type AskForCode, SignedIn } from '../connection/sign-in.ts'
import { ask, readSecret } from '../terminal/ask.ts'

const SCOPES = ['upload', 'read', 'manage'] as const

/** Signs in and saves a new token for this machine. The password is not saved. */
export async function login(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    url: { type: 'string' },
    user: { type: 'string' },
    'password-stdin': { type: 'boolean' },
    code: { type: 'string' },
    name: { type: 'string' },
    days: { type: 'string' },
  })
  readNone(positionals)
  const days = readNumber('days', values.days, { min: 1, max: 3650, otherwise: 365 })
  const address = values.url ?? io.env.SLUICE_URL ?? (await ask(io, translate('cli.login.address')))
  const url = parseOrigin(address)
  if (!address.startsWith(url)) say(io, translate('cli.login.server', { url }))
  if (isUnencrypted(url)) say(io, translate('cli.login.unencrypted', { url }))
  const username = values.user ?? (await ask(io, translate('cli.login.username')))
  const password = values['password-stdin']
    ? await readSecret(io)
    : await ask(io, translate('cli.login.password'), { hidden: true })
  const session = await SignedIn.by(url, username, password, codeAsker(io, values.code))
  try {
    const { signal } = io
    const patience = new Patience({ signal, waitMs: 2_000, onWait: () => undefined })
    const api = createApi(url, session.headers)
    const asked = { name: (values.name ?? hostname()).slice(0, 60), scopes: [...SCOPES], expiresInDays: days }
    const { token, name } = await patience.run(() => api.token.create.mutate(asked, { signal }))
    const path = await saveLogin(io.env, { url, username, token }).catch(async (error: unknown) => {
      // Nobody has this token: revoke it rather than leave it valid.
      const own = createApi(url, { authorization: `Bearer ${token}` })
      await own.token.revokeThis.mutate(undefined, { signal }).catch(() => undefined)
      throw error
    })
    say(io, translate('cli.login.signedIn', { url, username, name, days, path }))
    return exitCodes.done
  } finally {
    await session.end()
  }
}

/** Returns what answers the second step: the code that was given, once, or else a question at the terminal. */
function codeAsker(io: Io, given: string | undefined): AskForCode {
  return async (methods, problem) => {
    if (problem !== null) {
      if (given !== undefined || !io.stdin.isTTY) throw new CommandFailed('notSignedIn', problem)
      say(io, problem)
    }
    return given ?? ask(io, translate(methods.includes('totp') ? 'cli.login.code' : 'cli.login.recoveryCode'))
  }
}

/** Plain HTTP to another machine. */
function isUnencrypted(origin: string): boolean {
  const url = new URL(origin)
  return url.protocol === 'http:' && !isThisMachine(url)
}
