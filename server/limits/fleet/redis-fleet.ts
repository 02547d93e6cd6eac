import { randomUUID } from 'node:crypto'
import { type Clock, systemClock } from '../clock.ts'
import type { Fleet } from './fleet.ts'
import { batched, decodeMessage, encodeMessage, type FleetMessage, type TopicMessage } from './fleet-message.ts'
import { Members } from './members.ts'
import { openLink, type RedisLink, urlsOfNodes } from './redis-link.ts'

/** In beats: a process that is silent for longer is gone; one that does not receive its own messages for longer is
 *  deaf, and later reconnects. A stall of Redis affects all processes at once, so this one is deaf before others seem
 *  gone. */
const GONE_AFTER = 3.5
const DEAF_AFTER = 2
const RECONNECT_AFTER = 3

/** Processes that know each other by the messages they publish in the Redis they share: a heartbeat each second, and
 *  those of `tell`. None are stored.
 *
 *  Every process also receives its own messages. One that does not even receive those knows nothing of the others: it
 *  keeps their number, because their silence proves nothing, and reconnects. After each connection it reports a gap, so
 *  that its listeners read again whatever may have changed in the meantime. */
export class RedisFleet implements Fleet {
  readonly #id = randomUUID()
  readonly #urls: readonly string[]
  readonly #clock: Clock
  readonly #beatMs: number
  readonly #members: Members
  readonly #listeners = new Map<string, ((message: string) => void)[]>()
  readonly #gapListeners: (() => void)[] = []
  readonly #timer: NodeJS.Timeout
  #snapshot: () => string | null = () => null
  #outgoing: TopicMessage[] = []
  #told = 0
  #links = 0
  #link: RedisLink
  /** The last time that this process received its own message, or began to listen. */
  #hearingAt: number
  #beatAt: number
  #isBeating = false
  #isClosed = false

  /** `redisUrl` is one node, or several of a Cluster separated by commas. `beatMs`, the time between two heartbeats, is
   *  the same in all processes. */
  constructor(redisUrl: string, beatMs = 1_000, clock: Clock = systemClock) {
    this.#urls = urlsOfNodes(redisUrl)
    this.#clock = clock
    this.#beatMs = beatMs
    this.#members = new Members({ goneAfterMs: GONE_AFTER * beatMs, deafAfterMs: DEAF_AFTER * beatMs })
    this.#link = this.#openLink()
    this.#hearingAt = clock.now()
    this.#beatAt = this.#hearingAt
    this.#timer = setInterval(() => this.#onBeat(), beatMs).unref()
  }

  get size(): number {
    this.#members.dropSilent(this.#clock.now())
    return this.#members.size
  }

  tell(topic: string, message: string): void {
    if (this.#isClosed) return
    this.#outgoing.push({ topic, message })
    // All messages of one turn of the event loop are published together.
    if (this.#outgoing.length === 1) setImmediate(() => this.#flush())
  }

  hear(topic: string, listener: (message: string) => void): void {
    this.#listeners.set(topic, [...(this.#listeners.get(topic) ?? []), listener])
  }

  onGap(listener: () => void): void {
    this.#gapListeners.push(listener)
  }

  show(snapshot: () => string): void {
    this.#snapshot = snapshot
  }

  snapshots(): readonly string[] {
    this.#members.dropSilent(this.#clock.now())
    return this.#members.snapshots()
  }

  /** Announces to the others that this process leaves, if Redis accepts the message. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#flush()
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#say({ kind: 'gone', from: this.#id, told: this.#told })
    this.#link.close()
  }

  #openLink(): RedisLink {
    const url = this.#urls[this.#links % this.#urls.length] ?? ''
    this.#links += 1
    return openLink(url, { opened: () => this.#onOpened(), heard: (text) => this.#onHeard(text) })
  }

  #onOpened(): void {
    this.#missed()
    void this.#beat()
  }

  #onBeat(): void {
    const now = this.#clock.now()
    // This process itself was frozen: the messages that arrived in the meantime are not read yet.
    if (now - this.#beatAt > DEAF_AFTER * this.#beatMs) this.#hearingAt = now
    this.#beatAt = now
    if (now - this.#hearingAt > RECONNECT_AFTER * this.#beatMs) {
      this.#link.close()
      this.#link = this.#openLink()
      this.#hearingAt = now
    }
    void this.#beat()
  }

  async #beat(): Promise<void> {
    if (this.#isBeating || this.#isClosed) return
    this.#isBeating = true
    await this.#say({ kind: 'here', from: this.#id, told: this.#told, snapshot: this.#snapshot() })
    this.#isBeating = false
  }

  #flush(): void {
    for (const messages of batched(this.#outgoing)) {
      this.#told += 1
      void this.#say({ kind: 'told', from: this.#id, told: this.#told, messages })
    }
    this.#outgoing = []
  }

  /** A message that Redis does not accept is lost; the other processes detect this by the count of messages. */
  async #say(message: FleetMessage): Promise<void> {
    await this.#link.publish(encodeMessage(message)).catch(() => {})
  }

  #onHeard(text: string): void {
    const message = decodeMessage(text)
    if (!message || this.#isClosed) return
    const now = this.#clock.now()
    if (message.from === this.#id) {
      this.#hearingAt = now
      this.#members.hearSelf(now)
    } else this.#onOther(message, now)
  }

  #onOther(message: FleetMessage, now: number): void {
    const { from, told, kind } = message
    const heardAll = this.#members.hear(from, { told, isTold: kind === 'told', now })
    if (kind === 'here') this.#members.show(from, message.snapshot)
    if (kind === 'gone') this.#members.leave(from)
    if (kind === 'told') for (const one of message.messages ?? []) this.#hearTopic(one)
    if (!heardAll || (kind === 'told' && message.messages === null)) this.#missed()
  }

  #hearTopic({ topic, message }: TopicMessage): void {
    for (const listener of this.#listeners.get(topic) ?? []) listener(message)
  }

  #missed(): void {
    for (const listener of this.#gapListeners) listener()
  }
}
