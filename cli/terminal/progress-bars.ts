import { MultiBar, type SingleBar } from 'cli-progress'
import { translate } from '#messages/translate.ts'
import { type Io, print, printable, say } from '../command.ts'
import type { FileProgress, Progress } from './progress.ts'
import { waitLine } from './progress.ts'

const NAME_WIDTH = 32
const ALL = ' {bar} {text}'
const ONE = ' {bar} {percentage}% {name}'

/** A bar for the total, and one for each file in progress. */
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
  /** Where both streams are one terminal, addresses are printed after the bars are removed. */
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
      // The last line is written with the next update.
      this.#bars.update()
      this.#bars.stop()
      this.#all = null
    }
    for (const line of this.#held.splice(0)) print(this.#io, line)
  }

  #draw(): void {
    const left = this.#waitsUntil - performance.now()
    if (left <= 0) clearInterval(this.#clock)
    const progress = translate('cli.progress.files', {
      done: this.#done,
      files: this.#files,
      moved: { bytes: this.#moved },
      size: { bytes: this.#bytes },
    })
    const waiting = waitLine(left, this.#why)
    const text = left > 0 ? translate('cli.progress.waiting', { progress, waiting }) : progress
    this.#all ??= this.#bars.create(1, 0, { text })
    this.#all.setTotal(Math.max(1, this.#bytes))
    this.#all.update(this.#moved, { text })
  }
}

const shortened = (name: string): string =>
  printable(name.length > NAME_WIDTH ? `…${name.slice(1 - NAME_WIDTH)}` : name)
