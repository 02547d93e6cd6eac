import type { Fleet } from '#server/limits/fleet/fleet.ts'

/** A member of a fleet in this process, which can be made to miss messages. */
export interface TestFleet extends Fleet {
  /** The messages that it sent, by topic. */
  readonly told: readonly (readonly [string, string])[]
  /** Signals that it may have missed messages. */
  miss(): void
}

/** This many processes that receive each other's messages at once. */
export function createFleet(size: number): readonly TestFleet[] {
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
