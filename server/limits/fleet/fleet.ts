/** The processes that share one store, as one of them sees them. */
export interface Fleet {
  /** How many live, this one included. While the store fails: as many as when it last answered. */
  readonly size: number
  /** Tells every other process. Never throws or rejects; what the store could not deliver is a gap to those who missed it. */
  tell(topic: string, message: string): void
  /** Hears what the others tell under a topic, never what this process does. Whoever listens checks it: it is from outside. */
  hear(topic: string, listener: (message: string) => void): void
  /** Called when messages may have been lost on their way to this process, and once it can hear any: ask again for what
   *  they would have told. */
  onGap(listener: () => void): void
  /** Told to all others each second, until they or this process are gone. */
  show(snapshot: () => string): void
  /** The last snapshot of each other process that lives. */
  snapshots(): readonly string[]
  close(): Promise<void>
}

/** A process that shares its store with no other. */
export class SoloFleet implements Fleet {
  readonly size = 1

  tell(): void {}

  hear(): void {}

  onGap(): void {}

  show(): void {}

  snapshots(): readonly string[] {
    return []
  }

  async close(): Promise<void> {}
}
