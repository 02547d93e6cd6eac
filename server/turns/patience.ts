/** When work may start that nobody waits for. */
export interface PatienceOptions {
  /** It starts while less work than this runs, patient or not. */
  readonly beside: number
  /** Milliseconds for which other work must neither have come nor ended. */
  readonly quietMs: number
  /** After this many milliseconds it takes turns with other work. */
  readonly maxMs: number
  /** The same if this much waits. */
  readonly most: number
}

interface PatientWork {
  readonly since: number
  start(): void
  refuse(): void
}

/** Work that nobody waits for, first come, first served, and when the next is due. Times are by performance.now(). */
export class Patience {
  readonly #options: PatienceOptions
  readonly #works: PatientWork[] = []
  #lastOther = Number.NEGATIVE_INFINITY
  #alarm: NodeJS.Timeout | undefined

  constructor(options: PatienceOptions) {
    this.#options = options
  }

  get count(): number {
    return this.#works.length
  }

  add(work: Omit<PatientWork, 'since'>): void {
    this.#works.push({ ...work, since: performance.now() })
  }

  take(): PatientWork | undefined {
    return this.#works.shift()
  }

  /** Call when other work comes or ends. */
  noteOther(): void {
    this.#lastOther = performance.now()
  }

  /** Whether the first takes turns with other work. */
  get isUrgent(): boolean {
    const [first] = this.#works
    return first !== undefined && (this.count >= this.#options.most || this.#untilUrgent(first) <= 0)
  }

  /** Whether the first may start because there is little else to do. */
  isIdle(running: number): boolean {
    return this.count > 0 && running < this.#options.beside && this.#untilQuiet() <= 0
  }

  /** Calls `look` when time alone lets the first start; replaces an earlier call. */
  callWhenDue(running: number, look: () => void): void {
    clearTimeout(this.#alarm)
    const [first] = this.#works
    if (!first) return
    const waits = [this.#untilUrgent(first), ...(running < this.#options.beside ? [this.#untilQuiet()] : [])]
    const next = Math.min(...waits.filter((wait) => wait > 0))
    if (Number.isFinite(next)) this.#alarm = setTimeout(look, Math.ceil(next)).unref()
  }

  #untilUrgent({ since }: PatientWork): number {
    return since + this.#options.maxMs - performance.now()
  }

  #untilQuiet(): number {
    return this.#lastOther + this.#options.quietMs - performance.now()
  }
}
