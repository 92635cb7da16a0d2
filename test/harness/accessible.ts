import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isNightly } from '@stablecoin-checkout/rig/nightly'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { type Look, looks } from './browser.ts'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Runs axe on the current page in one look; nightly in all three. Looks are distributed over the pages.
 * @param look - Without one, the page is checked only nightly, because another test checks it in another state.
 * @param tolerated - Ids of rules that this page violates, and no page of a shop does.
 * @param only - Ids of the only rules to check; empty: all. Only contrast depends on the theme.
 */
export async function expectAccessible(
  page: Page,
  look?: Look,
  tolerated: readonly string[] = [],
  only: readonly string[] = [],
): Promise<void> {
  const asked = isNightly ? (Object.keys(looks) as Look[]) : look ? [look] : []
  if (asked.length === 0) return
  const before = page.viewportSize()
  // Bypasses the page's policy, which refuses third-party scripts.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(source)
  for (const one of asked) {
    const { colorScheme, viewport } = looks[one]
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize(viewport)
    await page.waitForFunction(hasTheme)
    await page.evaluate(finishAnimations)
    const { violations, passes } = await page.evaluate((rules) => {
      const { axe } = window as unknown as { axe: { run(options: object): Promise<AxeResults> } }
      // For passes, report only the rules, not each element of the page.
      const asked = rules.length === 0 ? {} : { runOnly: { type: 'rule', values: rules } }
      return axe.run({ resultTypes: ['violations', 'incomplete'], ...asked })
    }, only)
    const found = violations.filter(({ id }) => !tolerated.includes(id))
    const reported = found.map(({ id, help, nodes }) => ({
      id,
      help,
      look: one,
      where: nodes.slice(0, 5).map(({ target, failureSummary }) => `${target.flat().join(' ')}: ${failureSummary}`),
    }))
    expect(reported).toEqual([])
    expect(passes.length, 'axe has looked at something').toBeGreaterThan(0)
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
  if (before) await page.setViewportSize(before)
}

/** Runs in the page: the dashboard follows the system's theme in an event, which comes with the next frame and begins transitions. */
function hasTheme(): boolean {
  const { classList } = document.documentElement
  const isThemed = classList.contains('wa-dark') || classList.contains('wa-light')
  if (!isThemed || ['light', 'dark'].includes(localStorage.getItem('theme') ?? '')) return true
  return classList.contains('wa-dark') === matchMedia('(prefers-color-scheme: dark)').matches
}

/** Runs in the page: a colour in transition belongs to neither theme, and a dialog that opens is half transparent. */
function finishAnimations(): void {
  const within = (root: Document | ShadowRoot): void => {
    for (const animation of root.getAnimations()) {
      // Some never end, such as those of a page that waits.
      if (Number.isFinite(animation.effect?.getComputedTiming().endTime)) animation.finish()
    }
    for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) within(shadowRoot)
  }
  within(document)
}
