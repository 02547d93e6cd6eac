/** What keeps a Redis from being the limiter's store, in one sentence and what to do about it. */
export class RedisProblem extends Error {
  override readonly name = 'RedisProblem'
  /** Whether it may pass by itself: a Redis that starts, or a name that DNS does not know yet. */
  readonly mayPass: boolean

  constructor(message: string, { mayPass = false, cause }: { mayPass?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.mayPass = mayPass
  }
}

/** Describes an error of a connection to the node at `url`. */
export function connectionProblem({ host, hostname }: URL, cause: Error): RedisProblem {
  const code = 'code' in cause ? String(cause.code) : ''
  const passing = (message: string) => new RedisProblem(message, { cause, mayPass: true })
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return passing(`there is no host ${hostname}. Correct it.`)
  if (code === 'ECONNREFUSED') return passing(`nothing listens at ${host}. Correct it, or start Redis.`)
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return new RedisProblem(`the certificate of ${host} is for another name. Use that name.`, { cause })
  if (/CERT|LEAF_SIGNATURE/.test(code)) {
    const remedy = 'Add its issuer to NODE_EXTRA_CA_CERTS, or renew it.'
    return new RedisProblem(`the certificate of ${host} is not trusted (${code}). ${remedy}`, { cause })
  }
  const remedy = 'Correct it, or make it reachable from this machine.'
  return passing(`${host} does not respond (${cause.message}). ${remedy}`)
}

/** Describes what the node at `url` has answered; null if that only says that another node of its Cluster has the key. */
export function answerProblem(url: URL, cause: Error): RedisProblem | null {
  const { host } = url
  const { message } = cause
  const lasting = (sentence: string) => new RedisProblem(sentence, { cause })
  switch (/^[A-Z]+/.exec(message)?.[0]) {
    case 'MOVED':
    case 'ASK':
      return null
    case 'NOAUTH':
      return lasting(`${host} asks for a password. Write it as ${url.protocol}//:password@${host}.`)
    case 'WRONGPASS':
      return lasting(`${host} refuses the user or the password. Correct them.`)
    case 'NOPERM':
      return lasting(`the user may not do what the limiter needs (${message}). Grant it +@all ~RATE:* &RATE:FLEET:*.`)
    case 'READONLY':
    case 'MASTERDOWN':
      return lasting(`${host} is a replica. Use the address of its master.`)
    case 'DENIED':
      return lasting(`${host} refuses clients of other machines. Give it a password, or turn off its protected mode.`)
  }
  if (/DB index|SELECT is not allowed/.test(message))
    return lasting(`${host} has no database ${url.pathname.slice(1)}. Remove the number, or correct it.`)
  if (/unknown command/i.test(message)) return lasting(`${host} lacks a command that the limiter needs: ${message}`)
  return new RedisProblem(`${host} answers: ${message}`, { cause, mayPass: true })
}
