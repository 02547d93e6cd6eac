/** What each algorithm admits of the same traffic, and the memory it needs: draws docs/limits/admissions.png and prints the tables
 *  of docs/limits.md, from real runs of the limiter. `npm run demo:limits`, with redis-server installed. */
import { join } from 'node:path'
import sharp from 'sharp'
import { measureAccuracy } from './admission/accuracy.ts'
import { measureMemory } from './admission/memory.ts'
import { plotAdmissions } from './admission/plot.ts'

const SEED = 20_251_121
const FILE = join(import.meta.dirname, '../docs/limits/admissions.png')

// Twice the displayed size.
await sharp(Buffer.from(await plotAdmissions()), { density: 144 })
  .png({ palette: true })
  .toFile(FILE)
console.log('wrote docs/limits/admissions.png')

console.log(`\nthe most in any minute / the total compared with the exact log (seed ${SEED})`)
for (const { design, traffic } of measureAccuracy(SEED)) {
  const cells = Object.entries(traffic).map(([name, { most, share }]) => `${name}: ${most} / ${share.toFixed(1)} %`)
  console.log(`${design.padEnd(42)} ${cells.join('   ')}`)
}

console.log('\nbytes per subject in Redis: after its first call, after a hundred')
for (const { design, first, hundred } of await measureMemory()) {
  console.log(
    `${design.padEnd(42)} ${String(Math.round(first)).padStart(6)} ${String(Math.round(hundred)).padStart(6)}`,
  )
}
