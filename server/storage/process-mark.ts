import { randomUUID } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

const HOST = hostname().replace(/[^A-Za-z0-9-]/g, '-')
const NAMESPACE = pidNamespace()

/** Names this process among all that may share a folder: its host, and its number where that means something. Containers may
 *  have one host name, and the same numbers. */
export const processMark = `${HOST}.${NAMESPACE}${process.pid}`

/** A name that no other process has, nor had. */
export const nameOfProcess = (): string => `${processMark}.${randomUUID()}`

/** Whether the mark that a name begins with is that of a process that has ended. Of other hosts and containers nobody here
 *  knows. */
export function hasEnded(name: string): boolean {
  const pid = pidHere(name)
  return pid !== null && !runs(pid)
}

/** The same at a start, when one with our own number is an earlier one. */
export const isOfEnded = (name: string): boolean => pidHere(name) === process.pid || hasEnded(name)

/** The number in the mark that a name begins with; null where it means nothing here. */
function pidHere(name: string): number | null {
  const [host, who = ''] = name.split('.')
  const [, namespace, pid] = /^(\d+-)?(\d+)$/.exec(who) ?? []
  // One without a namespace was made by a version that did not write it down.
  if (host !== HOST || pid === undefined || (namespace ?? NAMESPACE) !== NAMESPACE) return null
  return Number(pid)
}

/** With a dash behind; empty where there are none, as on macOS. */
function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/^.*?(\d+).*$/, '$1-')
  } catch {
    return ''
  }
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Another user's process may not be signalled, but it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
