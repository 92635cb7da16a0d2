import { createHash } from 'node:crypto'
import { ValidationError } from '../core/errors.ts'

/** Its base64 and the rest of a request fit into the 64 kB that a request may have. */
export const logoBytesMax = 44_000

/** Width and height, in pixels: an icon of 180 and a preview of 512 need no more. */
const logoPixelsMax = 512

type Picture = { type: 'png' | 'jpg' | 'webp'; width: number; height: number }

/** A merchant's logo as it is stored. `name`: content hash and type, such as `0f…3a.png`. */
export type Logo = { name: string; bytes: Buffer }

/** Hex digits of the hash in a logo's URL: 128 bits, so that nobody finds two pictures of one name. */
const hashDigits = 32

/** Names of logos as `readLogo` makes them. */
export const logoNamePattern = new RegExp(`^[0-9a-f]{${hashDigits}}\\.(png|jpg|webp)$`)

const contentTypes: Readonly<Record<string, string>> = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' }

/** By the name that `readLogo` makes. */
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
  if (!picture) throw new ValidationError('logo must be one whole PNG, JPEG or WebP picture that does not move')
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
const pngEnd = Buffer.from('0000000049454e44ae426082', 'hex')
const isAscii = (bytes: Buffer, at: number, text: string) => bytes.toString('latin1', at, at + text.length) === text

/** A file that goes on after its picture is refused: it may be something else too. */
function pngOf(bytes: Buffer): Picture | undefined {
  const isWhole = bytes.length >= 45 && bytes.subarray(0, 8).equals(pngStart) && bytes.subarray(-12).equals(pngEnd)
  if (!isWhole || !isAscii(bytes, 12, 'IHDR') || bytes.includes('acTL', 0, 'latin1')) return undefined
  return { type: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** Walks the segments up to the frame header, which has the size. */
function jpegOf(bytes: Buffer): Picture | undefined {
  const isWhole =
    bytes.length > 4 && bytes.readUInt16BE(0) === 0xffd8 && bytes.readUInt16BE(bytes.length - 2) === 0xffd9
  if (!isWhole) return undefined
  for (let at = 2; at + 9 <= bytes.length; ) {
    const marker = bytes.readUInt16BE(at)
    if (marker < 0xffc0 || marker > 0xfffe) return undefined
    const isFrame = marker <= 0xffcf && marker !== 0xffc4 && marker !== 0xffc8 && marker !== 0xffcc
    if (isFrame) return { type: 'jpg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

/** @see https://developers.google.com/speed/webp/docs/riff_container */
function webpOf(bytes: Buffer): Picture | undefined {
  const isWhole = bytes.length >= 30 && isAscii(bytes, 0, 'RIFF') && bytes.readUInt32LE(4) + 8 === bytes.length
  if (!isWhole || !isAscii(bytes, 8, 'WEBP')) return undefined
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
