/** The processes that share one store, as seen by one of them. */
export interface Fleet {
  /** How many are alive, this one included. While the store fails: as many as when it last answered. */
  readonly size: number
  /** Publishes to every other process. Never throws or rejects; a process that the message does not reach is notified
   *  of a gap. */
  tell(topic: string, message: string): void
  /** Subscribes to what the others publish under a topic; this process's own messages are not included. The listener
   *  must validate them: they come from outside. */
  hear(topic: string, listener: (message: string) => void): void
  /** Called when messages may have been lost on their way to this process, and once it can receive any: read again
   *  whatever they may have announced. */
  onGap(listener: () => void): void
  /** Published to all others each second, until they or this process are gone. */
  show(snapshot: () => string): void
  /** The last snapshot of each other process that is alive. */
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
