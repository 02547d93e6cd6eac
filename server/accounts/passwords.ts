import { hash, verify } from '@node-rs/argon2'
import { TRPCError } from '@trpc/server'
import pLimit from 'p-limit'
import { refuse } from '#server/errors/refuse.ts'

/** OWASP's first choice for argon2id (Password Storage Cheat Sheet): 19 MiB, two passes, one lane. */
const parameters = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

/** Hashes that run at once in a process: each takes a core and 19 MiB. */
const MAX_RUNNING = 2
const MAX_QUEUED = 200
const queue = pLimit(MAX_RUNNING)

/** The queue of password checks is full. */
export class PasswordChecksBusy extends TRPCError {
  constructor() {
    super(refuse('sign-in-busy'))
  }
}

/** Returns the argon2id hash of `password` in PHC format. Throws PasswordChecksBusy if the queue is full. */
export function hashPassword(password: string): Promise<string> {
  return queued(() => hash(password, parameters))
}

/** Returns whether `password` matches. With a null hash it returns false after the same time, so that timing does not reveal
 *  which accounts exist. Throws PasswordChecksBusy if the queue is full. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const against = passwordHash ?? (await absentHash)
  const matches = await queued(() => verify(against, password))
  return matches && passwordHash !== null
}

/** Computed at load time, so that the first unknown name takes no longer than a known one. */
const absentHash = hash('nobody has this password', parameters)

function queued<T>(work: () => Promise<T>): Promise<T> {
  if (queue.pendingCount >= MAX_QUEUED) throw new PasswordChecksBusy()
  return queue(work)
}
