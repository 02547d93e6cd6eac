import { machineLines, versionOf } from '../report/machine.ts'
import { bulleted } from '../report/page.ts'
import { asMarkdown, summaryOf, type Table } from '../report/table.ts'
import { redisPrograms } from './redis-programs.ts'

const COMMAND = 'npm run bench:limits -- --write'

/** Formats docs/benchmarks.md from these tables. */
export function documentOf(tables: readonly Table[]): string {
  const about = `# Benchmarks

What a decision of the limiter costs, beside a bare EVALSHA and beside other limiters. \`${COMMAND}\` measures and
writes this page, whatever comes out; without \`--write\` it prints, \`--only pattern\` takes some tables or contenders,
\`--quick\` gives a first idea.

${bulleted(machineLines(redisPrograms()))}

Figures of a second are this machine's. What can be compared are ratios: a bare EVALSHA is a script that returns two numbers,
and its round trip; each turn of a contender stands between two turns of it, and the figure is the median over the rounds,
with the least and the most of them. Before a turn each contender has proved that it refuses the call after its limit, and
every call says how it was decided; one that came out otherwise ends the run. ${summaryOf(tables)}

Other pages: [the byte route](benchmarks-bytes.md), [the cache](benchmarks-cache.md), [uploads](benchmarks-upload.md),
[lists](benchmarks-list.md), [several processes](benchmarks-scale.md), [pages](benchmarks-pages.md),
[what the tuning wins](benchmarks-ablation.md).`
  return `${[about, ...tables.map(asMarkdown), peers()].join('\n\n')}\n`
}

/** What a comparison with them leaves out. */
function peers(): string {
  return `## The peers

All three do less than is asked of the limiter here, or do it elsewhere; a ratio says what a call costs, not what it is worth.

- rate-limiter-flexible ${versionOf('rate-limiter-flexible')}: fixed windows that begin with the first call. A union asks its limiters side by
  side, in a script call each, and is not atomic: one that refuses leaves what the others have taken. Refused calls are
  counted too. It has a cache of who is blocked (\`inMemoryBlockOnConsumed\`), measured where it says so. It decides for a
  dozen other stores as well.
- @upstash/ratelimit ${versionOf('@upstash/ratelimit')}: made for Redis over HTTP; here its scripts run over ioredis, without a flag in their
  first line that Redis does not know, without analytics, and with its cache of who is blocked (\`ephemeralCache\`) only
  where that is said. Its windows go by the caller's clock, its sliding window is an estimate from two fixed ones, and its
  bucket gains all its tokens at once. It has no decision by several rules.
- express-rate-limit ${versionOf('express-rate-limit')}: only its memory store, \`increment\`, which counts and compares nothing; the
  benchmark compares the count with the limit, and asks three stores one after the other. What its middleware does
  besides is not measured.

Peers and the bare EVALSHA have connections with ioredis' defaults. Auto-pipelined is an option of ioredis
(\`enableAutoPipelining\`), which sends the commands of one turn of the event loop in one write.`
}
