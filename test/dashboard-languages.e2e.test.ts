import { expect, test } from 'vitest'
import { foreignWordsIn } from '../bff/dashboard/locales/foreign-words.ts'
import { type LanguageCode, languageNames } from '../bff/dashboard/locales/locale.ts'
import { expectAccessible } from './harness/accessible.ts'
import { looks, openBrowser } from './harness/browser.ts'
import { openDashboard } from './harness/dashboard.ts'
import { dashboardPaths, showPage } from './harness/dashboard-pages.ts'
import { openStory } from './harness/story.ts'

const story = await openStory('dashboard-languages')
const browser = await openBrowser()
const owner = await openDashboard(story)
const { id } = await story.bff.createDeposit({ amount: '25.00', orderId: '7' })

const others = (Object.keys(languageNames) as LanguageCode[]).filter((code) => code !== 'en')
/** One that reads from right to left, one with long words, one without spaces; all others by night. */
const visited = process.env['QUICK'] === '1' ? others.filter((code) => ['ar', 'de', 'zh'].includes(code)) : others
const paths = dashboardPaths(id)

/** Names of the shop, its person, networks, programs and commands, ids, codes of languages in snippets, and parts of times. */
const names =
  /Corner Coffee|^\s*C\s*$|^\s*Owner\s*$|^\s*node\s*$|^\s*[a-z]{2}\s*$|Devnet(?: B)?|SQLite|stablecoin-checkout(?: backup)?|\b0x[\da-f]+|\b[ap]m\b|\b[\da-f]{8}-[\da-f-]{27}/gi

/** Runs in the page: what it says, with what it says to a screen reader, except in code and where it names another language. */
function said(): string[] {
  const own = document.documentElement.lang
  const found: string[] = []
  const read = (node: Node): void => {
    if (node instanceof Text) found.push(node.data)
    if (node instanceof Element) {
      if (/^(?:style|script|code|pre|svg|wa-icon)$/.test(node.localName)) return
      if (node.getAttribute('translate') === 'no' || (node.getAttribute('lang') ?? own) !== own) return
      for (const name of ['aria-label', 'label', 'title', 'placeholder', 'alt', 'hint'])
        found.push(node.getAttribute(name) ?? '')
      for (const child of node.shadowRoot?.childNodes ?? []) read(child)
    }
    for (const child of node.childNodes) read(child)
  }
  read(document.body)
  return found.filter((text) => text.trim() !== '')
}

test.each(visited)(
  'in "%s" no page of the dashboard says a word of English or scrolls sideways on a telephone',
  async (language) => {
    const foreign = foreignWordsIn(language)
    const found: string[] = []
    const { viewport } = looks.narrow
    const site = owner.site('', async (page) => {
      await page.addInitScript((code) => localStorage.setItem('language', code), language)
      await page.setViewportSize(viewport)
    })
    await browser.visit(site, async ({ page }) => {
      await page.locator('main h1').first().waitFor()
      for (const [index, path] of paths.entries()) {
        await showPage(page, path)
        for (const text of await page.evaluate(said))
          for (const word of foreign(text.replaceAll(names, ' '))) found.push(`${path}: ${word} (${text.trim()})`)
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        if (overflow > 0) found.push(`${path}: scrolls sideways by ${overflow} px`)
        // Each page in another language: their words differ, their markup does not.
        if (index % visited.length === visited.indexOf(language)) await expectAccessible(page, 'narrow')
      }
    })
    expect([...new Set(found)]).toEqual([])
  },
)
