// Fetches what `testing/redis-programs.ts` knows of and this machine lacks: the server's package of a newer Debian with the
// libraries it needs, into a folder of node_modules. Nothing is installed and root is not needed; apt checks the signatures.
import { globSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fetchedFolder, findNewerRedis, type NewerRedis, newerRedis } from '../testing/redis-programs.ts'
import { run } from './run.ts'

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg'

async function fetchServer(wanted: NewerRedis): Promise<void> {
  const { program, debian } = wanted
  const folder = fetchedFolder(program, debian)
  await mkdir(dirname(folder), { recursive: true })
  // A place of its own, and moved when it is whole: two runs may fetch at once.
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

/** Leaves the package and all that it needs in `archives/`. */
async function download(own: string, program: string, debian: string): Promise<void> {
  const sources = join(own, 'sources.list')
  const status = join(own, 'status')
  for (const name of ['lists/partial', 'archives/partial']) await mkdir(join(own, name), { recursive: true })
  await writeFile(sources, `deb [signed-by=${KEYRING}] http://deb.debian.org/debian ${debian} main\n`)
  // To apt this is a machine on which nothing is installed, so that every library comes along, the C library too.
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
    // A mirror that stands still for weeks serves what it has; only releases that still change expire, and all are signed.
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
