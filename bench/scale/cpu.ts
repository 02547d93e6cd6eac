import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks per second, always 100 on Linux. */
const TICKS = 100

interface Stat {
  readonly pid: number
  readonly parent: number
  /** Own, and that of children that have ended. */
  readonly ticks: number
}

/** The parent of a process. */
export const parentOf = (pid: number): number => readStat(pid)?.parent ?? 0

/** The CPU time in seconds of a process with its descendants, those that have ended included. */
export function treeSeconds(root: number): number {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)) ?? [])
  const members = new Set([root])
  // Parents are older, but numbers may have begun again.
  for (let size = 0; size !== members.size; ) {
    size = members.size
    for (const { pid, parent } of all) if (members.has(parent)) members.add(pid)
  }
  return all.filter(({ pid }) => members.has(pid)).reduce((sum, { ticks }) => sum + ticks, 0) / TICKS
}

function readStat(pid: number): Stat | null {
  try {
    // After the name, which may contain anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0)
    return { pid, parent: Number(fields[1]), ticks }
  } catch {
    // It has just ended.
    return null
  }
}
