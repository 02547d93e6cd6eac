import { MultiBar, type SingleBar } from 'cli-progress'
import { formatBytes } from '#format/bytes.ts'
import { type Io, print, printable, say } from '../command.ts'
import type { FileProgress, Progress } from './progress.ts'
import { waitLine } from './progress.ts'

const NAME_WIDTH = 32
const ALL = ' {bar} {done}/{files} files, {moved} of {size}{wait}'
const ONE = ' {bar} {percentage}% {name}'

/** A bar for everything, and one for each file under way. */
export class Bars implements Progress {
  readonly #io: Io
  readonly #bars: MultiBar
  #all: SingleBar | null = null
  #files = 0
  #done = 0
  #bytes = 0
  #moved = 0
  #waitsUntil = 0
  #why = ''
  #clock: NodeJS.Timeout | undefined
  /** Where both streams are one terminal, addresses come below the bars when those are gone. */
  readonly #held: string[] = []

  constructor(io: Io) {
    this.#io = io
    const barsize = 24
    this.#bars = new MultiBar({
      stream: io.stderr,
      format: ALL,
      barsize,
      hideCursor: true,
      clearOnComplete: true,
      stopOnComplete: false,
      gracefulExit: false,
    })
  }

  expect(bytes: number): void {
    this.#files += 1
    this.#bytes += bytes
    this.#draw()
  }

  begin(name: string, bytes: number): FileProgress {
    const bar = this.#bars.create(Math.max(1, bytes), 0, { name: shortened(name) }, { format: ONE })
    let moved = 0
    const add = (more: number) => {
      moved += more
      this.#moved += more
    }
    return {
      moved: (more) => {
        add(more)
        bar.update(moved)
        this.#draw()
      },
      end: (isOver) => {
        add(isOver ? bytes - moved : -moved)
        if (isOver) this.#done += 1
        this.#bars.remove(bar)
        this.#draw()
      },
    }
  }

  wait(waitMs: number, why: string): void {
    this.#waitsUntil = performance.now() + waitMs
    this.#why = printable(why)
    clearInterval(this.#clock)
    this.#clock = setInterval(() => this.#draw(), 500).unref()
    this.#draw()
  }

  say(line: string): void {
    if (this.#all) this.#bars.log(`${printable(line)}\n`)
    else say(this.#io, line)
  }

  print(line: string): void {
    if (this.#io.stdout.isTTY) this.#held.push(line)
    else print(this.#io, line)
  }

  end(): void {
    clearInterval(this.#clock)
    if (this.#all) {
      // What was said last is written with the next drawing.
      this.#bars.update()
      this.#bars.stop()
      this.#all = null
    }
    for (const line of this.#held.splice(0)) print(this.#io, line)
  }

  #draw(): void {
    const left = this.#waitsUntil - performance.now()
    if (left <= 0) clearInterval(this.#clock)
    const wait = left > 0 ? `; ${waitLine(left, this.#why)}` : ''
    const payload = {
      done: this.#done,
      files: this.#files,
      moved: formatBytes(this.#moved),
      size: formatBytes(this.#bytes),
      wait,
    }
    this.#all ??= this.#bars.create(1, 0, payload)
    this.#all.setTotal(Math.max(1, this.#bytes))
    this.#all.update(this.#moved, payload)
  }
}

const shortened = (name: string): string =>
  printable(name.length > NAME_WIDTH ? `…${name.slice(1 - NAME_WIDTH)}` : name)
