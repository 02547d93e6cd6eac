// Fetches the programs in `testing/servers/redis-programs.ts` that this machine lacks: the server's package from a newer Debian, with the
// libraries it needs, into a folder of node_modules. Installs nothing and needs no root. apt verifies the signatures.
import { globSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fetchedFolder, findNewerRedis, type NewerRedis, newerRedis } from '../testing/servers/redis-programs.ts'
import { run } from './run.ts'

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg'

async function fetchServer(wanted: NewerRedis): Promise<void> {
  const { program, debian } = wanted
  const folder = fetchedFolder(program, debian)
  await mkdir(dirname(folder), { recursive: true })
  // Built in a temporary folder and moved when complete, because two runs may fetch concurrently.
  const own = await mkdtemp(`${folder}-`)
  try {
    await download(own, program, debian)
    await mkdir(join(own, 'root'))
    for (const archive of globSync(join(own, 'archives/*.deb')))
      await must(['dpkg-deb', '-x', archive, join(own, 'root')])
    await rename(join(own, 'root'), folder).catch((error: unknown) => {
      if (findNewerRedis(wanted).command === null) throw error
    })
  } finally {
    await rm(own, { recursive: true, force: true })
  }
}

/** Downloads the package and all its dependencies to `archives/`. */
async function download(own: string, program: string, debian: string): Promise<void> {
  const sources = join(own, 'sources.list')
  const status = join(own, 'status')
  for (const name of ['lists/partial', 'archives/partial']) await mkdir(join(own, name), { recursive: true })
  await writeFile(sources, `deb [signed-by=${KEYRING}] http://deb.debian.org/debian ${debian} main\n`)
  // For apt nothing is installed on this machine, so that it downloads every library, including the C library.
  await writeFile(status, '')
  const settings = {
    'Dir::Etc::SourceList': sources,
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::Etc::Preferences': '/dev/null',
    'Dir::Etc::PreferencesParts': '/dev/null',
    'Dir::State': own,
    'Dir::State::status': status,
    'Dir::Cache': own,
    'APT::Default-Release': debian,
    'APT::Install-Recommends': 'false',
    'APT::Sandbox::User': 'root',
    // Accept a mirror that has not been updated for weeks. Only releases that still change expire, and all are signed.
    'Acquire::Check-Valid-Until': 'false',
    'Acquire::Languages': 'none',
    'Acquire::Retries': '3',
  }
  const apt = ['apt-get', '-qq', ...Object.entries(settings).map(([name, value]) => `--option=${name}=${value}`)]
  await must([...apt, 'update'])
  await must([...apt, '--yes', '--download-only', 'install', program])
}

async function must(command: readonly string[]): Promise<void> {
  if (!(await run(command))) throw new Error(`\`${command.join(' ')}\` failed`)
}

for (const wanted of newerRedis) {
  if (findNewerRedis(wanted).command !== null) continue
  console.log(`fetching ${wanted.name} of Debian ${wanted.debian}`)
  await fetchServer(wanted)
}
