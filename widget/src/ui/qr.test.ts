import { expect } from '@open-wc/testing'
import { render } from 'lit'
import { parseAnswer } from '../api/parse-answer.ts'
import { wireAnswer } from '../test/service.ts'
import { drawQr, outline } from './qr.ts'

const size = 21
const quietZone = 4

/** Draws the code at one pixel per module and reads it back. */
async function paint(svg: SVGElement): Promise<boolean[]> {
  const side = size + 2 * quietZone
  const path = svg.querySelector('path')?.getAttribute('d') ?? ''
  const canvas = new OffscreenCanvas(side, side)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas')
  context.fill(new Path2D(path))
  const { data } = context.getImageData(0, 0, side, side)
  return Array.from({ length: side * side }, (_, index) => (data[index * 4 + 3] ?? 0) > 127)
}

suite('the QR code', () => {
  test('draws exactly the given modules inside a quiet zone of four', async () => {
    const qr = parseAnswer(wireAnswer())?.payment.qr.address
    if (!qr) throw new Error('no code')
    const box = document.createElement('div')
    render(drawQr(qr, 'QR code'), box)
    const svg = box.querySelector('svg')
    if (!svg) throw new Error('nothing drawn')
    expect(svg.getAttribute('viewBox')).to.equal('0 0 29 29')
    expect(svg.getAttribute('role')).to.equal('img')
    const pixels = await paint(svg)
    const expected = pixels.map((_, index) => {
      const row = Math.floor(index / 29) - quietZone
      const column = (index % 29) - quietZone
      const isInside = row >= 0 && row < size && column >= 0 && column < size
      return isInside && (row * size + column) % 2 === 0
    })
    expect(pixels).to.deep.equal(expected)
  })

  test('joins the dark modules of a row', () => {
    const modules = new Uint8Array(56)
    modules[0] = 0b11100000
    modules[2] = 0b00001000
    expect(outline({ size, modules })).to.equal('M4 4h3v1h-3zM24 4h1v1h-1z')
  })

  test('ends a run at the end of its row', () => {
    const modules = new Uint8Array(56)
    modules[2] = 0b00001100
    expect(outline({ size, modules })).to.equal('M24 4h1v1h-1zM4 5h1v1h-1z')
  })
})
