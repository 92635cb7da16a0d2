import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { colors } from '../core/design-tokens.ts'
import { contrastMin, contrastOf, grounds, pageColorsOf } from './page-colors.ts'

test('contrast is WCAG’s, from one to twenty-one, in either order', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.478, 3)
  expect(contrastOf('#ffffff', '#767676')).toBeCloseTo(4.542, 3)
  expect(contrastOf('#2b50c8', '#2b50c8')).toBe(1)
})

test('any colour is read on every ground of both themes, and so is the text on its buttons', () => {
  const someColor = fc.integer({ min: 0, max: 0xffffff }).map((rgb) => `#${rgb.toString(16).padStart(6, '0')}`)
  fc.assert(
    fc.property(someColor, (color) => {
      const { light, onLight, dark, onDark } = pageColorsOf(color)
      for (const ground of grounds.light) expect(contrastOf(light, ground)).toBeGreaterThanOrEqual(contrastMin)
      for (const ground of grounds.dark) expect(contrastOf(dark, ground)).toBeGreaterThanOrEqual(contrastMin)
      expect(contrastOf(onLight, light)).toBeGreaterThanOrEqual(contrastMin)
      expect(contrastOf(onDark, dark)).toBeGreaterThanOrEqual(contrastMin)
    }),
  )
})

test('a colour that can be read stays as it is, and another keeps its hue', () => {
  expect(pageColorsOf('#2b50c8').light).toBe('#2b50c8')
  expect(pageColorsOf('#93adff').dark).toBe('#93adff')
  expect(pageColorsOf('#ffd400')).toEqual({ light: '#836d00', onLight: '#ffffff', dark: '#ffd400', onDark: '#0c1226' })
  expect(pageColorsOf('#000000').dark).toMatch(/^#([0-9a-f]{2})\1\1$/)
})

test('the grounds are those of the cards and of the page around them', () => {
  const page = readFileSync(new URL('../checkout/pay-page/page-frame.ts', import.meta.url), 'utf8')
  for (const [at, name] of (['surface', 'raised', 'page'] as const).entries()) {
    expect([grounds.light[at], grounds.dark[at]]).toEqual([...colors[name]])
    if (name !== 'raised') expect(page).toContain(`background:var(--color-${name})`)
  }
})
