import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Prints from a link's dialog, and checks the sheet: the link's code and address in black on white, and no controls. */
export async function expectPaper(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.print = () => document.body.toggleAttribute('data-printed')
  })
  await page.getByRole('button', { name: 'Print' }).click()
  await page.locator('body[data-printed]').waitFor()
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.getByRole('heading', { name: 'Links' }).waitFor({ state: 'hidden' })
  await page.getByRole('img', { name: 'QR code of the link' }).waitFor()
  await page.getByRole('link', { name: '/pay/pl_' }).waitFor()
  await page.locator('wa-dialog[open]').getByText('Corner Coffee').waitFor()
  expect(await page.getByRole('button').count()).toBe(0)
  expect(await page.getByRole('table').count()).toBe(0)
  const colors = () =>
    page.locator('wa-dialog').evaluate((dialog) => {
      const text = getComputedStyle(dialog.querySelector('strong') ?? dialog).color
      return [
        getComputedStyle(document.body).backgroundColor,
        ...(text.match(/\d+/g) ?? []).map((one) => Number(one) < 50),
      ]
    })
  expect(await colors()).toEqual(['rgb(255, 255, 255)', true, true, true])
  await page.emulateMedia({ media: null, colorScheme: null })
}
