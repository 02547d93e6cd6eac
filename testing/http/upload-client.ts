import { expect } from 'vitest'
import type { Scope } from '#server/accounts/viewer.ts'
import { insertToken } from '../accounts/api-token.ts'
import { picture } from '../images/pictures.ts'
import { type Person, startApp, type TestApp } from '../sluice/sluice-app.ts'
import { type RawAnswer, sendRaw } from './raw-http.ts'

/** A server for tests of upload clients. */
export interface UploadScene extends AsyncDisposable {
  readonly test: TestApp
  readonly png: Buffer
  readonly jpeg: Buffer
  readonly host: string
  /** Creates a user with a token for a client. */
  client(scopes?: readonly Scope[]): Promise<{ readonly person: Person; readonly token: string }>
  /** Sends the lines of a head and a body unchanged, and adds the body's length. */
  send(lines: readonly string[], body: Buffer): Promise<RawAnswer>
  /** All images of `person`, the oldest first. */
  listImages(person: Person): Promise<{ id: string; filename: string; visibility: string; trashedAt: Date | null }[]>
  /** Asserts that a URL is absolute and returns an image to anyone. */
  expectPicture(url: unknown): Promise<void>
}

/** Starts the server. */
export async function openUploadScene(): Promise<UploadScene> {
  const test = await startApp()
  const { origin } = test.app.config
  return {
    test,
    png: await picture({ format: 'png', width: 64, height: 48, seed: 1 }),
    jpeg: await picture({ width: 64, height: 48, seed: 2 }),
    host: new URL(test.origin).host,
    client: async (scopes = ['upload']) => {
      const person = await test.person()
      const { token } = await insertToken(test, person, scopes)
      return { person, token }
    },
    send: (lines, body) =>
      sendRaw(test.origin, [...lines, `Content-Length: ${body.length}`, '', ''].join('\r\n'), body),
    listImages: (person) =>
      test.app.db.image.findMany({
        where: { ownerId: person.viewer.userId },
        select: { id: true, filename: true, visibility: true, trashedAt: true },
        orderBy: { createdAt: 'asc' },
      }),
    expectPicture: async (url) => {
      expect(String(url).startsWith(`${origin}/i/`)).toBe(true)
      const answer = await fetch(String(url))
      expect([answer.status, answer.headers.get('content-type')?.split('/')[0]]).toEqual([200, 'image'])
      await answer.arrayBuffer()
    },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  }
}

/** Returns the value at a path in a response, as clients write it: `data.url`, `files.0.url`, or an array of keys. */
export function at(answer: RawAnswer, path: string | readonly (string | number)[]): unknown {
  let found: unknown = JSON.parse(answer.body)
  for (const key of typeof path === 'string' ? path.split('.') : path) found = Reflect.get(Object(found), key)
  return found
}
