import { chown, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { CannotStart } from '#server/cannot-start.ts'
import { refuseOthersData } from './others-file.ts'

test('root is refused on the data of another user, and nobody on their own', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'sluice-others-'))
  const uid = process.getuid?.() || 65_534
  if (process.getuid?.() === 0) await chown(folder.path, uid, uid)
  const getuid = vi.spyOn(process, 'getuid').mockReturnValue(0)
  await expect(refuseOthersData(folder.path)).rejects.toThrow(
    new CannotStart(`${folder.path} belongs to another user. Run this as that user, with sudo -u '#${uid}'.`),
  )
  getuid.mockReturnValue(uid)
  await expect(refuseOthersData(folder.path)).resolves.toBeUndefined()
  getuid.mockRestore()
})
