import { expect } from '@open-wc/testing'
import { CheckoutPage } from '../../test/page.ts'
import { EmulatedService, paid, paymentId, seen, type Wire } from '../../test/service.ts'
import { turnOfPage, waitUntil } from '../../test/wait-until.ts'
import { paidWords, shown } from '../../test/wallet-stage.ts'
import { timing } from '../../timing.ts'
import { savePendingTransaction } from '../pending-transactions.ts'
import { accountHex } from './tron-transfer.ts'

const usdt = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const other = 'TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj'
const deposit = 'TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK'
const account = 'TQooBX9o8iSSprLWW96YShBogx7Uwisuim'
const chainId = 728_126_428
const txId = '77'.repeat(32)

const tronDeposit: Wire = {
  ...{ network: 'tron', depositAddress: deposit, currency: 'USDT' },
  Token: { symbol: 'USDT', name: 'Tether USD', contractAddress: usdt, decimals: 6 },
  Network: {
    name: 'Tron',
    shortName: 'tron',
    chainId: String(chainId),
    type: 'tron',
    explorerUrl: 'https://tronscan.org/#',
  },
  qr: null,
}

/** A wallet at `window.tron`, by TIP-1193, with the part of TronWeb that pages use. */
class EmulatedTronLink {
  readonly prompts: string[] = []
  readonly sent: object[] = []
  chainId = chainId
  balance = 100_000_000n
  refusal: unknown = null
  broadcast: () => Promise<object> = async () => ({ result: true, txid: txId })
  /** Changes what the wallet's node builds. */
  twist: (built: Built) => void = () => {}
  /** The customer signs once this resolves. */
  held: Promise<void> = Promise.resolve()
  onSent = () => {}

  constructor() {
    Object.assign(window, { tron: this })
  }

  readonly isTronLink = true

  remove(): void {
    delete (window as { tron?: unknown }).tron
  }

  async request({ method, params }: { method: string; params?: { chainId: string }[] }): Promise<unknown> {
    this.prompts.push(method)
    this.failIfTold(method)
    if (method === 'wallet_switchEthereumChain') this.chainId = Number(params?.[0]?.chainId)
    return method === 'eth_requestAccounts' ? [account] : null
  }

  private failIfTold(method: string): void {
    const { refusal } = this
    if (refusal && (refusal as { on: string }).on === method) throw (refusal as { error: unknown }).error
  }

  readonly tronWeb = {
    trx: {
      getBlockByNumber: async () => ({ blockID: this.chainId.toString(16).padStart(64, '0') }),
      sign: async (transaction: object) => {
        this.prompts.push('sign')
        await this.held
        this.failIfTold('sign')
        return { ...transaction, signature: ['00'] }
      },
      sendRawTransaction: async (signed: object) => {
        const answer = await this.broadcast()
        this.sent.push(signed)
        this.onSent()
        return answer
      },
    },
    transactionBuilder: {
      triggerConstantContract: async () => ({ constant_result: [this.balance.toString(16).padStart(64, '0')] }),
      triggerSmartContract: async (
        contract: string,
        _: string,
        { feeLimit }: { feeLimit: number },
        [to, amount]: { value: string }[],
        from: string,
      ) => {
        const words = [accountHex(String(to?.value)).slice(2), BigInt(String(amount?.value)).toString(16)]
        const data = `a9059cbb${words.map((word) => word.padStart(64, '0')).join('')}`
        const value = { owner_address: accountHex(from), contract_address: accountHex(contract), data }
        const built: Built = {
          txID: txId,
          raw_data: { fee_limit: feeLimit, contract: [{ type: 'TriggerSmartContract', parameter: { value } }] },
        }
        this.twist(built)
        return { transaction: built }
      },
    },
  }
}

type Built = {
  txID: string
  raw_data: { fee_limit: number; contract: { type: string; parameter: { value: Record<string, unknown> } }[] }
}

// Loaded in advance, as when a customer sees the button: a busy machine takes time to compile it.
await Promise.all([import('../wallet-payments.ts'), import('./tron-payment.ts'), import('../../screens.ts')])

suite('a deposit on Tron', () => {
  const usual = { ...timing }
  const ofServer = {
    'payment-id': paymentId,
    'client-secret': 'cs_emulated',
    'public-key': '',
    amount: '',
    network: '',
  }
  let service: EmulatedService
  let wallet: EmulatedTronLink

  setup(() => {
    Object.assign(timing, { pollMs: 20, findMs: 50, slowMs: 200, retryMs: 20, switchMs: 200 })
    sessionStorage.clear()
    savePendingTransaction(paymentId, null)
    service = new EmulatedService()
    service.payment = { ...tronDeposit }
    wallet = new EmulatedTronLink()
    wallet.onSent = () => {
      service.payment = { ...service.payment, ...paid, transactionHash: txId }
    }
  })

  teardown(() => {
    wallet.remove()
    service.restore()
    Object.assign(timing, usual)
  })

  const pay = async (attributes: Record<string, string> = ofServer) => {
    const page = await CheckoutPage.open(attributes)
    await page.press('Pay with wallet')
    return page
  }

  test('shows the address, the fee and the one network, and no wallet where the browser has none of Tron', async () => {
    wallet.remove()
    const page = await CheckoutPage.open(ofServer)
    await shown(page, 'Network fee: your wallet pays about 7–14 TRX.')
    expect(page.text())
      .to.include('Send only USDT on Tron.')
      .and.not.include('Pay with wallet')
      .and.not.include('TronLink')
    expect(page.text().replaceAll(/\s/g, '')).to.include(deposit)
  })

  test('on a phone without a wallet of Tron is opened in the browser of one, without the secret', async () => {
    wallet.remove()
    Object.defineProperty(navigator, 'maxTouchPoints', { configurable: true, value: 5 })
    const page = await CheckoutPage.open(ofServer)
    await shown(page, 'Open this payment in your wallet: TronLink')
    const link = page.element.renderRoot.querySelector<HTMLAnchorElement>('a[href^=tronlinkoutside]')
    const [app, param = ''] = link?.href.split('?param=') ?? []
    expect(app).to.equal('tronlinkoutside://pull.activity')
    expect(JSON.parse(decodeURIComponent(param))).to.deep.equal({
      url: `https://pay.example/pay/${paymentId}`,
      action: 'open',
      protocol: 'TronLink',
      version: '1.0',
    })
    expect(link?.href).not.to.include('cs_emulated')
    await expect(page.element).to.be.accessible()
    Reflect.deleteProperty(navigator, 'maxTouchPoints')
  })

  test('is paid with one tap and one signature, for exactly what the screen shows', async () => {
    await shown(await pay(), paidWords)
    expect(wallet.prompts).to.deep.equal(['eth_requestAccounts', 'sign'])
    expect(wallet.sent).to.have.length(1)
    expect(service.asked.filter(({ method, url }) => method === 'POST' && /create|process/.test(url))).to.deep.equal([])
  })

  test('of the page itself stays a deposit: no payment by a contract is asked for', async () => {
    await shown(await pay({ network: 'tron', currency: 'USDT' }), paidWords)
    expect(service.asked.filter(({ url }) => url.includes('payments/create'))).to.deep.equal([])
  })

  test('is paid on its own chain only: the wallet is asked to switch, and nothing is built where it does not', async () => {
    wallet.chainId = 0xcd8690dc
    await shown(await pay(), paidWords)
    expect(wallet.prompts).to.deep.equal(['eth_requestAccounts', 'wallet_switchEthereumChain', 'sign'])
    service.payment = { ...tronDeposit }
    wallet.chainId = 0xcd8690dc
    wallet.refusal = { on: 'wallet_switchEthereumChain', error: new Error('unknown chain') }
    await shown(await pay(), 'Your wallet is on another network')
    expect(wallet.sent).to.have.length(1)
  })

  test('asks for nothing where the wallet has too few tokens: the transfer would fail and burn TRX', async () => {
    wallet.balance = 24_000_000n
    await shown(await pay(), 'You need 1 USDT more')
    expect(wallet.prompts).to.deep.equal(['eth_requestAccounts'])
  })

  test('can be asked for again after a refusal, in TronLink’s own words too', async () => {
    for (const error of ['Confirmation declined by user', Object.assign(new Error('no'), { code: 4001 })]) {
      wallet.refusal = { on: 'sign', error }
      await shown(await pay(), 'Not confirmed in your wallet')
    }
    expect(wallet.sent).to.deep.equal([])
    wallet.refusal = null
    await shown(await pay(), paidWords)
  })

  test('is not sent when the money of the QR code arrives while the wallet signs', async () => {
    let answer = () => {}
    wallet.held = new Promise((resolve) => {
      answer = resolve
    })
    const page = await pay()
    await waitUntil(() => wallet.prompts.includes('sign'))
    service.payment = { ...tronDeposit, ...seen }
    await page.pollUntilShown('Payment detected')
    answer()
    await turnOfPage()
    service.payment = { ...tronDeposit }
    await page.pollUntilShown('The payment on screen has changed')
    expect(wallet.sent).to.deep.equal([])
  })

  test('is not signed when the wallet’s node built another transaction', async () => {
    const twists: ((built: Built) => void)[] = [
      ({ raw_data: { contract } }) => Object.assign(contract[0]?.parameter.value ?? {}, { data: 'a9059cbb' }),
      ({ raw_data: { contract } }) =>
        Object.assign(contract[0]?.parameter.value ?? {}, { contract_address: accountHex(other) }),
      ({ raw_data: { contract } }) =>
        Object.assign(contract[0]?.parameter.value ?? {}, { owner_address: accountHex(other) }),
      ({ raw_data: { contract } }) => Object.assign(contract[0]?.parameter.value ?? {}, { call_value: 1 }),
      ({ raw_data: { contract } }) => Object.assign(contract[0] ?? {}, { type: 'TransferContract' }),
      ({ raw_data: { contract } }) => contract.push(...contract),
      ({ raw_data }) => Object.assign(raw_data, { fee_limit: 30_000_001 }),
    ]
    for (const twist of twists) {
      wallet.twist = twist
      await shown(await pay(), 'The wallet built another transaction than this payment')
    }
    expect(wallet.prompts).to.not.include('sign')
  })

  test('is not paid in another token than Tether’s, whatever the service says', async () => {
    service.payment = { ...tronDeposit, Token: { symbol: 'USDT', contractAddress: other, decimals: 6 } }
    await shown(await pay(), `The payment is in ${other}`)
    service.payment = { ...tronDeposit, Token: { symbol: 'USDT', contractAddress: usdt, decimals: 18 } }
    await shown(await pay(), `${usdt} has 6 decimals.`)
    expect(wallet.prompts).to.not.include('sign')
  })

  test('says why the node refused it, and asks again only then', async () => {
    wallet.broadcast = async () => ({ code: 'BANDWITH_ERROR', message: '6e6f2054525820666f722074686520666565' })
    wallet.onSent = () => {}
    await shown(await pay(), 'no TRX for the fee')
  })

  test('whose answer was lost is not asked for again, also after a reload', async () => {
    wallet.broadcast = async () => {
      throw new TypeError('Failed to fetch')
    }
    wallet.twist = (built) => Object.assign(built, { txID: `0x${txId}` })
    const page = await pay()
    await shown(page, 'Payment sent')
    expect(page.text()).to.include('View transaction')
    expect(page.element.shadowRoot?.querySelector<HTMLAnchorElement>('a[href*=tronscan]')?.href).to.equal(
      `https://tronscan.org/#/transaction/${txId}`,
    )
    page.element.remove()
    const again = await CheckoutPage.open(ofServer)
    await shown(again, 'Payment sent')
    expect(wallet.prompts).to.deep.equal(['eth_requestAccounts', 'sign'])
  })
})
