import type { ImageAlarm } from '#server/images/alarms.ts'
import type { Services } from '#server/services.ts'
import { ObjectCorrupt, ObjectNotFound } from '#server/storage/object-store.ts'

/** Counts and logs a missing or corrupt object. Returns false for every other error. */
export function raiseAlarm(app: Pick<Services, 'alarms' | 'log'>, error: unknown, details: object): boolean {
  const alarm = toAlarm(error)
  if (!alarm) return false
  app.alarms.raise(alarm)
  app.log.error({ ...details, alarm, err: error }, `the bytes of an image are ${alarm}`)
  return true
}

function toAlarm(error: unknown): ImageAlarm | null {
  if (error instanceof ObjectNotFound) return 'missing'
  return error instanceof ObjectCorrupt ? 'corrupt' : null
}
