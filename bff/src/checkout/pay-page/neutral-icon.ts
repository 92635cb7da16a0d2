import { crc32, deflateSync } from 'node:zlib'

/** Width and height in pixels: the size that messenger previews request, and more than icons need. */
const size = 512

type Color = readonly [red: number, green: number, blue: number]
type Shape = { left: number; top: number; right: number; bottom: number; radius: number; color: Color }

const accent: Color = [0x2b, 0x50, 0xc8]
const white: Color = [0xff, 0xff, 0xff]

/** A payment card on a background that fills the icon, because phones round the corners themselves. Lengths in pixels. */
const shapes: readonly Shape[] = [
  { left: 0, top: 0, right: size, bottom: size, radius: 0, color: accent },
  { left: 96, top: 148, right: 416, bottom: 364, radius: 32, color: white },
  { left: 96, top: 204, right: 416, bottom: 248, radius: 0, color: accent },
]

/** The part of the pixel that the shape covers, from 0 to 1, by the distance to the rounded edge. */
function coverOf({ left, top, right, bottom, radius }: Shape, x: number, y: number): number {
  const across = Math.max(left + radius - x, x - (right - radius))
  const down = Math.max(top + radius - y, y - (bottom - radius))
  const outside = Math.hypot(Math.max(across, 0), Math.max(down, 0)) + Math.min(Math.max(across, down), 0) - radius
  return Math.min(1, Math.max(0, 0.5 - outside))
}

function colorAt(x: number, y: number): number[] {
  return shapes.reduce<number[]>((under, shape) => {
    const cover = coverOf(shape, x + 0.5, y + 0.5)
    return shape.color.map((channel, at) => Math.round((under[at] ?? 0) * (1 - cover) + channel * cover))
  }, [])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** The icon of pages whose merchant has no logo, as a PNG of some 2 kB. Takes 100 ms. */
export function drawNeutralIcon(): Buffer {
  const rows = Array.from({ length: size }, (_, y) => [
    0,
    ...Array.from({ length: size }, (_, x) => colorAt(x, y)).flat(),
  ])
  const head = Buffer.alloc(13)
  head.writeUInt32BE(size, 0)
  head.writeUInt32BE(size, 4)
  // Eight bits for each of red, green and blue.
  head.set([8, 2], 8)
  const start = Buffer.from('89504e470d0a1a0a', 'hex')
  const pixels = deflateSync(Buffer.from(rows.flat()))
  return Buffer.concat([start, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}
