import { jpegOf, pngOf, webpOf } from '@stablecoin-checkout/rig/pictures'
import { describe, expect, test } from 'vitest'
import { logoBytesMax, logoNamePattern, readLogo } from './logo-picture.ts'

describe('a logo', () => {
  test.each([
    ['png', pngOf(512, 1)],
    ['jpg', jpegOf(16, 512)],
    ['webp', webpOf('VP8 ', 512, 512)],
    ['webp', webpOf('VP8L', 1, 512)],
    ['webp', webpOf('VP8X', 512, 7)],
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
    ['a JPEG without a frame', Buffer.from('ffd8ffe00004aaaaffd9', 'hex'), 'PNG, JPEG or WebP'],
    ['a moving PNG', pngOf(8, 8, 'acTL'), 'PNG, JPEG or WebP'],
    ['a moving WebP', webpOf('VP8X', 8, 8, 0x02), 'PNG, JPEG or WebP'],
  ])('is never %s', (_, bytes, why) => {
    expect(() => readLogo(bytes)).toThrow(why)
  })
})
