import { colors } from '@stablecoin-checkout/bff/design-tokens'
import { expect, test } from 'vitest'
import { barStyles, classOf } from './stacked-bars.ts'

test('as many tokens as there are colours for charts each have their own', () => {
  const charts = Object.keys(colors).filter((name) => name.startsWith('chart-'))
  expect(charts.length).toBeGreaterThan(5)
  for (const [at, name] of charts.entries()) {
    expect(barStyles.cssText).toMatch(new RegExp(`\\.${classOf(at)} \\{[^}]*background: var\\(--color-${name}\\)`))
  }
})
