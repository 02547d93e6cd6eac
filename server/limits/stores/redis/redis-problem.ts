import type { RedisAddress } from './redis-address.ts'

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

/** Describes an error of a connection to a server. */
export function connectionProblem({ name }: RedisAddress, cause: Error): RedisProblem {
  const code = 'code' in cause ? String(cause.code) : ''
  const passing = (message: string) => new RedisProblem(message, { cause, mayPass: true })
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    const { hostname } = Object.assign({ hostname: name }, cause)
    return passing(`there is no host ${hostname}. Correct it.`)
  }
  if (code === 'ECONNREFUSED') return passing(`nothing listens at ${name}. Correct it, or start Redis.`)
  if (code === 'ENOENT') return passing(`there is no socket ${name}. Correct the path, or start Redis.`)
  if (code === 'EACCES')
    return new RedisProblem(`this user may not write to ${name}. Add the user to its group (unixsocketperm 770).`, {
      cause,
    })
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return new RedisProblem(`the certificate of ${name} is for another name. Use that name.`, { cause })
  if (/CERT|LEAF_SIGNATURE/.test(code)) {
    const remedy = 'Add its issuer to NODE_EXTRA_CA_CERTS, or renew it.'
    return new RedisProblem(`the certificate of ${name} is not trusted (${code}). ${remedy}`, { cause })
  }
  const remedy = 'Correct it, or make it reachable from this machine.'
  return passing(`${name} does not respond (${cause.message}). ${remedy}`)
}

/** Describes a replica where a master is wanted. */
export function replicaProblem({ name, isElected }: RedisAddress, cause?: Error): RedisProblem {
  // The Sentinels name a new master once a failover has succeeded.
  if (isElected)
    return new RedisProblem(`${name} is a replica by now. The Sentinels must agree first.`, { cause, mayPass: true })
  return new RedisProblem(`${name} is a replica. Use the address of its master.`, { cause })
}

/** Describes what a server has answered; null if that only says that another node of its Cluster has the key. */
export function answerProblem(address: RedisAddress & { readonly db: number }, cause: Error): RedisProblem | null {
  const { name } = address
  const { message } = cause
  const lasting = (sentence: string) => new RedisProblem(sentence, { cause })
  switch (/^[A-Z]+/.exec(message)?.[0]) {
    case 'MOVED':
    case 'ASK':
      return null
    case 'NOAUTH':
      return lasting(`${name} asks for a password. ${address.signIn}`)
    case 'WRONGPASS':
      return lasting(`${name} refuses the user or the password. Correct ${address.credentials}.`)
    case 'NOPERM':
      return lasting(`the user may not do what the limiter needs (${message}). Grant it +@all ~RATE:* &RATE:FLEET:*.`)
    case 'READONLY':
    case 'MASTERDOWN':
      return replicaProblem(address, cause)
    case 'DENIED':
      return lasting(`${name} refuses clients of other machines. Give it a password, or turn off its protected mode.`)
  }
  if (/DB index|SELECT is not allowed/.test(message))
    return lasting(`${name} has no database ${address.db}. Remove the number, or correct it.`)
  if (/unknown command/i.test(message)) return lasting(`${name} lacks a command that the limiter needs: ${message}`)
  return new RedisProblem(`${name} answers: ${message}`, { cause, mayPass: true })
}
