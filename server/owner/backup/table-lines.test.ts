import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BackupFailed } from './format.ts'
import { keysIn } from './table-lines.ts'

test.each(['no JSON', '{}', '["x","[]"]', `["${'a'.repeat(64)}","no JSON"]`, `["${'a'.repeat(64)}",null]`])(
  'a row of StoredObject that names no objects is said so: %s',
  async (line) => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'sluice-lines-'))
    const path = join(folder.path, 'rows')
    writeFileSync(path, `${line}\n`)
    const keys = Array.fromAsync(keysIn(path, { columns: ['sha256', 'variants'] }))
    await expect(keys).rejects.toThrow(new BackupFailed('A row of StoredObject names no objects.'))
  },
)
