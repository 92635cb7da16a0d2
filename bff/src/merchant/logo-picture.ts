import { createHash } from 'node:crypto'
import { ValidationError } from '../core/errors.ts'

/** As base64, it fits into a request of at most 64 kB. */
export const logoBytesMax = 44_000

/** Width and height in pixels: an icon of 180 and a preview of 512 need no more. */
const logoPixelsMax = 512

type Picture = { type: 'png' | 'jpg' | 'webp'; width: number; height: number }

/** A merchant's logo as it is stored. `name`: content hash and type, such as `0f…3a.png`. */
export type Logo = { name: string; bytes: Buffer }

/** Hex digits of the hash in a logo's URL: 128 bits, so that nobody finds two pictures with the same name. */
const hashDigits = 32

/** The names that `readLogo` makes. */
export const logoNamePattern = new RegExp(`^[0-9a-f]{${hashDigits}}\\.(png|jpg|webp)$`)

const contentTypes: Readonly<Record<string, string>> = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' }

/** The content type for a name that `readLogo` made. */
export const logoContentType = (name: string): string => contentTypes[name.slice(name.lastIndexOf('.') + 1)] ?? ''

/**
 * Verifies an uploaded logo by its content. SVG is refused, because it can hold scripts and load other resources.
 * @throws {ValidationError} naming the rule.
 */
export function readLogo(bytes: Buffer): Logo {
  if (bytes.length > logoBytesMax) {
    throw new ValidationError(`logo must be at most ${logoBytesMax} bytes, not ${bytes.length}`)
  }
  const picture = pngOf(bytes) ?? jpegOf(bytes) ?? webpOf(bytes)
  if (!picture) throw new ValidationError('logo must be a complete PNG, JPEG or WebP picture without animation')
  const { type, width, height } = picture
  if (width < 1 || height < 1 || width > logoPixelsMax || height > logoPixelsMax) {
    throw new ValidationError(
      `logo must be at most ${logoPixelsMax} × ${logoPixelsMax} pixels, not ${width} × ${height}`,
    )
  }
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, hashDigits)
  return { name: `${hash}.${type}`, bytes }
}

const pngStart = Buffer.from('89504e470d0a1a0a', 'hex')
const isAscii = (bytes: Buffer, at: number, text: string) => bytes.toString('latin1', at, at + text.length) === text

/** Walks the chunks to the first `IEND`. A file that continues after its picture may also be something else, and is refused. */
function pngOf(bytes: Buffer): Picture | undefined {
  if (bytes.length < 45 || !bytes.subarray(0, 8).equals(pngStart) || !isAscii(bytes, 12, 'IHDR')) return undefined
  for (let at = 8; at + 12 <= bytes.length; ) {
    // The chunk of an animation.
    if (isAscii(bytes, at + 4, 'acTL')) return undefined
    const isEnd = isAscii(bytes, at + 4, 'IEND')
    at += 12 + bytes.readUInt32BE(at)
    if (!isEnd) continue
    return at === bytes.length
      ? { type: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
      : undefined
  }
  return undefined
}

/** Walks the segments to the frame header, which has the size, and on to the image's first end, which must be the file's end. */
function jpegOf(bytes: Buffer): Picture | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  let picture: Picture | undefined
  for (let at = 2; at + 2 <= bytes.length; ) {
    const marker = bytes.readUInt16BE(at)
    if (marker === 0xffd9) return at + 2 === bytes.length ? picture : undefined
    if (marker < 0xffc0 || marker > 0xfffe || at + 9 > bytes.length) return undefined
    const isFrame = marker <= 0xffcf && marker !== 0xffc4 && marker !== 0xffc8 && marker !== 0xffcc
    if (isFrame) picture ??= { type: 'jpg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    at += 2 + bytes.readUInt16BE(at + 2)
    if (marker === 0xffda) at = endOfScan(bytes, at)
  }
  return undefined
}

/** The position of the next marker after a scan's data, where 0xff only precedes a zero byte or a restart marker. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  return bytes.length
}

/** @see https://developers.google.com/speed/webp/docs/riff_container */
function webpOf(bytes: Buffer): Picture | undefined {
  const isWhole = bytes.length >= 30 && isAscii(bytes, 0, 'RIFF') && bytes.readUInt32LE(4) + 8 === bytes.length
  if (!isWhole || !isAscii(bytes, 8, 'WEBP') || !hasPictureChunksOnly(bytes)) return undefined
  if (isAscii(bytes, 12, 'VP8 ')) {
    return { type: 'webp', width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  }
  if (isAscii(bytes, 12, 'VP8L')) {
    const sizes = bytes.readUInt32LE(21)
    return { type: 'webp', width: (sizes & 0x3fff) + 1, height: ((sizes >>> 14) & 0x3fff) + 1 }
  }
  const animated = 0x02
  if (!isAscii(bytes, 12, 'VP8X') || (bytes.readUInt8(20) & animated) !== 0) return undefined
  return { type: 'webp', width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
}

const webpChunks = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ICCP', 'EXIF', 'XMP '])

/** Whether all chunks belong to a picture. Readers skip unknown chunks, so anything could be hidden in one. */
function hasPictureChunksOnly(bytes: Buffer): boolean {
  let at = 12
  while (at + 8 <= bytes.length) {
    if (!webpChunks.has(bytes.toString('latin1', at, at + 4))) return false
    const size = bytes.readUInt32LE(at + 4)
    at += 8 + size + (size % 2)
  }
  return at === bytes.length
}
