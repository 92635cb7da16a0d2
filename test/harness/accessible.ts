import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Asks axe what stands in the way of people on the page as it is now: in both themes, and as narrow as a small telephone.
 * @param tolerated - Ids of rules that the page breaks and no page of a shop does.
 */
export async function expectAccessible(page: Page, tolerated: readonly string[] = []): Promise<void> {
  const wide = page.viewportSize()
  // Beside the page's policy, which refuses scripts that are not its own.
  await page.evaluate(source)
  for (const [colorScheme, width] of [
    ['light', wide?.width ?? 1100],
    ['dark', wide?.width ?? 1100],
    ['light', 320],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: wide?.height ?? 900 })
    const { violations } = await page.evaluate(() => {
      const { axe } = window as unknown as { axe: { run(): Promise<AxeResults> } }
      return axe.run()
    })
    const found = violations.filter(({ id }) => !tolerated.includes(id))
    const reported = found.map(({ id, help, nodes }) => ({
      ...{ id, help, colorScheme, width },
      where: nodes.slice(0, 5).map(({ target, failureSummary }) => `${target.flat().join(' ')}: ${failureSummary}`),
    }))
    expect(reported).toEqual([])
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
  if (wide) await page.setViewportSize(wide)
}
