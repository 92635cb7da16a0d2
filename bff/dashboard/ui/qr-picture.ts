import { html, svg } from 'lit'

/** Rows of bits, most significant first, 1 is dark. */
export type QrCode = { size: number; modules: string }

/** The light margin that QR readers need. */
const edge = 4

/** Dark modules as one path, in units of a module. */
export function qrPath({ size, modules }: QrCode): string {
  const bytes = Uint8Array.from(atob(modules), (character) => character.charCodeAt(0))
  const isDark = (index: number) => (((bytes[index >> 3] ?? 0) >> (7 - (index & 7))) & 1) === 1
  let path = ''
  for (let index = 0; index < size * size; index++) {
    if (isDark(index)) path += `M${index % size} ${Math.floor(index / size)}h1v1h-1z`
  }
  return path
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
