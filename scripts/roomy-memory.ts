import { statfsSync } from 'node:fs'

/** Bytes free in a file system that has room for the temporary files of all test processes, which have less than a gigabyte at once. */
const ROOMY = 4 * 1024 ** 3

/** Returns the folder of Linux's file system in memory; null if it, or the memory of the machine or container, has too little room. */
export function roomyMemory(folder = '/dev/shm', memory = process.availableMemory()): string | null {
  if (memory < 2 * ROOMY) return null
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize < ROOMY ? null : folder
  } catch {
    return null
  }
}
