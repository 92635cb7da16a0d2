/** The service's limits (`bff/src/merchant/logo-picture.ts`). */
const bytesMax = 44_000
const pixelsMax = 512

/** Each attempt has three quarters of the previous width: the last is a tenth of the first. */
const attemptsMax = 9

/**
 * A picture small enough for a logo, redrawn without the metadata that cameras write into files.
 * @returns a `data:` URL of a PNG, or of a WebP if a PNG would be too large.
 * @throws the browser's error when it cannot read the file as a picture.
 */
export async function shrinkPicture(file: Blob): Promise<string> {
  const picture = await createImageBitmap(file)
  const first = Math.min(1, pixelsMax / Math.max(picture.width, picture.height))
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const canvas = draw(picture, first * 0.75 ** attempt)
    for (const type of ['image/png', 'image/webp']) {
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.9))
      if (blob && blob.size <= bytesMax) return await dataUrlOf(blob)
    }
  }
  throw new RangeError('The picture stays too large.')
}

function draw(picture: ImageBitmap, scale: number): HTMLCanvasElement {
  const width = Math.max(1, Math.round(picture.width * scale))
  const height = Math.max(1, Math.round(picture.height * scale))
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const context = canvas.getContext('2d')
  if (!context) throw new TypeError('This browser has no canvas.')
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, width, height)
  return canvas
}

function dataUrlOf(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
}
