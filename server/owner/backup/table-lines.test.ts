import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BackupFailed } from './format.ts'
import { readKeys } from './table-lines.ts'

test.each(['no JSON', '{}', '["x","[]"]', `["${'a'.repeat(64)}","no JSON"]`, `["${'a'.repeat(64)}",null]`])(
  'rejects an invalid row of StoredObject: %s',
  async (line) => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'sluice-lines-'))
    const path = join(folder.path, 'rows')
    writeFileSync(path, `${line}\n`)
    const keys = Array.fromAsync(readKeys(path, { columns: ['sha256', 'variants'] }))
    await expect(keys).rejects.toThrow(new BackupFailed('A row of StoredObject is malformed.'))
  },
)
