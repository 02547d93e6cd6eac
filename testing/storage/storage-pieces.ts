import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PrismaClient } from '#server/database/database.ts'
import { type SweepReport, sweep } from '#server/images/maintenance/sweep.ts'
import { hashFile } from '#server/images/storing/hash-file.ts'
import type { VerifiedFile } from '#server/images/storing/verified-file.ts'
import type { ObjectStore } from '#server/storage/object-store.ts'

/** Runs a sweep without a minimum age, and throws what it would log. */
export async function sweepAll(db: PrismaClient, store: ObjectStore): Promise<SweepReport> {
  const errors: object[] = []
  const log = { error: (details: object) => errors.push(details) }
  const report = await sweep({ db, store, temp: { removeOlder: async () => 0 }, log }, new Date(Date.now() + 60_000))
  if (errors.length > 0) throw new Error('the sweep failed', { cause: errors[0] })
  return report
}

/** A user without a password; without a quota unless one is given. */
export async function makeOwner(db: PrismaClient, quotaBytes: number | null = null): Promise<string> {
  const username = randomBytes(8).toString('hex')
  const data = { username, usernameKey: username, passwordHash: '', quotaBytes }
  return (await db.user.create({ data, select: { id: true } })).id
}

/** Expires all holds and claims. */
export async function lapseAll(db: PrismaClient): Promise<void> {
  const past = new Date(Date.now() - 60_000)
  await db.storedObject.updateMany({ where: { heldUntil: { not: null } }, data: { heldUntil: past } })
  await db.storedObject.updateMany({ where: { removingUntil: { not: null } }, data: { removingUntil: past } })
}

/** Creates a verified file of random bytes in `folder`, as an upload does in its temp folder. */
export async function makeFile(folder: string): Promise<VerifiedFile> {
  const write = async (size: number) => {
    const path = join(folder, randomBytes(8).toString('hex'))
    await writeFile(path, randomBytes(size))
    return hashFile(path)
  }
  const variants = [
    { width: 400, frames: 1, ...(await write(500)) },
    { width: 1600, frames: 1, ...(await write(2_000)) },
  ] as const
  const original = await write(5_000)
  return {
    original,
    uploadSha256: null,
    photo: { takenAt: null, camera: null },
    variants,
    format: 'png',
    width: 10,
    height: 10,
    frames: 1,
    placeholder: 'AAAA',
    reserved: 0,
  }
}
