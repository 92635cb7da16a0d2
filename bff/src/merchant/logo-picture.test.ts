import { jpegOf, pngOf, webpOf } from '@stablecoin-checkout/rig/pictures'
import { describe, expect, test } from 'vitest'
import { logoBytesMax, logoNamePattern, readLogo } from './logo-picture.ts'

/** A JPEG with a scan, whose data holds an escaped 0xff and a restart marker, and with an end of an image inside a comment. */
function scanned(): Buffer {
  const comment = Buffer.from('fffe0006ffd9ffd9', 'hex')
  const scan = Buffer.from('ffda0008010100003f00aaff00bbffd0ccff00', 'hex')
  const whole = jpegOf(8, 8)
  return Buffer.concat([whole.subarray(0, -2), comment, scan, whole.subarray(-2)])
}

/** A WebP with metadata behind the picture, or with another chunk. */
function withChunk(type: string, text: string): Buffer {
  const chunk = Buffer.alloc(8 + text.length)
  chunk.write(type, 0, 'latin1')
  chunk.writeUInt32LE(text.length, 4)
  chunk.write(text, 8, 'latin1')
  const whole = Buffer.concat([webpOf('VP8X', 8, 8), chunk])
  whole.writeUInt32LE(whole.length - 8, 4)
  return whole
}

describe('a logo', () => {
  test.each([
    ['png', pngOf(512, 1)],
    ['jpg', jpegOf(16, 512)],
    ['webp', webpOf('VP8 ', 512, 512)],
    ['webp', webpOf('VP8L', 1, 512)],
    ['webp', webpOf('VP8X', 512, 7)],
    ['jpg', scanned()],
    ['webp', withChunk('EXIF', 'data')],
  ])('may be a %s of at most 512 pixels, and is named by its content', (type, bytes) => {
    const { name } = readLogo(bytes)
    expect(name).toMatch(logoNamePattern)
    expect(name.endsWith(`.${type}`)).toBe(true)
    expect(readLogo(Buffer.from(bytes)).name).toBe(name)
  })

  test.each<readonly [string, Buffer, string]>([
    ['a PNG that is too wide', pngOf(513, 1), 'at most 512 × 512 pixels, not 513 × 1'],
    ['a PNG that is too high', pngOf(1, 40_000), 'not 1 × 40000'],
    ['a PNG without width', pngOf(0, 1), 'not 0 × 1'],
    ['a PNG without height', pngOf(1, 0), 'not 1 × 0'],
    ['a JPEG that is too high', jpegOf(1, 513), 'not 1 × 513'],
    ...(['VP8 ', 'VP8L', 'VP8X'] as const).map(
      (kind) => [`a WebP (${kind}) that is too wide`, webpOf(kind, 513, 2), 'not 513 × 2'] as const,
    ),
    ['more bytes than fit', Buffer.concat([pngOf(8, 8), Buffer.alloc(logoBytesMax)]), 'at most 44000 bytes'],
    ['a drawing with a script', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'PNG, JPEG or WebP'],
    ['a GIF', Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;', 'latin1'), 'PNG, JPEG or WebP'],
    ['nothing', Buffer.alloc(0), 'PNG, JPEG or WebP'],
    ['half a PNG', pngOf(8, 8).subarray(0, -1), 'PNG, JPEG or WebP'],
    ['a PNG with a page behind it', Buffer.concat([pngOf(8, 8), Buffer.from('<script>')]), 'PNG, JPEG or WebP'],
    ['a JPEG with a page behind it', Buffer.concat([jpegOf(8, 8), Buffer.from('<script>')]), 'PNG, JPEG or WebP'],
    ['a WebP with a page behind it', Buffer.concat([webpOf('VP8L', 8, 8), Buffer.from('<b>')]), 'PNG, JPEG or WebP'],
    [
      'a PNG with a page and an end of its own behind it',
      Buffer.concat([pngOf(8, 8), Buffer.from('<script>'), pngOf(8, 8).subarray(-12)]),
      'PNG, JPEG or WebP',
    ],
    [
      'a JPEG with a page and an end of its own behind it',
      Buffer.concat([scanned(), Buffer.from('<script>'), Buffer.from('ffd9', 'hex')]),
      'PNG, JPEG or WebP',
    ],
    ['a JPEG that ends in the middle of its picture', scanned().subarray(0, -2), 'PNG, JPEG or WebP'],
    ['a WebP with a chunk of something else', withChunk('HTML', '<script>'), 'PNG, JPEG or WebP'],
    ['a PNG whose chunk reaches beyond the file', pngOf(8, 8).fill(0x7f, 33, 34), 'PNG, JPEG or WebP'],
    ['a JPEG without a frame', Buffer.from('ffd8ffe00004aaaaffd9', 'hex'), 'PNG, JPEG or WebP'],
    ['a moving PNG', pngOf(8, 8, 'acTL'), 'PNG, JPEG or WebP'],
    ['a moving WebP', webpOf('VP8X', 8, 8, 0x02), 'PNG, JPEG or WebP'],
  ])('is never %s', (_, bytes, why) => {
    expect(() => readLogo(bytes)).toThrow(why)
  })
})
