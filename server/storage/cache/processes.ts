import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'

/** A name that no other process has, nor had. */
export const nameOfProcess = (): string => `${hostname()} ${process.pid} ${randomUUID()}`

/** Whether the process of that name is known to have ended: it was of this host, and its number is nobody's now. */
export function hasEnded(name: string): boolean {
  const [host, pid] = name.split(' ')
  if (host !== hostname()) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}
