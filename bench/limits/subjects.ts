import type { Caller } from '#server/limits/subject.ts'

/** The subjects of all tables except the one on memory. */
export const SUBJECTS = 5_000

/** A user id in the format of accounts. */
export function userIdOf(subject: number): string {
  return `7f3c2a91-5b8e-4d06-9c41-${subject.toString(16).padStart(12, '0')}`
}

/** A signed-in user. */
export function callerOf(subject: number): Caller {
  return { address: '192.0.2.1', userId: userIdOf(subject), shared: false }
}

/** Other subjects, for calls before a measurement. */
export const SPARE_SUBJECTS = [SUBJECTS, SUBJECTS + 1, SUBJECTS + 2] as const

const all = Array.from({ length: SUBJECTS + SPARE_SUBJECTS.length }, (_, subject) => subject)

/** Created beforehand, so that creating callers is not measured. */
export const userIds: readonly string[] = all.map(userIdOf)
export const callers: readonly Caller[] = all.map(callerOf)

/** The subject of the nth call: all are used in rotation, and consecutive calls have distant subjects. */
export function subjectOfCall(call: number): number {
  return (call * 7_919) % SUBJECTS
}
