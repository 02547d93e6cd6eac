import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { TRPCError } from '@trpc/server'
import { refuse } from '#server/errors/refuse.ts'
import { FairQueue, QueueFull } from '#server/turns/fair-queue.ts'
import type { Turn } from '#server/turns/lanes.ts'

/** OWASP's first choice for argon2id (Password Storage Cheat Sheet): 19 MiB, two passes, one lane. */
const parameters = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

const HASH = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/

/** Returns whether a text is a hash with these parameters, as every site makes them: others could cost any amount of work. */
export const isPasswordHash = (text: string): boolean => HASH.test(text)

/** What accounts have in place of a hash that nobody can sign in to by a password. */
export const NO_PASSWORD = ''

/** Hashes that run at once in a process, at most two: each takes a core and 19 MiB, and one core is left for requests. Of several
 *  workers each has one. */
export const MAX_RUNNING = cluster.isWorker ? 1 : Math.min(2, Math.max(1, availableParallelism() - 1))

/** Checks that may wait, each with its request. */
export const MAX_WAITING = 500

const queue = new FairQueue({ running: MAX_RUNNING, waiting: MAX_WAITING })

/** Too many password checks are waiting in the same lane, or the client has disconnected before its turn. */
export class PasswordChecksBusy extends TRPCError {
  constructor() {
    super(refuse('sign-in-busy'))
  }
}

/** Returns the argon2id hash of `password` in PHC format. Throws PasswordChecksBusy. */
export function hashPassword(password: string, turn: Turn): Promise<string> {
  return queued(turn, () => hash(password, parameters))
}

/** Returns whether `password` matches. With a null hash or NO_PASSWORD it returns false after the same time, so that timing does not reveal
 *  which accounts exist. Throws PasswordChecksBusy. */
export async function verifyPassword(passwordHash: string | null, password: string, turn: Turn): Promise<boolean> {
  const against = passwordHash || (await absentHash)
  const matches = await queued(turn, () => verify(against, password))
  return matches && against === passwordHash
}

/** Computed at load time, so that the first unknown name takes no longer than a known one. */
const absentHash = hash('nobody has this password', parameters)

async function queued<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
  try {
    return await queue.run(turn, work)
  } catch (error) {
    if (error instanceof QueueFull || turn.signal?.aborted) throw new PasswordChecksBusy()
    throw error
  }
}
