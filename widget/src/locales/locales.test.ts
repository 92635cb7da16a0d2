import { expect } from '@open-wc/testing'
import { CheckoutPage } from '../test/page.ts'
import { address, EmulatedService, short } from '../test/service.ts'
import { states } from '../test/states.ts'
import { waitUntil } from '../test/wait-until.ts'
import { messages as english, type MessageKey, type Messages } from './en.ts'
import { languages } from './locale-controller.ts'

const codes = Object.keys(languages).filter((code) => code !== 'en')
const messagesOf = async (code: string): Promise<Messages> => (await import(`./${code}.ts`)).messages
const placesIn = (text: string) => [...new Set(text.match(/\{\d}/g) ?? [])].sort()

let service: EmulatedService
let count = 0
setup(() => {
  sessionStorage.clear()
  service = new EmulatedService()
})
teardown(() => service.restore())
const open = (attributes: Record<string, string>) =>
  CheckoutPage.open({ 'order-id': `words-${count++}`, ...attributes })

suite('every language', () => {
  for (const code of codes)
    test(`${code} has every text that English has, with the same values`, async () => {
      const messages = await messagesOf(code)
      expect(Object.keys(messages).sort()).to.deep.equal(Object.keys(english).sort())
      for (const [key, text] of Object.entries(messages)) {
        expect(placesIn(text), `${code} ${key}`).to.deep.equal(placesIn(english[key as MessageKey]))
        expect(text.trim(), key).to.equal(text).and.not.to.equal('')
      }
    })
})

test('no text contains a name of the code', async () => {
  const all = [english, ...(await Promise.all(codes.map(messagesOf)))].flatMap((messages) => Object.values(messages))
  const names = all.flatMap((text) => text.match(/\p{L}*\p{Ll}\p{Lu}\p{L}*/gu) ?? [])
  expect(names.filter((name) => name !== 'WalletConnect')).to.deep.equal([])
})

suite('the language of the page', () => {
  const spanish = 'Esperando tu pago'

  test('is the tag’s, with its number format and Latin digits', async () => {
    service.payment = short
    const page = await open({ lang: 'es-MX' })
    await page.pollUntilShown('Falta por enviar')
    expect(page.text('[part=amount]')).to.match(/15[.,]00/)
    expect(page.find('.card')?.getAttribute('lang')).to.equal('es')
    const german = await open({ lang: 'de' })
    await german.pollUntilShown('Noch zu senden')
    expect(german.text('[part=amount]')).to.include('15,00')
    expect(german.find('[data-source=amount]')?.textContent).to.equal('15.00')
  })

  test('is else an ancestor’s, and changes with the attribute', async () => {
    const page = await open({})
    page.element.parentElement?.setAttribute('lang', 'fr')
    page.element.requestUpdate()
    await waitUntil(() => page.text('[part=status]') === 'En attente de votre paiement')
    page.element.setAttribute('lang', 'es')
    await waitUntil(() => page.text('[part=status]') === spanish)
    page.element.setAttribute('lang', 'en')
    await waitUntil(() => page.text('[part=status]') === 'Waiting for your payment')
  })

  test('is English when unsupported or when loading fails', async () => {
    const page = await open({ lang: 'xx' })
    expect(page.text('[part=status]')).to.equal('Waiting for your payment')
    expect(page.find('.card')?.getAttribute('lang')).to.equal('en')
  })

  test('two elements on a page may use two languages', async () => {
    const one = await open({ lang: 'es' })
    await waitUntil(() => one.text('[part=status]') === spanish)
    const other = document.createElement('stablecoin-checkout')
    for (const { name, value } of [...one.element.attributes]) other.setAttribute(name, value)
    other.setAttribute('lang', 'zh')
    other.setAttribute('order-id', `words-${count++}`)
    one.element.after(other)
    await waitUntil(() => other.renderRoot.textContent?.includes('正在等待您的付款'))
    one.element.requestUpdate()
    await one.element.updateComplete
    expect(one.text('[part=status]')).to.equal(spanish)
  })

  test('is right to left in Arabic, where addresses and amounts keep their direction', async () => {
    const page = await open({ lang: 'ar' })
    await waitUntil(() => page.find('.card')?.getAttribute('dir') === 'rtl')
    await waitUntil(() => page.hasScreens)
    expect(page.text('[part=address]')).to.equal(address)
    expect(getComputedStyle(page.find('[part=address]') as Element).direction).to.equal('ltr')
    expect(page.text('.note')).to.include('\u2068USDC\u2069')
    await expect(page.element).to.be.accessible()
  })
})

suite('amounts', () => {
  const shown = { en: '1,250.00', de: '1.250,00', ar: '1,250.00', fr: '1 250,00', hi: '1,250.00', es: '1250,00' }
  for (const [lang, text] of Object.entries(shown))
    test(`are grouped in the format of ${lang}, and copied as plain decimals`, async () => {
      service.payment = { amount: '1250.00', amountRemaining: '1250.00' }
      const page = await open({ lang, amount: '1250.00' })
      await waitUntil(() =>
        page
          .text('[part=amount]')
          .replace(/[\u00a0\u202f]/g, ' ')
          .startsWith(text),
      )
      expect(page.find('[data-source=amount]')?.textContent).to.equal('1250.00')
    })

  test('are exact with any number of digits', async () => {
    const amount = '12345678901234567890.500000000000000001'
    service.payment = { amount, amountRemaining: amount }
    const page = await open({ amount })
    expect(page.text('[part=amount]')).to.include('12,345,678,901,234,567,890.500000000000000001')
  })
})

suite('a screen in another language', () => {
  for (const code of codes)
    test(`${code} has the word of each copy button in one line at 390 px`, async () => {
      service.payment = states['waiting'] ?? {}
      const page = await open({ lang: code })
      page.element.style.width = '390px'
      await waitUntil(() => page.hasScreens && page.find('.card')?.getAttribute('lang') === code)
      const buttons = [...page.element.renderRoot.querySelectorAll<HTMLElement>('[data-copy]')]
      expect(buttons.length).to.equal(2)
      for (const button of buttons) {
        const word = [...button.childNodes].find((node) => node.nodeType === 3 && node.textContent?.trim()) as Text
        const range = document.createRange()
        range.selectNodeContents(word)
        const { height } = range.getBoundingClientRect()
        const lineHeight = Number.parseFloat(getComputedStyle(button).lineHeight)
        expect(height, `${button.offsetWidth} px: ${word.textContent}`).to.be.below(lineHeight * 1.6)
      }
    })

  for (const code of codes)
    test(`${code} fits 320 px`, async () => {
      for (const name of ['waiting', 'too much']) {
        service.payment = states[name] ?? {}
        const page = await open({ lang: code })
        page.element.style.width = '320px'
        await waitUntil(() => page.hasScreens && page.find('.card')?.getAttribute('lang') === code)
        const card = page.find('.card')
        expect(card?.scrollWidth, `${code} ${name}`).to.be.at.most(card?.clientWidth ?? 0)
      }
    })

  // Two lines would read as two amounts.
  for (const code of ['en', 'ar', 'tr'])
    test(`${code} breaks no amount at 288 px`, async () => {
      for (const amount of ['25.00', '1250.00', '123456.78']) {
        service.payment = { amount, amountRemaining: amount }
        const page = await open({ lang: code, amount })
        page.element.style.width = '288px'
        await waitUntil(() => page.hasScreens && page.find('.card')?.getAttribute('lang') === code)
        const card = page.find('.card')
        expect(card?.scrollWidth, amount).to.be.at.most(card?.clientWidth ?? 0)
        const number = [...(page.find('[part=amount] bdi')?.childNodes ?? [])].find(
          (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
        )
        const range = document.createRange()
        range.selectNodeContents(number ?? page.find('[part=amount] [data-source]') ?? document.body)
        const lines = new Set([...range.getClientRects()].map(({ top }) => top))
        expect(lines.size, `${range}`).to.equal(1)
        page.element.remove()
      }
    })

  for (const code of codes)
    test(`${code} shows both ends of a transaction at 288 px`, async () => {
      service.payment = states['too much'] ?? {}
      const page = await open({ lang: code })
      page.element.style.width = '288px'
      await waitUntil(() => page.hasScreens && page.find('.card')?.getAttribute('lang') === code)
      const beginnings = [...page.element.renderRoot.querySelectorAll<HTMLElement>('.receipt .cut')]
      expect(beginnings.length).to.equal(2)
      // Three characters and the dots.
      for (const beginning of beginnings) expect(beginning.clientWidth).to.be.at.least(32)
      page.element.remove()
    })

  // The card of a payment's page on a phone of 320 px.
  for (const code of codes)
    test(`${code} breaks no word of the progress at 288 px`, async () => {
      service.payment = states['confirming'] ?? {}
      const page = await open({ lang: code })
      page.element.style.width = '288px'
      await waitUntil(() => page.hasScreens && page.find('.card')?.getAttribute('lang') === code)
      const card = page.find('.card')
      expect(card?.scrollWidth).to.be.at.most(card?.clientWidth ?? 0)
      const texts = [...page.element.renderRoot.querySelectorAll('ol li')].flatMap(({ childNodes }) =>
        [...childNodes].filter((node) => node.nodeType === Node.TEXT_NODE),
      )
      const words = texts.flatMap((text) =>
        [...(text.textContent ?? '').matchAll(/[\p{L}\p{M}]+/gu)].map((word) => ({ text, word })),
      )
      expect(words.length).to.be.at.least(4)
      for (const { text, word } of words) {
        const range = document.createRange()
        range.setStart(text, word.index)
        range.setEnd(text, word.index + word[0].length)
        expect(range.getClientRects().length, word[0]).to.equal(1)
      }
    })
})
