// Inline pictures, so that no file is loaded for them. Presentation attributes only, because the page's policy refuses inline styles.

const paper = '#d9b48a'
const kraft = '#b98d5e'
const ink = '#5b3a24'
const cream = '#fff7ea'
const terracotta = '#b5562c'
const leaf = '#5f7f5c'
const steel = '#8f99a3'

const scene = (floor: string, wall: string, things: string) =>
  `<svg class="picture" viewBox="0 0 240 180" aria-hidden="true"><rect width="240" height="180" fill="${wall}"/><rect y="132" width="240" height="48" fill="${floor}"/>${things}</svg>`

const shadow = (x: number, width: number) =>
  `<ellipse cx="${x}" cy="150" rx="${width / 2}" ry="7" fill="#3b2617" opacity=".16"/>`

const bag = (x: number, colour: string, fold: string, label: string) =>
  `<path d="M${x - 36} 56 l8-22 h56 l8 22 v90 a5 5 0 0 1-5 5 h-62 a5 5 0 0 1-5-5z" fill="${colour}"/><path d="M${x - 36} 56 l8-22 h56 l8 22z" fill="${fold}"/><path d="M${x - 28} 34 h56" stroke="${ink}" stroke-opacity=".25" stroke-width="2"/><rect x="${x - 24}" y="76" width="48" height="46" rx="3" fill="${label}"/>`

const cup = (x: number, y: number, colour: string) =>
  `<path d="M${x - 11} ${y} h20 v8 a9 9 0 0 1-9 9 h-2 a9 9 0 0 1-9-9z M${x + 9} ${y + 2} h3 a4.5 4.5 0 0 1 0 9 h-3 M${x - 6} ${y - 9} v4 M${x + 3} ${y - 10} v5" fill="none" stroke="${colour}" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/>`

const bean = (x: number, y: number, turn: number) =>
  `<g transform="translate(${x} ${y}) rotate(${turn})"><ellipse rx="8" ry="5.5" fill="${ink}"/><path d="M-6 0 q3-3 6 0 t6 0" fill="none" stroke="#9a7350" stroke-width="1.4"/></g>`

const coneRidges = [-24, -12, 0, 12, 24].map(
  (x) => `<path d="M${120 + x} 62 L${120 + x / 3} 112" stroke="#c9d2cb" stroke-width="2"/>`,
)

/** By product id. */
export const pictures: Readonly<Record<string, string>> = {
  beans: scene(
    '#e8d3b6',
    '#f4e6d2',
    `${shadow(112, 110)}${bag(112, paper, kraft, cream)}${cup(112, 96, terracotta)}${bean(168, 144, 20)}${bean(184, 149, -25)}${bean(176, 136, 70)}`,
  ),
  espresso: scene(
    '#c9d3c4',
    '#e3eadf',
    `${shadow(104, 104)}${bag(104, '#3f5b4c', '#2f463a', '#f1e3c9')}<path d="M92 92 h24 M92 100 h24 M92 108 h14" stroke="${ink}" stroke-width="3" stroke-linecap="round"/>${shadow(176, 56)}<path d="M156 108 h40 l-4 34 a8 8 0 0 1-8 7 h-16 a8 8 0 0 1-8-7z" fill="${cream}"/><ellipse cx="176" cy="108" rx="20" ry="5" fill="${ink}"/><path d="M195 116 a9 9 0 0 1-2 18" fill="none" stroke="${cream}" stroke-width="5"/>`,
  ),
  filters: scene(
    '#e2d6c3',
    '#f3ece0',
    `${shadow(120, 130)}<path d="M70 70 h70 l-16 74 h-38z" fill="#e8d8bd"/><path d="M82 62 h70 l-16 82 h-38z" fill="#efe3cd"/><path d="M94 54 h74 l-18 90 h-38z" fill="#f8f0e0" stroke="#dcccb0" stroke-width="2"/><path d="M150 60 l-16 78" stroke="#dcccb0" stroke-width="2" stroke-dasharray="4 5"/>`,
  ),
  dripper: scene(
    '#c9d6da',
    '#e4eef0',
    `${shadow(120, 96)}<path d="M82 60 h76 l-26 54 h-24z" fill="#fbfdfb"/>${coneRidges.join('')}<rect x="78" y="54" width="84" height="9" rx="4.5" fill="#fbfdfb" stroke="#c9d2cb"/><rect x="90" y="112" width="60" height="8" rx="4" fill="#eef3ef" stroke="#c9d2cb"/><path d="M96 120 h48 v22 a8 8 0 0 1-8 8 h-32 a8 8 0 0 1-8-8z" fill="${steel}" opacity=".35"/><path d="M96 134 h48 v8 a8 8 0 0 1-8 8 h-32 a8 8 0 0 1-8-8z" fill="${ink}" opacity=".8"/><path d="M160 66 a14 14 0 0 1-8 26" fill="none" stroke="#fbfdfb" stroke-width="6"/>`,
  ),
  mug: scene(
    '#e3c9b8',
    '#f3e2d6',
    `${shadow(116, 96)}<path d="M80 74 h72 v62 a14 14 0 0 1-14 14 h-44 a14 14 0 0 1-14-14z" fill="${terracotta}"/><path d="M80 74 h72 v22 q-18 10-36 2 t-36 4z" fill="${cream}"/><ellipse cx="116" cy="74" rx="36" ry="7" fill="${ink}"/><path d="M152 90 h6 a17 17 0 0 1 0 34 h-6" fill="none" stroke="${terracotta}" stroke-width="8"/><path d="M104 58 q-6-8 0-16 M122 58 q-6-8 0-16" fill="none" stroke="#fff" stroke-opacity=".8" stroke-width="4" stroke-linecap="round"/>`,
  ),
  grinder: scene(
    '#cdd0c0',
    '#e8eadf',
    `${shadow(116, 80)}<rect x="92" y="62" width="48" height="88" rx="7" fill="${steel}"/><rect x="92" y="104" width="48" height="46" rx="7" fill="${leaf}"/><path d="M98 66 v80" stroke="#fff" stroke-opacity=".45" stroke-width="4" stroke-linecap="round"/><rect x="96" y="52" width="40" height="12" rx="5" fill="#6d7781"/><path d="M116 52 v-12 h46" fill="none" stroke="#6d7781" stroke-width="5" stroke-linecap="round" stroke-linejoin="round"/><circle cx="164" cy="38" r="9" fill="${ink}"/>${bean(160, 146, 15)}${bean(176, 149, -35)}`,
  ),
}
