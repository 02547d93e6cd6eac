import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { translate } from '#messages/translate.ts'
import type { UploadAnswer } from '#server/images/uploading/upload-answer.ts'
import { everythingKept, read, sendUpload } from '../http/image-client.ts'
import type { Person, TestApp } from '../sluice/sluice-app.ts'
import type { BadFile } from './bad-files.ts'
import { tagsIn, telltale } from './exiftool.ts'
import { picture } from './pictures.ts'
import { problemOfStored } from './stored-bytes.ts'

export interface Trial {
  readonly file: Pick<BadFile, 'class' | 'format' | 'name'>
  readonly status: number
  readonly ms: number
  /** Whether the decoder's process was killed because of it. */
  readonly isTooCostly: boolean
  readonly problem: string | null
}

/** Uploads bad files to a server, as one account, and compares the outcomes with the expected ones. */
export class BadFileTrials {
  readonly #server: TestApp
  readonly #person: Person
  /** Stored files by their hash. */
  readonly #stored = new Map<string, Buffer>()

  constructor(server: TestApp, person: Person) {
    this.#server = server
    this.#person = person
  }

  async attempt(file: BadFile): Promise<Trial> {
    const start = performance.now()
    const answer = await sendUpload(this.#server, this.#person, file.bytes, { name: 'photo.png' })
    const text = await answer.text()
    const { status } = answer
    const trial = {
      file: { class: file.class, format: file.format, name: file.name },
      status,
      ms: performance.now() - start,
      isTooCostly: text.includes(translate('errors.too-costly')),
    }
    if (!file.expected.includes(status)) return { ...trial, problem: `answered ${status}: ${text.slice(0, 200)}` }
    if (status !== 200) return { ...trial, problem: null }
    const body: { result: { data: UploadAnswer } } = JSON.parse(text)
    return { ...trial, problem: await problemOfStored(file.bytes, await this.#read(body.result.data)) }
  }

  /** `concurrency` at a time, so that the pool's queue never refuses one. */
  async attemptAll(files: Iterable<BadFile>, concurrency = 3): Promise<Trial[]> {
    const trials: Trial[] = []
    const left = files[Symbol.iterator]()
    const worker = async () => {
      for (let next = left.next(); !next.done; next = left.next()) trials.push(await this.attempt(next.value))
    }
    await Promise.all(Array.from({ length: concurrency }, worker))
    return trials
  }

  /** Problems of the server after the trials: what it left behind, and whether it still accepts images. */
  async problemsBehind(): Promise<string[]> {
    const problems: string[] = []
    const alive = await this.attempt({
      class: '',
      format: 'jpeg',
      name: 'sound',
      bytes: await picture(),
      expected: [200],
    })
    if (alive.problem) problems.push(`a sound picture ${alive.problem}`)
    const kept = await everythingKept(this.#server)
    const originals = kept.objects.filter((key) => !key.includes('/'))
    const stored = [...this.#stored.keys()].sort()
    if (originals.join() !== stored.join()) problems.push(`${originals.length} objects of ${stored.length} images`)
    if (kept.images !== stored.length || kept.objectRows !== stored.length) {
      problems.push(`${kept.images} images and ${kept.objectRows} object rows of ${stored.length} taken files`)
    }
    if (kept.unfinished.length > 0) problems.push(`unfinished files: ${kept.unfinished.join(', ')}`)
    return [...problems, ...(await this.#telltales())]
  }

  async #read({ sha256, url }: UploadAnswer): Promise<Buffer> {
    const known = this.#stored.get(sha256)
    if (known) return known
    const answer = await read(url, this.#person)
    if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`)
    const bytes = Buffer.from(await answer.arrayBuffer())
    this.#stored.set(sha256, bytes)
    return bytes
  }

  async #telltales(): Promise<string[]> {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-stored-'))
    try {
      for (const [sha256, bytes] of this.#stored) await writeFile(join(folder, `${sha256}.bin`), bytes)
      const read = await tagsIn(folder)
      if (read.size !== this.#stored.size) return [`exiftool read ${read.size} of ${this.#stored.size} stored files`]
      const found = [...read].map(([name, tags]) => ({ name, tags: telltale(tags) }))
      return found.filter(({ tags }) => tags.length > 0).map(({ name, tags }) => `${name} has ${tags.join(', ')}`)
    } finally {
      await rm(folder, { recursive: true })
    }
  }
}
