import type { Caller } from '#server/limits/subject.ts'

/** Those who call in all tables but that of memory. */
export const SUBJECTS = 5_000

/** A user's id, as accounts have them. */
export function userIdOf(subject: number): string {
  return `7f3c2a91-5b8e-4d06-9c41-${subject.toString(16).padStart(12, '0')}`
}

/** A signed-in user. */
export function callerOf(subject: number): Caller {
  return { address: '192.0.2.1', userId: userIdOf(subject), shared: false }
}

/** Others, who call before a measurement and not in it. */
export const SPARE_SUBJECTS = [SUBJECTS, SUBJECTS + 1, SUBJECTS + 2] as const

const all = Array.from({ length: SUBJECTS + SPARE_SUBJECTS.length }, (_, subject) => subject)

/** Made beforehand: a contender is not measured by how its callers come to be. */
export const userIds: readonly string[] = all.map(userIdOf)
export const callers: readonly Caller[] = all.map(callerOf)

/** The nth call's subject: all take turns, and neighbours among calls are none among subjects. */
export function subjectOfCall(call: number): number {
  return (call * 7_919) % SUBJECTS
}
