import { colors } from '../core/design-tokens.ts'

/** The hosted pages' colours, derived from a merchant's colour, as `#rrggbb`. The dashboard's preview computes the same ones. */
export type PageColors = {
  /** Buttons, links and focus outlines on light grounds, and the text on such buttons. */
  light: string
  onLight: string
  dark: string
  onDark: string
}

/** WCAG 2.2 AA for text of normal size. */
export const contrastMin = 4.5

const { surface, raised, page } = colors

/** The backgrounds of accent-coloured text: cards, panels within them, and the page. */
export const grounds = {
  light: [surface[0], raised[0], page[0]],
  dark: [surface[1], raised[1], page[1]],
} as const

/** Enough steps that one changes the colour by less than the eye sees. */
const stepsMax = 64

const channelsOf = (color: string): number[] =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16))

/** @see https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast of two colours given as `#rrggbb`, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

/** At a `share` of 0 this is `color`, at 1 it is `target`. */
function mix(color: string, target: string, share: number): string {
  const wanted = channelsOf(target)
  const mixed = channelsOf(color).map((channel, at) => Math.round(channel + ((wanted[at] ?? 0) - channel) * share))
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

/** The colour itself if it is readable on all backgrounds, otherwise the nearest mix with `target` that is. */
function readable(color: string, backgrounds: readonly string[], target: string): string {
  for (let step = 0; step < stepsMax; step++) {
    const mixed = mix(color, target, step / stepsMax)
    if (backgrounds.every((ground) => contrastOf(mixed, ground) >= contrastMin)) return mixed
  }
  return target
}

/** @param color - As `#rrggbb`. */
export const pageColorsOf = (color: string): PageColors => ({
  light: readable(color, grounds.light, '#000000'),
  onLight: colors['on-accent'][0],
  dark: readable(color, grounds.dark, '#ffffff'),
  onDark: colors['on-accent'][1],
})
