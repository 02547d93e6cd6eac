import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * The commit of the version before this one, which is upgraded from without a stop: the last release's tag, once there is one. Until
 * then the last commit of 24 November 2026, before identity, mail and scheduled backups changed the database. Move it with each release.
 * It runs on this version's packages, so it must not need one that has been removed since.
 */
const VERSION_BEFORE = '2d52a0110f66032ca0230a7778d19218dcb01956'

const ROOT = join(import.meta.dirname, '../..')
/** A folder in which that version is built already, for whoever runs the test again and again. */
const { TEST_VERSION_BEFORE } = process.env
const run = promisify(execFile)

/** Another version of Sluice, built. */
export interface OtherVersion extends AsyncDisposable {
  readonly folder: string
}

/** Builds the version before in a temporary folder, which takes minutes. */
export async function buildVersionBefore(): Promise<OtherVersion> {
  if (TEST_VERSION_BEFORE) return { folder: TEST_VERSION_BEFORE, [Symbol.asyncDispose]: async () => undefined }
  const folder = await mkdtemp(join(tmpdir(), 'sluice-before-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    await run('sh', ['-c', `git archive ${VERSION_BEFORE} | tar x -C "$0"`, folder], { cwd: ROOT })
    await copyPackages(folder)
    await run(process.execPath, ['--disable-warning=ExperimentalWarning', 'server/build.ts'], { cwd: folder })
  } catch (error) {
    await remove()
    throw error
  }
  return { folder, [Symbol.asyncDispose]: remove }
}

/** Next does not follow links out of its folder. Hard links take no room, but work within one disk only. */
async function copyPackages(folder: string): Promise<void> {
  const from = join(ROOT, 'node_modules')
  const names = (await readdir(from)).filter((name) => name !== '.cache').map((name) => join(from, name))
  const to = join(folder, 'node_modules')
  await run('mkdir', [to])
  await run('cp', ['-al', ...names, to]).catch(() => run('cp', ['-a', '--remove-destination', ...names, to]))
}
