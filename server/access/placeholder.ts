import { crc32, deflateSync } from 'node:zlib'

const WIDTH = 240
const HEIGHT = 160
const PAPER = 0xee
const INK = 0x9a

/** Served in place of an image on a site that may not embed it: a PNG of a crossed-out circle in a frame. */
export const PLACEHOLDER_IMAGE = draw()

function draw(): Buffer {
  const rows = Array.from({ length: HEIGHT }, (_, y) =>
    // Each row starts with its filter type: none.
    Buffer.from([0, ...Array.from({ length: WIDTH }, (__, x) => (isInked(x, y) ? INK : PAPER))]),
  )
  const header = Buffer.alloc(13)
  header.writeUInt32BE(WIDTH, 0)
  header.writeUInt32BE(HEIGHT, 4)
  // Eight-bit greyscale.
  header.writeUInt8(8, 8)
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.concat(rows))), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...parts])
}

/** A frame around a circle with a diagonal bar, like a road sign. */
function isInked(x: number, y: number): boolean {
  const isFrame = x < 2 || y < 2 || x >= WIDTH - 2 || y >= HEIGHT - 2
  const [across, down] = [x - WIDTH / 2 + 0.5, y - HEIGHT / 2 + 0.5]
  const distance = Math.hypot(across, down)
  const isRing = distance >= 36 && distance <= 42
  const isBar = distance < 36 && Math.abs(across - down) < 4
  return isFrame || isRing || isBar
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}
