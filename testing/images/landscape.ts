import sharp from 'sharp'

/** Colours of upper sky, lower sky, sun, far ridge and near ridge, at different times of day. */
const HOURS: readonly (readonly [string, string, string, string, string])[] = [
  ['#1f3b63', '#f2a65a', '#ffe3b0', '#7a6a8f', '#141d2e'],
  ['#8ec5e8', '#f4f1e4', '#fff7d6', '#8fb0b8', '#1d4a4f'],
  ['#0d1b2a', '#415a77', '#e0e1dd', '#33506d', '#060c14'],
  ['#f7c59f', '#efefd0', '#ff6b35', '#d99a7c', '#3d2b3d'],
  ['#355070', '#eaac8b', '#ffd9c0', '#b56576', '#2b2540'],
  ['#a8dadc', '#f1faee', '#ffffff', '#7fb3b5', '#12343b'],
  ['#23395b', '#b9e3c6', '#f4fff0', '#59c9a5', '#10242c'],
  ['#5f0f40', '#fb8b24', '#ffd166', '#9a031e', '#22071a'],
]

/** A generated landscape as a JPEG, for screenshots and demonstrations. The same seed makes the same image. */
export async function landscape(seed: number, { width, height }: { width: number; height: number }): Promise<Buffer> {
  const random = createRandom(seed)
  const [zenith, horizon, sun, far, near] = HOURS[seed % HOURS.length] ?? HOURS[0] ?? ['', '', '', '', '']
  const ridges = Array.from({ length: 6 }, (_, at) => {
    const path = ridge(random, { width, height, top: 0.42 + at * 0.1, relief: 0.2 - at * 0.02 })
    return `<path d="${path}" fill="${mix(far, near, at / 5)}"/>`
  })
  const [x, y, radius] = [
    width * (0.2 + 0.6 * random()),
    height * (0.18 + 0.2 * random()),
    height * (0.05 + 0.05 * random()),
  ]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs>
      <linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop stop-color="${zenith}"/><stop offset=".62" stop-color="${horizon}"/></linearGradient>
      <radialGradient id="glow"><stop stop-color="${sun}"/><stop offset=".25" stop-color="${sun}" stop-opacity=".55"/><stop offset="1" stop-color="${sun}" stop-opacity="0"/></radialGradient>
    </defs>
    <rect width="100%" height="100%" fill="url(#sky)"/>
    <circle cx="${x}" cy="${y}" r="${radius * 4}" fill="url(#glow)"/><circle cx="${x}" cy="${y}" r="${radius}" fill="${sun}"/>
    ${ridges.join('')}
  </svg>`
  return sharp(Buffer.from(svg)).jpeg({ quality: 88 }).toBuffer()
}

/** A ridge line by midpoint displacement, halving the displacement at each level. */
function ridge(
  random: () => number,
  { width, height, top, relief }: { width: number; height: number; top: number; relief: number },
): string {
  let line = [random(), random()]
  for (let reach = 1; line.length < 256; reach /= 1.9) {
    line = line.flatMap((value, at) => {
      const next = line[at + 1]
      return next === undefined ? [value] : [value, (value + next) / 2 + (random() - 0.5) * reach]
    })
  }
  const points = line.map((value, at) => {
    const [x, y] = [(at / (line.length - 1)) * width, height * (top + (0.5 - value) * relief)]
    return `${x.toFixed(1)},${y.toFixed(1)}`
  })
  return `M0,${height} L${points.join(' L')} L${width},${height} Z`
}

function mix(from: string, to: string, share: number): string {
  const channel = (color: string, at: number) => Number.parseInt(color.slice(1 + 2 * at, 3 + 2 * at), 16)
  const mixed = [0, 1, 2].map((at) => Math.round(channel(from, at) * (1 - share) + channel(to, at) * share))
  return `rgb(${mixed.join(',')})`
}

/** Mulberry32, a small seeded generator. */
function createRandom(seed: number): () => number {
  let state = (seed + 1) * 0x9e3779b9
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
