import { hash, verify } from '@node-rs/argon2'
import { TRPCError } from '@trpc/server'
import pLimit from 'p-limit'

/** OWASP's first choice for argon2id (Password Storage Cheat Sheet): 19 MiB, two passes, one lane. */
const parameters = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

const AT_ONCE = 2
const WAITING = 200
const twoAtOnce = pLimit(AT_ONCE)

/** So many password checks wait already that this one is turned away, for a few seconds. */
export class PasswordChecksBusy extends TRPCError {
  constructor() {
    super({ code: 'SERVICE_UNAVAILABLE', message: 'Many people are signing in. Try again in a few seconds.' })
  }
}

/** The argon2id hash of `password`, in PHC form. Two hashes run at once in a process; throws PasswordChecksBusy behind a long queue. */
export function hashPassword(password: string): Promise<string> {
  return queued(() => hash(password, parameters))
}

/** Whether `password` belongs to `passwordHash`. Without a hash it takes as long and answers false: no account is told from none. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const against = passwordHash ?? (await absentHash)
  const matches = await queued(() => verify(against, password))
  return matches && passwordHash !== null
}

/** Made at once, so that the first unknown name takes no longer than a known one. */
const absentHash = hash('nobody has this password', parameters)

function queued<T>(work: () => Promise<T>): Promise<T> {
  if (twoAtOnce.pendingCount >= WAITING) throw new PasswordChecksBusy()
  return twoAtOnce(work)
}
