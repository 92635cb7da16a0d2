import { html, type TemplateResult } from 'lit'
import type { QrModules } from '../payment.ts'

/** White modules that a reader needs on each side. */
const quietZone = 4

/** Draws exactly the given modules: one path, one rectangle for each run of dark modules in a row. */
export function drawQr(qr: QrModules, label: string): TemplateResult {
  const side = qr.size + 2 * quietZone
  return html`<svg part="qr" class="qr" role="img" aria-label=${label} viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"><path d=${outline(qr)}></path></svg>`
}

export function outline({ size, modules }: QrModules): string {
  let path = ''
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const start = column
      while (column < size && isDark(modules, row * size + column)) column++
      const length = column - start
      if (length > 0) path += `M${start + quietZone} ${row + quietZone}h${length}v1h-${length}z`
    }
  }
  return path
}

function isDark(modules: Uint8Array, index: number): boolean {
  return (((modules[index >> 3] ?? 0) >> (7 - (index & 7))) & 1) === 1
}
