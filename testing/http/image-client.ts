import { randomInt } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { UploadAnswer } from '#server/images/uploading/upload-answer.ts'
import type { Person, TestApp } from '../sluice/sluice-app.ts'

export interface UploadOptions {
  readonly name?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends `bytes` as image.upload does, as `person`. */
export function sendUpload(
  test: TestApp,
  person: Person | null,
  bytes: Buffer,
  { name = 'photo.jpg', headers = {} }: UploadOptions = {},
): Promise<Response> {
  return fetch(`${test.origin}/api/trpc/image.upload`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/octet-stream',
      'x-file-name': encodeURIComponent(name),
      ...(person && { Cookie: person.cookie }),
      ...headers,
    },
    body: new Uint8Array(bytes),
  })
}

/** Uploads an image that must be accepted. */
export async function uploadAccepted(
  test: TestApp,
  person: Person,
  bytes: Buffer,
  options?: UploadOptions,
): Promise<UploadAnswer> {
  const answer = await sendUpload(test, person, bytes, options)
  const body: { result?: { data: UploadAnswer } } = JSON.parse(await answer.text())
  if (!body.result) throw new Error(`${answer.status}: ${JSON.stringify(body)}`)
  return body.result.data
}

/** The setting that lets `read` use a new address each time, so that no limit applies. */
export const behindProxy = { SLUICE_TRUSTED_PROXIES: '127.0.0.1' } as const

/** Reads an image's bytes as `person`, or as a guest. */
export function read(url: string, person?: Person | null, init: RequestInit = {}): Promise<Response> {
  const address = `198.18.${randomInt(256)}.${randomInt(256)}`
  const headers = { 'x-forwarded-for': address, ...(person && { cookie: person.cookie }) }
  return fetch(url, { ...init, headers: { ...headers, ...Object.fromEntries(new Headers(init.headers)) } })
}

/**
 * Everything stored of images once the late variants of earlier uploads are made: rows, objects, unfinished files.
 * Equal before and after an action that must leave nothing.
 */
export async function everythingKept({ app, dataDir }: TestApp) {
  await app.images.followed()
  const objects = await Array.fromAsync(app.images.store.list(''), ({ key }) => key)
  return {
    images: await app.db.image.count(),
    objectRows: await app.db.storedObject.count(),
    objects: objects.sort(),
    unfinished: (await Promise.all(['tmp', 'objects/tmp'].map((folder) => namesIn(join(dataDir, folder))))).flat(),
  }
}

/** A bucket has no local folder. */
const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
