import { expect } from '@open-wc/testing'
import { RpcError } from '../test/chain.ts'
import { ElsewhereStage } from '../test/elsewhere-stage.ts'
import type { CheckoutPage } from '../test/page.ts'
import { pressWhenShown, shown, WalletStage } from '../test/wallet-stage.ts'
import { later as german } from './later/de.ts'
import { later as spanish } from './later/es.ts'
import type { Words } from './say.ts'

const codes = ['ar', 'de', 'es', 'fr', 'hi', 'id', 'pt', 'sw', 'tr', 'vi', 'zh']
const wordsOf = async (code: string): Promise<Words> => (await import(`./${code}.ts`)).words

/** What is shown must fit a narrow page, and be readable by everyone. */
async function fits(page: CheckoutPage): Promise<void> {
  const card = page.find('.card')
  expect(card?.scrollWidth).to.be.at.most(card?.clientWidth ?? 0)
  await expect(page.element).to.be.accessible()
}

suite('a wallet in another language', () => {
  let stage: WalletStage
  setup(() => {
    stage = new WalletStage()
  })
  teardown(() => stage.strike())

  test('asks, and says that a refusal has cost nothing, in Spanish', async () => {
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
      const words = await wordsOf(code)
      stage.wallet.held.add('eth_requestAccounts')
      const page = await stage.open({ lang: code })
      page.element.style.width = '320px'
      await pressWhenShown(page, words.payWithWallet ?? '')
      await shown(page, words.chooseWallet ?? '')
      await fits(page)
      await page.press('Fern Wallet')
      await shown(page, words.askConnect ?? '')
      await fits(page)
    })
})

suite('paying from another chain in another language', () => {
  let stage: ElsewhereStage
  setup(() => {
    stage = new ElsewhereStage()
  })
  teardown(() => stage.strike())

  test('says exactly what to send and what becomes of it, in German', async () => {
    const page = await stage.open({ lang: 'de' })
    await pressWhenShown(page, german.elsewhereTitle)
    await shown(page, german.elsewhereChain)
    await page.press(german.elsewhereGo)
    await shown(page, 'Senden Sie genau 25,075 USDC, in einer einzigen Transaktion')
    await shown(page, 'Der Shop erhält 25,00 USDC auf Devnet')
    expect(page.find('[data-source=amount]')?.textContent).to.equal('25.075')
    stage.away = { bridgeStatus: 'failure' }
    await page.lookUntilShown(german.elsewhereFailingText)
  })

  for (const code of codes)
    test(`fits 320 px in ${code}`, async () => {
      const words = await wordsOf(code)
      const page = await stage.open({ lang: code })
      page.element.style.width = '320px'
      await pressWhenShown(page, words.elsewhere ?? '')
      await shown(page, words.elsewhereChain ?? '')
      await fits(page)
      await page.press(words.elsewhereGo ?? '')
      await shown(page, words.elsewhereOther ?? '')
      await fits(page)
    })
})
