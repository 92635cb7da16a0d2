import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contrastMin, contrastOf } from '../merchant/page-colors.ts'
import { type ColorName, colors, tokenStyles } from './design-tokens.ts'

/** Of parts of controls and pictures that must be seen (WCAG 1.4.11). */
const shapeContrastMin = 3

const texts: readonly ColorName[] = ['text', 'muted', 'accent', 'success', 'warning', 'danger']
const charts = (Object.keys(colors) as ColorName[]).filter((name) => name.startsWith('chart-'))
const grounds: readonly ColorName[] = ['page', 'surface', 'raised']

test.each(['light', 'dark'] as const)('every text is readable on every ground in %s', (theme) => {
  const at = theme === 'light' ? 0 : 1
  const contrast = (one: ColorName, other: ColorName) => contrastOf(colors[one][at], colors[other][at])
  for (const ground of grounds)
    for (const text of texts) expect(contrast(text, ground), `${text} on ${ground}`).toBeGreaterThanOrEqual(contrastMin)
  for (const state of ['accent', 'success', 'warning', 'danger'] as const) {
    expect(contrast(state, `${state}-quiet`), state).toBeGreaterThanOrEqual(contrastMin)
    expect(contrast('text', `${state}-quiet`), state).toBeGreaterThanOrEqual(contrastMin)
  }
  expect(contrast('on-accent', 'accent')).toBeGreaterThanOrEqual(contrastMin)
  for (const name of ['control', ...charts] as const)
    expect(contrast(name, 'surface'), name).toBeGreaterThanOrEqual(shapeContrastMin)
})

test('no two parts of a bar look alike', () => {
  for (const at of [0, 1] as const) expect(new Set(charts.map((name) => colors[name][at])).size).toBe(charts.length)
})

test('the element’s defaults are the colours of the other pages', () => {
  const path = new URL('../../../widget/src/styles/card.ts', import.meta.url)
  const wide = (color = '') => (color.length === 4 ? color.replace(/[\da-f]/g, '$&$&') : color)
  const pairs = [...readFileSync(path, 'utf8').matchAll(/--sc-([a-z]+), light-dark\((#\w+), (#\w+)\)/g)]
  const defaults = Object.fromEntries(pairs.map(([, name = '', light, dark]) => [name, [wide(light), wide(dark)]]))
  const { text, muted, border, accent, success, warning, danger } = colors
  expect(defaults).toEqual({
    background: colors.surface,
    surface: colors.raised,
    text,
    muted,
    border,
    accent,
    success,
    warning,
    danger,
  })
})

test('a page that has the tokens’ declarations has every colour in both themes', () => {
  expect(tokenStyles).toContain('--color-text:light-dark(#151922,#f2f4f8);')
  expect(tokenStyles).not.toMatch(/[{}<]/)
})
