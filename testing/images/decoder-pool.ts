import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DecodeOutcome } from '#server/images/decoder/decoder.ts'
import { DecoderPool, type PoolOptions } from '#server/images/decoder/pool.ts'
import type { UploadFormat } from '#server/images/format.ts'
import type { Turn } from '#server/turns/lanes.ts'

/** Shared by tests without special options, because starting its processes takes half a second of CPU. */
const shared = new DecoderPool()

/** A decoder, with its own processes if options are given, and the folder that it writes to. */
export async function makePool(options?: PoolOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-decoder-'))
  const pool = options ? new DecoderPool(options) : shared
  return {
    pool,
    folder,
    variant: (width: number) => join(folder, `w${width}.webp`),
    async decode(format: UploadFormat, bytes: Buffer, turn: Turn = { lane: ['owner'] }): Promise<DecodeOutcome> {
      const path = join(folder, crypto.randomUUID())
      await writeFile(path, bytes)
      return pool.decode({ path, format, folder }, turn)
    },
    async [Symbol.asyncDispose]() {
      if (pool !== shared) await pool.close()
      await rm(folder, { recursive: true })
    },
  }
}
