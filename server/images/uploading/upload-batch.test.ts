import { expect, test } from 'vitest'
import { everythingKept, sendUpload } from '#testing/http/image-client.ts'
import { picture } from '#testing/images/pictures.ts'
import { startApp } from '#testing/sluice/sluice-app.ts'

test('twenty concurrent files have an answer each: two are refused, and the others are stored', async () => {
  await using served = await startApp()
  const owner = await served.person({ role: 'superadmin' })
  const files = await Promise.all(
    Array.from({ length: 20 }, (_, seed) => picture({ format: 'png', width: 64, height: 48, seed })),
  )
  files[3] = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
  files[17] = (files[17] ?? Buffer.alloc(0)).subarray(0, 900)
  const answers = await Promise.all(files.map((bytes) => sendUpload(served, owner, bytes)))
  const expected = files.map((_, at) => (at === 3 ? 415 : at === 17 ? 422 : 200))
  expect(answers.map(({ status }) => status)).toEqual(expected)
  expect(await everythingKept(served)).toMatchObject({ images: 18, objectRows: 18, unfinished: [] })
})
