import type { Fleet } from '#server/limits/fleet/fleet.ts'

/** A member of a fleet in this process, which a test can have miss what is told. */
export interface TestFleet extends Fleet {
  /** What it told, by topic and message. */
  readonly told: readonly (readonly [string, string])[]
  /** Has it know that it may have missed something. */
  miss(): void
}

/** So many processes that hear one another at once. */
export function fleetOf(size: number): readonly TestFleet[] {
  const members = Array.from({ length: size }, () => {
    return { listeners: new Map<string, (message: string) => void>(), gaps: [] as (() => void)[] }
  })
  return members.map((own) => {
    const told: [string, string][] = []
    return {
      size,
      told,
      tell: (topic, message) => {
        told.push([topic, message])
        for (const other of members) if (other !== own) other.listeners.get(topic)?.(message)
      },
      hear: (topic, listener) => void own.listeners.set(topic, listener),
      onGap: (listener) => void own.gaps.push(listener),
      miss: () => {
        for (const listener of own.gaps) listener()
      },
      show: () => {},
      snapshots: () => [],
      close: async () => {},
    }
  })
}
