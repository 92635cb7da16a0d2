import { crc32, deflateSync } from 'node:zlib'

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A PNG of one colour that browsers show. @param extra - Type of a chunk before the image data. For tests. */
export function pngOf(width: number, height: number, extra = 'tEXt', color = [0xc8, 0x50, 0x2b]): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2], 8)
  const row = Buffer.from([0, ...Array.from({ length: Math.min(width, 1024) }, () => color).flat()])
  const data = deflateSync(Buffer.concat(Array.from({ length: Math.min(height, 1024) }, () => row)))
  const start = Buffer.from('89504e470d0a1a0a', 'hex')
  const chunks = [
    chunk('IHDR', head),
    chunk(extra, Buffer.from('a\0b')),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]
  return Buffer.concat([start, ...chunks])
}

/** The segments that identify a JPEG, without image data. For tests. */
export function jpegOf(width: number, height: number): Buffer {
  const frame = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0000b080000000001012200ffd9', 'hex')
  frame.writeUInt16BE(height, 25)
  frame.writeUInt16BE(width, 27)
  return frame
}

/** The chunks that identify a WebP, without image data. For tests. */
export function webpOf(kind: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number, flags = 0): Buffer {
  const file = Buffer.alloc(38)
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(file.length - 8, 4)
  file.write(`WEBP${kind}`, 8, 'latin1')
  file.writeUInt32LE(file.length - 20, 16)
  if (kind === 'VP8 ') {
    file.writeUInt16LE(width, 26)
    file.writeUInt16LE(height, 28)
  } else if (kind === 'VP8L') {
    file.writeUInt8(0x2f, 20)
    file.writeUInt32LE((width - 1) | ((height - 1) << 14), 21)
  } else {
    file.writeUInt8(flags, 20)
    file.writeUIntLE(width - 1, 24, 3)
    file.writeUIntLE(height - 1, 27, 3)
  }
  return file
}
