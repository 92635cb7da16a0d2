import { expect } from '@open-wc/testing'
import { RpcError } from '../test/chain.ts'
import { CrossChainStage } from '../test/cross-chain-stage.ts'
import type { CheckoutPage } from '../test/page.ts'
import { turnOfPage } from '../test/wait-until.ts'
import { pressWhenShown, shown, WalletStage } from '../test/wallet-stage.ts'
import { messages as german } from './de.ts'
import type { Messages } from './en.ts'
import { messages as spanish } from './es.ts'
import { languages } from './locale-controller.ts'

const codes = Object.keys(languages).filter((code) => code !== 'en')
const messagesOf = async (code: string): Promise<Messages> => (await import(`./${code}.ts`)).messages

/** Screens must fit a narrow page in every language. Accessibility is tested once per screen, not per language. */
function expectFits(page: CheckoutPage): void {
  const card = page.find('.card')
  expect(card?.scrollWidth).to.be.at.most(card?.clientWidth ?? 0)
}

suite('a wallet in another language', () => {
  let stage: WalletStage
  setup(() => {
    stage = new WalletStage()
  })
  teardown(() => stage.strike())

  test('a prompt and its refusal, which cost nothing, in Spanish', async () => {
    stage.wallet.faults.push({ method: 'eth_sendTransaction', error: new RpcError(4001, 'no') })
    stage.wallet.held.add('eth_requestAccounts')
    const page = await stage.open({ lang: 'es' })
    await pressWhenShown(page, 'Pagar con monedero')
    await pressWhenShown(page, 'Fern Wallet')
    await shown(page, spanish.askConnect)
    stage.wallet.release()
    await shown(page, spanish.stopRejected)
    await shown(page, spanish.stopRejectedText)
    await pressWhenShown(page, 'Reintentar')
    await shown(page, 'ha llegado a la tienda')
    expect(stage.chain.paid).to.equal(1)
  })

  for (const code of codes)
    test(`fits 320 px in ${code}`, async () => {
      const messages = await messagesOf(code)
      stage.wallet.held.add('eth_requestAccounts')
      const page = await stage.open({ lang: code })
      page.element.style.width = '320px'
      await pressWhenShown(page, messages.payWithWallet)
      await shown(page, messages.chooseWallet)
      expectFits(page)
      await page.press('Fern Wallet')
      await shown(page, messages.askConnect)
      expectFits(page)
    })
})

test('screens wait for the texts of the language that is chosen while those of another one load', async () => {
  const stage = new WalletStage()
  const kept = { ...languages }
  await Promise.all([kept.fr(), kept.de()])
  const load: Record<string, () => void> = {}
  const hold = (code: 'fr' | 'de') => {
    const isHeld = new Promise<void>((resolve) => {
      load[code] = resolve
    })
    Object.assign(languages, { [code]: () => isHeld.then(() => kept[code]()) })
  }
  try {
    hold('fr')
    hold('de')
    const page = await stage.open({ lang: 'fr' })
    // The screens are asked for after two frames.
    for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame)
    page.element.setAttribute('lang', 'de')
    await page.element.updateComplete
    load['fr']?.()
    await turnOfPage()
    await turnOfPage()
    expect(page.hasScreens).to.equal(false)
    load['de']?.()
    await shown(page, german.exchange)
  } finally {
    Object.assign(languages, kept)
    stage.strike()
  }
})

suite('paying from another chain in another language', () => {
  let stage: CrossChainStage
  setup(() => {
    stage = new CrossChainStage()
  })
  teardown(() => stage.strike())

  test('shows exactly what to send and what follows, in German', async () => {
    const page = await stage.open({ lang: 'de' })
    await pressWhenShown(page, german.crossChainTitle)
    await shown(page, german.crossChainChain)
    await page.press(german.crossChainGo)
    await shown(page, 'Senden Sie genau 25,075 USDC, in einer einzigen Transaktion')
    await shown(page, 'Der Shop erhält 25,00 USDC auf Devnet')
    expect(page.find('[data-source=amount]')?.textContent).to.equal('25.075')
    stage.away = { bridgeStatus: 'failure' }
    await page.pollUntilShown(german.crossChainFailingText)
  })

  for (const code of codes)
    test(`fits 320 px in ${code}`, async () => {
      const messages = await messagesOf(code)
      const page = await stage.open({ lang: code })
      page.element.style.width = '320px'
      await pressWhenShown(page, messages.payFromOtherChain)
      await shown(page, messages.crossChainChain)
      expectFits(page)
      await page.press(messages.crossChainGo)
      await shown(page, messages.crossChainOther)
      expectFits(page)
    })
})
