import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, rmdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { thumbHashToRGBA } from 'thumbhash'
import { describe, expect, test } from 'vitest'
import type { Format } from '#server/images/format.ts'
import { animatedPng } from '#testing/images/animated-png.ts'
import { makePool } from '#testing/images/decoder-pool.ts'
import { animation, flatPng, makePng, manyFramesGif, picture } from '#testing/images/pictures.ts'
import type { DecodeOutcome } from './decoder.ts'
import type { DecoderPool, PoolOptions } from './pool.ts'

/** A pool whose processes run `source` instead of the decoder. */
async function makeBrokenPool(source: string, options: PoolOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-broken-'))
  const program = join(folder, 'child.mjs')
  await writeFile(program, source)
  const made = await makePool({ ...options, program })
  return {
    ...made,
    async [Symbol.asyncDispose]() {
      await made[Symbol.asyncDispose]()
      await rm(folder, { recursive: true })
    },
  }
}

const still = (...widths: number[]) => widths.map((width) => ({ width, frames: 1 }))

describe('good files', () => {
  test.each<Format>(['jpeg', 'png', 'gif', 'webp', 'avif'])(
    'decodes a %s to its size and three variants',
    async (format) => {
      await using made = await makePool()
      const outcome = await made.decode(format, await picture({ format, width: 2000, height: 1000 }))
      expect(outcome).toMatchObject({ outcome: 'decoded', width: 2000, height: 1000, frames: 1, removed: [] })
      expect(outcome).toMatchObject({ variants: still(400, 800, 1600) })
      for (const width of [400, 800, 1600]) {
        const metadata = await sharp(made.variant(width)).metadata()
        expect(metadata).toMatchObject({ format: 'webp', width, height: width / 2 })
      }
    },
  )

  test.each([
    [120, 90, [400]],
    [400, 300, [400]],
    [401, 300, [400, 800]],
    [1600, 900, [400, 800, 1600]],
    [10, 2_000, [400, 800]],
  ])('does not enlarge %d x %d, and makes each size once', async (width, height, widths) => {
    await using made = await makePool()
    const bytes = await picture({ format: 'png', width, height })
    expect(await made.decode('png', bytes)).toMatchObject({ width, height, variants: still(...widths) })
    const last = await sharp(made.variant(widths.at(-1) ?? 0)).metadata()
    expect(last).toMatchObject({ width, height })
  })

  test('leaves out a variant with no fewer bytes than the image', async () => {
    await using made = await makePool()
    expect(await made.decode('png', flatPng(300, 300))).toMatchObject({ outcome: 'decoded', variants: [] })
    expect(await readdir(made.folder)).not.toContain('w400.webp')
  })

  test('keeps pixels and orientation in the clean file, and makes upright variants without metadata', async () => {
    await using made = await makePool()
    const bytes = await picture({ width: 200, height: 100, orientation: 6 })
    expect(await made.decode('jpeg', bytes)).toMatchObject({ outcome: 'decoded', width: 100, height: 200 })
    const raw = (image: Buffer | string) => sharp(image).autoOrient().raw().toBuffer()
    expect((await raw(join(made.folder, 'clean'))).equals(await raw(bytes))).toBe(true)
    const { width, height, orientation, exif, icc, xmp } = await sharp(made.variant(400)).metadata()
    expect({ width, height, orientation, exif, icc, xmp }).toEqual({ width: 100, height: 200 })
  })

  test('reports what is left out', async () => {
    await using made = await makePool()
    const bytes = await sharp(await picture())
      .withExif({ IFD0: { Artist: 'Somebody' } })
      .jpeg()
      .toBuffer()
    expect(await made.decode('jpeg', bytes)).toMatchObject({ outcome: 'decoded', removed: ['exif'] })
  })

  test.each<Format>(['jpeg', 'png', 'gif', 'webp', 'avif'])('the placeholder of a red %s is red', async (format) => {
    await using made = await makePool()
    const red = sharp({ create: { width: 90, height: 60, channels: 3, background: '#f00' } })
    const outcome = await made.decode(format, await red.toFormat(format).toBuffer())
    const placeholder = outcome.outcome === 'decoded' ? outcome.placeholder : ''
    const [r = 0, g = 255, b = 255] = thumbHashToRGBA(Buffer.from(placeholder, 'base64')).rgba
    expect(r > 200 && g < 60 && b < 60).toBe(true)
  })

  test.each([
    ['grey', (image: Sharp) => image.toColourspace('b-w').png()],
    ['grey and clear', (image: Sharp) => image.toColourspace('b-w').ensureAlpha(0.5).png()],
    ['16 bits deep', (image: Sharp) => image.toColourspace('rgb16').png()],
    ['of a palette', (image: Sharp) => image.png({ palette: true })],
  ])('makes variants and a placeholder of a picture that is %s', async (_, make) => {
    await using made = await makePool()
    const bytes = await make(sharp(await picture())).toBuffer()
    expect(await made.decode('png', bytes)).toMatchObject({ outcome: 'decoded', width: 640, height: 480 })
    expect(await sharp(made.variant(400)).metadata()).toMatchObject({ width: 400, height: 300 })
  })

  test('renders CMYK with the right colours', async () => {
    await using made = await makePool()
    const red = sharp({ create: { width: 900, height: 60, channels: 3, background: '#f00' } })
    const bytes = await red.toColourspace('cmyk').jpeg().toBuffer()
    expect((await sharp(bytes).metadata()).channels).toBe(4)
    expect(await made.decode('jpeg', bytes)).toMatchObject({ outcome: 'decoded' })
    const [r = 0, g = 255, b = 255] = await sharp(made.variant(400)).raw().toBuffer()
    expect(r > 200 && g < 60 && b < 60).toBe(true)
  })

  test.each(['gif', 'webp'] as const)('keeps an animated %s animated, with the size of a frame', async (format) => {
    await using made = await makePool()
    const outcome = await made.decode(format, await animation(format, { frames: 5, width: 500, height: 80 }))
    const variants = [400, 800].map((width) => ({ width, frames: 5 }))
    expect(outcome).toMatchObject({ outcome: 'decoded', width: 500, height: 80, frames: 5, variants })
    const small = await sharp(made.variant(400), { animated: true }).metadata()
    expect(small).toMatchObject({ width: 400, pages: 5, pageHeight: 64, delay: [80, 80, 80, 80, 80] })
  })

  test.each([1, 3])(
    'draws the canvas of browsers for a GIF of %i frames whose screen is a monitor’s',
    async (frames) => {
      await using made = await makePool()
      const bytes = await animation('gif', { frames, width: 500, height: 300 })
      bytes.writeUInt16LE(640, 6)
      bytes.writeUInt16LE(480, 8)
      expect(await made.decode('gif', bytes)).toMatchObject({ outcome: 'decoded', width: 640, height: 480, frames })
      const small = await sharp(made.variant(400), { animated: true }).metadata()
      expect(small).toMatchObject({ width: 400, height: 300 * frames, ...(frames > 1 && { delay: [80, 80, 80] }) })
      const { data } = await sharp(made.variant(400)).raw().toBuffer({ resolveWithObject: true })
      expect([data[3], data.at(-1)]).toEqual([255, 0])
    },
  )

  test('keeps the frames, timing and loops of an animated PNG', async () => {
    await using made = await makePool()
    const bytes = await animatedPng(['#f00', '#0f0', '#00f'], { delayMs: 70, loop: 2 })
    const outcome = await made.decode('png', bytes)
    const variants = [400, 800, 1600].map((width) => ({ width, frames: 3 }))
    expect(outcome).toMatchObject({ outcome: 'decoded', width: 900, height: 60, frames: 3, variants })
    const small = sharp(made.variant(400), { animated: true })
    expect(await small.metadata()).toMatchObject({ width: 400, pages: 3, pageHeight: 27, delay: [70, 70, 70], loop: 2 })
    const pixels = await small.removeAlpha().raw().toBuffer()
    const strongest = [0, 1, 2].map((frame) => {
      const pixel = [...pixels.subarray(frame * 400 * 27 * 3).subarray(0, 3)]
      return pixel.indexOf(Math.max(...pixel))
    })
    expect(strongest).toEqual([0, 1, 2])
  })

  test('animates only the small sizes of an animation too long for all of them', async () => {
    await using made = await makePool()
    const first = await picture({ format: 'gif', width: 900, height: 600 })
    const bytes = Buffer.concat([first.subarray(0, -1), manyFramesGif(49).subarray(19)])
    const variants = [
      { width: 400, frames: 50 },
      { width: 800, frames: 50 },
      { width: 1600, frames: 1 },
    ]
    expect(await made.decode('gif', bytes)).toMatchObject({ outcome: 'decoded', frames: 50, variants })
    expect((await sharp(made.variant(1600), { animated: true }).metadata()).pages ?? 1).toBe(1)
  })

  test('makes variants of a very tall picture that WebP can hold', async () => {
    await using made = await makePool()
    const outcome = await made.decode('png', await picture({ format: 'png', width: 8, height: 60_000 }))
    expect(outcome).toMatchObject({ outcome: 'decoded', width: 8, height: 60_000, variants: still(400, 800, 1600) })
    expect(await sharp(made.variant(1600)).metadata()).toMatchObject({ height: 16_000 })
  })
})

describe('bad files', () => {
  test.each<Format>(['jpeg', 'png', 'gif', 'webp', 'avif'])(
    'finds a %s undecodable when cut anywhere',
    async (format) => {
      await using made = await makePool()
      const bytes = await picture({ format, width: 300, height: 200 })
      for (const length of [SIGNATURE, 40, bytes.length >> 1, bytes.length - 12, bytes.length - 1]) {
        expect(await made.decode(format, bytes.subarray(0, length))).toEqual({ outcome: 'undecodable' })
      }
    },
  )

  test.each(['gif', 'webp'] as const)('finds a cut animated %s undecodable', async (format) => {
    await using made = await makePool()
    const bytes = await animation(format)
    for (const length of [bytes.length >> 1, bytes.length - 1]) {
      expect(await made.decode(format, bytes.subarray(0, length))).toEqual({ outcome: 'undecodable' })
    }
  })

  test('finds a wrong checksum or a wrong size undecodable', async () => {
    await using made = await makePool()
    const damaged = await picture({ format: 'png', width: 60, height: 60 })
    const at = damaged.indexOf('IDAT') + 40
    damaged[at] = (damaged[at] ?? 0) ^ 0xff
    expect(await made.decode('png', damaged)).toEqual({ outcome: 'undecodable' })
    const stretched = await picture({ width: 60, height: 60 })
    stretched.writeUInt16BE(6_000, stretched.indexOf(Buffer.from([0xff, 0xc0])) + 5)
    expect(await made.decode('jpeg', stretched)).toEqual({ outcome: 'undecodable' })
  })

  test('finds one format under the signature of another undecodable', async () => {
    await using made = await makePool()
    expect(await made.decode('png', await picture({ format: 'jpeg' }))).toEqual({ outcome: 'undecodable' })
  })

  test('loads no other formats', async () => {
    await using made = await makePool()
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    const tiff = await sharp(await picture({ width: 9, height: 9 }))
      .tiff()
      .toBuffer()
    for (const bytes of [svg, tiff]) {
      expect(await made.decode('png', bytes)).toEqual({ outcome: 'undecodable' })
    }
  })

  test('refuses a pixel bomb by its header, without the rest of the file', async () => {
    await using made = await makePool()
    const bomb = flatPng(30_000, 30_000)
    expect(bomb.length).toBeLessThan(200_000)
    expect(await made.decode('png', bomb)).toEqual({ outcome: 'too-many-pixels' })
    const header = bomb.subarray(16, 29)
    expect(
      await made.decode(
        'png',
        makePng([
          ['IHDR', header],
          ['IDAT', Buffer.from('x')],
        ]),
      ),
    ).toEqual({
      outcome: 'too-many-pixels',
    })
  })

  test('counts frames and the sum of their pixels', async () => {
    await using made = await makePool()
    expect(await made.decode('gif', manyFramesGif(1_000))).toMatchObject({ outcome: 'decoded', frames: 1_000 })
    expect(await made.decode('gif', manyFramesGif(1_001))).toEqual({ outcome: 'too-many-pixels' })
    const wide = manyFramesGif(63)
    wide.writeUInt16LE(2_000, 6)
    wide.writeUInt16LE(2_000, 8)
    expect(await made.decode('gif', wide)).toEqual({ outcome: 'too-many-pixels' })
  })
})

const SIGNATURE = 16
/** A child that starts, takes a job and then runs `source`. */
const taking = (source: string) =>
  `process.send({ outcome: "ready" }); process.on("message", () => { process.send({ outcome: "taken" }); ${source} })`
const silent = taking('')
const dying = taking('process.kill(process.pid, "SIGSEGV")')
const invalid = taking('process.send({ outcome: "decoded" })')
const content =
  'format: "jpeg", width: process.pid, height: 1, frames: 1, variants: [], placeholder: "", removed: [], photo: { takenAt: null, camera: null }'
const decoded = `{ outcome: "decoded", ${content} }`
const reportingPid = taking(`process.send(${decoded})`)

describe('a process that misbehaves', () => {
  test.each([
    ['hangs', silent],
    ['crashes', dying],
    ['sends an invalid message', invalid],
  ])('costs only its own file when it %s, and the next file gets another process', async (_, source) => {
    await using made = await makeBrokenPool(source, { deadlineMs: 300 })
    expect(await made.decode('jpeg', Buffer.from('x'))).toEqual({ outcome: 'too-costly' })
    expect(await made.decode('jpeg', Buffer.from('y'))).toEqual({ outcome: 'too-costly' })
    expect(made.pool.jobs).toBe(2)
  })

  test('blames this machine and no image when it cannot write', async () => {
    await using made = await makePool()
    await mkdir(made.variant(400))
    await expect(made.decode('jpeg', await picture())).rejects.toThrow('image decoder failed: EISDIR')
    await rmdir(made.variant(400))
    expect(await made.decode('jpeg', await picture())).toMatchObject({ outcome: 'decoded' })
  })

  test('ends itself when it exceeds its memory', async () => {
    await using made = await makePool({ maxMemory: 1 })
    expect(await made.decode('gif', await animation('gif', { frames: 60 }))).toEqual({ outcome: 'too-costly' })
  })

  test('ends when its server is killed', async () => {
    const child = JSON.stringify(join(import.meta.dirname, 'child.ts'))
    const stdio = "['ignore', 'inherit', 'ignore', 'ipc']"
    const source = `import { fork } from 'node:child_process'
      fork(${child}, ['1e9'], { execArgv: [], stdio: ${stdio} }).once('message', () => console.log('ready'))`
    const options = ['--input-type=module', '--eval', source]
    const server = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'ignore'] })
    await once(server.stdout, 'data')
    server.kill('SIGKILL')
    // Both processes hold the pipe, which closes with the last of them.
    await once(server.stdout, 'end')
  })

  test("is our fault, and no image's, when it cannot start", async () => {
    await using made = await makeBrokenPool('process.exit(1)')
    await expect(made.decode('jpeg', Buffer.from('x'))).rejects.toThrow('image decoder did not start')
  })

  test('is replaced after dying while idle, and its next file is still decoded', async () => {
    await using made = await makeBrokenPool(reportingPid, { size: 1 })
    const readPid = (outcome: DecodeOutcome) => (outcome.outcome === 'decoded' ? outcome.width : undefined)
    const job = { path: 'x', format: 'jpeg', folder: 'x' } as const
    const first = readPid(await made.pool.decode(job, { lane: ['owner'] }))
    if (first === undefined) return expect.unreachable()
    process.kill(first, 'SIGKILL')
    const second = readPid(await made.pool.decode(job, { lane: ['owner'] }))
    expect(second).toBeGreaterThan(0)
    expect(second).not.toBe(first)
  })

  test('fails a file when two processes in a row die before taking it', async () => {
    await using made = await makeBrokenPool('process.send({ outcome: "ready" }); process.on("message", process.exit)')
    expect(await made.decode('jpeg', Buffer.from('x'))).toEqual({ outcome: 'too-costly' })
    expect(made.pool.jobs).toBe(2)
  })

  test('is replaced after its number of jobs', async () => {
    await using made = await makeBrokenPool(reportingPid, { jobsPerProcess: 2, size: 1 })
    const pids: unknown[] = []
    for (let job = 0; job < 4; job += 1) {
      const outcome = await made.decode('jpeg', Buffer.from('x'))
      pids.push(outcome.outcome === 'decoded' ? outcome.width : null)
    }
    expect(pids[0]).toBe(pids[1])
    expect(pids[2]).toBe(pids[3])
    expect(pids[0]).not.toBe(pids[2])
  })
})

describe('an owner who fills the decoders with slow files', () => {
  const hangsIfSlow = `process.send({ outcome: "ready" }); process.on("message", ({ path }) => {
    process.send({ outcome: "taken" }); if (path !== "slow") process.send(${decoded}) })`
  const fill = (pool: DecoderPool, files: number) =>
    Array.from({ length: files }, () =>
      pool.decode({ path: 'slow', format: 'jpeg', folder: 'x' }, { lane: ['one', 'address'] }),
    )
  const quick = { path: 'quick', format: 'jpeg', folder: 'x' } as const

  test('delays nobody else: another’s file is decoded while all of theirs hang', async () => {
    await using made = await makeBrokenPool(hangsIfSlow)
    const slow = fill(made.pool, 27)
    await expect.poll(() => made.pool.jobs).toBe(2)
    const others = ['two', 'three', 'four'].map((owner) => made.pool.decode(quick, { lane: [owner, 'address'] }))
    expect(await Promise.all(others)).toMatchObject(Array(3).fill({ outcome: 'decoded' }))
    expect(made.pool.jobs).toBe(5)
    await made.pool.close()
    expect(await Promise.all(slow)).toEqual(Array(27).fill({ outcome: 'busy' }))
  })

  test('is refused their own newest file when the queue is full, and nobody else is', async () => {
    await using made = await makeBrokenPool(hangsIfSlow, { queue: 25 })
    const slow = fill(made.pool, 27)
    await expect.poll(() => made.pool.jobs).toBe(2)
    // The third process is taken too, so that the next file has to wait.
    const third = made.pool.decode({ ...quick, path: 'slow' }, { lane: ['two', 'address'] })
    const waiting = made.pool.decode(quick, { lane: ['three', 'address'] })
    expect(await slow.at(-1)).toEqual({ outcome: 'busy' })
    const gone = new AbortController()
    const left = made.pool.decode(quick, { lane: ['three', 'address'], signal: gone.signal })
    gone.abort()
    expect(await left).toEqual({ outcome: 'busy' })
    await expect.poll(() => made.pool.jobs).toBe(3)
    await made.pool.close()
    expect(await Promise.all([third, waiting])).toEqual([{ outcome: 'busy' }, { outcome: 'busy' }])
  })
})

test('refuses files when the queue is full, and ends processes and waiting jobs when closed', async () => {
  await using made = await makeBrokenPool(silent, { size: 1, queue: 1 })
  const working = made.decode('jpeg', Buffer.from('x'))
  await expect.poll(() => made.pool.jobs).toBe(1)
  const waiting = made.decode('jpeg', Buffer.from('y'))
  await expect.poll(async () => (await readdir(made.folder)).length).toBe(2)
  expect(await made.decode('jpeg', Buffer.from('z'))).toEqual({ outcome: 'busy' })
  await made.pool.close()
  expect(await working).toEqual({ outcome: 'busy' })
  expect(await waiting).toEqual({ outcome: 'busy' })
  expect(await made.decode('jpeg', Buffer.from('x'))).toEqual({ outcome: 'busy' })
})
