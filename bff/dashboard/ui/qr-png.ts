import { darkModules, edge, type QrCode } from './qr-picture.ts'

/** Minimum width in pixels: enough for a printed poster. */
const widthMin = 1_000

/** Saves the code as a PNG, drawn on a canvas: black on white, each module a whole number of pixels. @param name - The file's name. */
export function saveQrPng(code: QrCode, name: string): void {
  const modules = code.size + 2 * edge
  const scale = Math.ceil(widthMin / modules)
  const canvas = document.createElement('canvas')
  canvas.width = modules * scale
  canvas.height = modules * scale
  const context = canvas.getContext('2d')
  if (!context) return
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = '#000'
  for (const [x, y] of darkModules(code)) context.fillRect((x + edge) * scale, (y + edge) * scale, scale, scale)
  const link = document.createElement('a')
  link.href = canvas.toDataURL('image/png')
  link.download = name
  link.click()
}
