import { randomUUID } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

const HOST = hostname().replace(/[^A-Za-z0-9-]/g, '-')
const NAMESPACE = pidNamespace()

/** Identifies this process among those that may share a folder: host name, PID namespace and PID. The namespace matters
 *  because containers may share a host name and reuse PIDs. */
export const processMark = `${HOST}.${NAMESPACE}${process.pid}`

/** Returns a name that no other process has or ever had. */
export const uniqueProcessName = (): string => `${processMark}.${randomUUID()}`

/** Whether `name` carries the mark of a process that has ended. False for processes of other hosts and containers,
 *  which cannot be checked from here. */
export function hasEnded(name: string): boolean {
  const pid = pidHere(name)
  return pid !== null && !isRunning(pid)
}

/** Like `hasEnded`, for use at startup: a name with our own PID is then that of an earlier process. */
export const isLeftover = (name: string): boolean => pidHere(name) === process.pid || hasEnded(name)

/** Returns the PID in the mark at the start of `name`; null for another host or PID namespace. */
function pidHere(name: string): number | null {
  const [host, mark = ''] = name.split('.')
  const [, namespace, pid] = /^(\d+-)?(\d+)$/.exec(mark) ?? []
  // A mark without a namespace was written by a version that did not record it.
  if (host !== HOST || pid === undefined || (namespace ?? NAMESPACE) !== NAMESPACE) return null
  return Number(pid)
}

/** Returns the namespace's ID with a trailing dash; empty on systems without namespaces, such as macOS. */
function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/^.*?(\d+).*$/, '$1-')
  } catch {
    return ''
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process exists but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
