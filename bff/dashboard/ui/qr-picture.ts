import { html, svg } from 'lit'

/** Rows of bits, most significant first, 1 is dark. */
export type QrCode = { size: number; modules: string }

/** The light margin that QR readers need. */
export const edge = 4

/** The places of the dark modules, row by row. */
export function* darkModules({ size, modules }: QrCode): Generator<readonly [x: number, y: number]> {
  const bytes = Uint8Array.from(atob(modules), (character) => character.charCodeAt(0))
  for (let index = 0; index < size * size; index++) {
    if ((((bytes[index >> 3] ?? 0) >> (7 - (index & 7))) & 1) === 1) yield [index % size, Math.floor(index / size)]
  }
}

/** Dark modules as one path, in units of a module. */
export function qrPath(code: QrCode): string {
  return [...darkModules(code)].map(([x, y]) => `M${x} ${y}h1v1h-1z`).join('')
}

/** Black on white in both themes: QR readers need the contrast. */
export function qrPicture(code: QrCode, label: string) {
  const whole = code.size + 2 * edge
  return html`
    <svg class="qr" role="img" aria-label=${label} viewBox="${-edge} ${-edge} ${whole} ${whole}" shape-rendering="crispEdges">
      ${svg`<rect x=${-edge} y=${-edge} width=${whole} height=${whole} fill="#fff"></rect>
        <path d=${qrPath(code)} fill="#000"></path>`}
    </svg>
  `
}
