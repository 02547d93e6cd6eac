import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

const HOST = hostname().replace(/[^A-Za-z0-9-]/g, '-')
const NAMESPACE = pidNamespace()

/** Names this process among all that may share a folder: its host, and its number where that means something. Containers may
 *  have one host name, and the same numbers. */
export const processMark = `${HOST}.${NAMESPACE}${process.pid}`

/** Whether the mark that a name begins with is that of a process that has ended, or of an earlier one with our own number. Of
 *  other hosts and containers nobody here knows. */
export function isOfEnded(name: string): boolean {
  const [host, who = ''] = name.split('.')
  const [, namespace, pid] = /^(\d+-)?(\d+)$/.exec(who) ?? []
  // One without a namespace was made by a version that did not write it down.
  if (host !== HOST || pid === undefined || (namespace ?? NAMESPACE) !== NAMESPACE) return false
  return Number(pid) === process.pid || !runs(Number(pid))
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
