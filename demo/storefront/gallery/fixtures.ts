import { paymentQr } from '@stablecoin-checkout/bff/testing/checkout'
import { depositTransaction, memo, solanaDeposit, sponsoredTransaction } from '../../../widget/src/test/solana-wire.ts'
import { states } from '../../../widget/src/test/states.ts'
import { address, wireAnswer } from '../../../widget/src/test/wire.ts'
import { authorizationTypedData } from '../../../widget/src/wallet/evm/authorization.ts'
import { railStates } from './rail-fixtures.ts'

const paymentUri = `ethereum:${address}@31337/transfer?address=${address}&uint256=25000000`
const qr = paymentQr({ depositAddress: address, paymentUri })

const network = (shortName: string, name: string, confirmations: number, over: object = {}) => ({
  shortName,
  name,
  confirmations,
  confirmSeconds: null,
  feeLevel: null,
  ...over,
})
const stablecoins = [
  { symbol: 'USDC', Network: network('ethereum', 'Ethereum', 12, { confirmSeconds: 144, feeLevel: 'high' }) },
  { symbol: 'USDC', Network: network('base', 'Base', 10, { confirmSeconds: 20, feeLevel: 'low' }) },
  { symbol: 'USDT', Network: network('arbitrum', 'Arbitrum One', 240, { confirmSeconds: 60, feeLevel: 'low' }) },
  { symbol: 'USDC', Network: network('tempo', 'Tempo', 1, { confirmSeconds: 1, feeLevel: 'low' }) },
  { symbol: 'USDT', Network: network('tron', 'Tron', 19, { confirmSeconds: 57 }) },
  { symbol: 'USDT', Network: network('devnet', 'Devnet', 3) },
]

/** An error state of the element: the response to every request. */
const faults: Readonly<Record<string, { status: 400 | 401 | 503; body: object }>> = {
  'network down': {
    status: 400,
    body: { code: 'NETWORK_UNAVAILABLE', message: 'devnet cannot be paid on now: none of its nodes answers.' },
  },
  refused: { status: 401, body: { code: 'UNAUTHORIZED', message: 'The public key is not known.' } },
  'service unreachable': { status: 503, body: {} },
}

/** The page's wallet when asked to sign: leaves its prompt open, for a short or long time, declines, or signs. */
type WalletBehaviour = 'waits' | 'does not answer' | 'declines' | 'is slow to send' | 'signs'
type Family = 'evm' | 'solana'

/**
 * A state of the element: its name, which is part of its URL, and its additional attributes. With a `wallet` the
 * payment has its own id, and the page's script presses the buttons that lead to the state.
 */
export type Exhibit = {
  name: string
  attributes: Readonly<Record<string, string>>
  wallet?: { behaviour: WalletBehaviour; family: Family }
}

const terms = { amount: '25.00', currency: 'USDC', network: 'devnet' }

/** Overrides of a cross-chain payment, by bridge status. */
const bridged = (bridgeStatus: string, more: object = {}) => ({
  paymentMode: 'cross_chain',
  depositAddress: null,
  bridgeStatus,
  relayDepositAddress: address,
  amountToSend: '25075000',
  amountToSendFormatted: '25.075',
  originChainId: 8453,
  originCurrency: 'USDC',
  Origin: { name: 'Base', chainId: 8453, explorerUrl: 'https://explorer.example', tokenAddress: address, decimals: 6 },
  ...more,
})

/** States that the element's tests do not cover: the first screens of its lazily loaded parts. */
const more: Readonly<Record<string, object>> = {
  ...railStates,
  'pay with a wallet': { paymentMode: 'contract', depositAddress: null },
  'another chain': bridged('waiting'),
  'another chain, seen': bridged('depositing'),
  'another chain, on its way': bridged('pending'),
  'another chain, slow': bridged('delayed'),
  'another chain, delivered': bridged('success'),
  'another chain, failed': bridged('failure'),
  'another chain, sent back': bridged('refund', { bridgeRefundTxHash: `0x${'5c'.repeat(32)}` }),
}

/**
 * The progress of a payment whose fee the service pays, and the wallet's behaviour. A signature at the end is refused
 * by the service.
 */
const withoutGas: Readonly<Record<string, WalletBehaviour>> = {
  '': 'waits',
  ', the wallet does not answer': 'does not answer',
  ', declined': 'declines',
  ', being sent': 'is slow to send',
  ', refused by the service': 'signs',
}
const familyNames = { evm: 'EVM', solana: 'Solana' } as const

const sponsored: ReadonlyMap<string, NonNullable<Exhibit['wallet']>> = new Map(
  (['evm', 'solana'] as const).flatMap((family) =>
    Object.entries(withoutGas).map(
      ([how, behaviour]) => [`pay without gas on ${familyNames[family]}${how}`, { behaviour, family }] as const,
    ),
  ),
)

/** A payment link's state, before there is a payment. */
const links: Readonly<Record<string, 'open' | 'paid' | 'ended'>> = {
  'payment link': 'open',
  'payment link, paid': 'paid',
  'payment link, ended': 'ended',
}
const linkTerms = { 'public-key': 'pl_gallery', price: '23.03', 'price-currency': 'EUR' }

/** Every state that a customer can see. */
export const exhibits: readonly Exhibit[] = [
  { name: 'choose', attributes: { amount: '25.00' } },
  ...Object.keys({ ...states, ...more }).map((name) => ({
    name,
    attributes: { 'payment-id': '0b9f6c1e-5a55-4c3e-9f0e-2f1c6a7d8e90', 'client-secret': 'cs_gallery' },
  })),
  ...[...sponsored].map(([name, wallet]) => ({ name, wallet, attributes: {} })),
  ...Object.keys(links).map((name) => ({ name, attributes: linkTerms })),
  { name: 'button', attributes: { ...terms, display: 'button' } },
  ...Object.keys(faults).map((name) => ({ name, attributes: terms })),
  { name: 'isn’t set up', attributes: { ...terms, amount: '25,00' } },
]

type Reply = { status: 200 | 400 | 401 | 429 | 503; body: object }

/** The service's response; null for what is not displayed. `posted`: the request body. */
export function answerFor(name: string, path: string, origin: string, posted: Record<string, unknown>): Reply | null {
  const fault = faults[name]
  if (fault) return fault
  if (!exhibits.some((exhibit) => exhibit.name === name)) return null
  if (path.endsWith('/stablecoins')) return { status: 200, body: listOptions(origin) }
  if (path.endsWith('/links/public/pl_gallery')) {
    return { status: 200, body: { link: { state: links[name], returnUrl: 'https://shop.example/' } } }
  }
  const wallet = sponsored.get(name)
  if (wallet) return sponsoredAnswer(wallet.family, path, origin, posted)
  const answer = wireAnswer({ qr, paymentUri, ...states[name], ...more[name] })
  return { status: 200, body: { ...answer, payment: withLogos(origin, answer['payment'] as Pictured) } }
}

/** A deposit's payment, with the typed data for the wallet. */
function sponsoredAnswer(family: Family, path: string, origin: string, { feePayer }: Record<string, unknown>): Reply {
  if (path.endsWith('/authorize')) return { status: 429, body: { code: 'DAILY_LIMIT', message: 'Not today.' } }
  const id = path.split('/').at(-1) ?? ''
  if (path.includes('/solana-pay/')) {
    const transaction =
      feePayer === 'customer'
        ? depositTransaction()
        : sponsoredTransaction(({ instructions }) => instructions.splice(3, 1, memo(id)))
    return { status: 200, body: { transaction, message: '' } }
  }
  const deposit = family === 'evm' ? signedDeposit() : { ...solanaDeposit, paymentUri: null, sponsored: true }
  const answer = wireAnswer({ ...deposit, qr: null, id })
  return { status: 200, body: { ...answer, payment: withLogos(origin, answer['payment'] as Pictured) } }
}

/** A deposit paid by an ERC-3009 signature. */
function signedDeposit() {
  const validBefore = BigInt(Math.floor(Date.now() / 1000) + 15 * 60)
  const typedData = authorizationTypedData(
    {
      primaryType: 'TransferWithAuthorization',
      domain: { name: 'USD Coin', version: '2' },
      chainId: 31337,
      token: address,
      to: address,
      value: 25_000_000n,
      validBefore,
      nonce: null,
      termsCall: null,
    },
    null,
    null,
  )
  return { authorization: { typedData }, expiresAt: new Date(Number(validBefore) * 1000).toISOString() }
}

/** The logos in the service's response: a token, and its network. */
type Pictured = { Token: { symbol: string }; Network: { shortName: string } }

const tokenLogo = (origin: string, symbol: string) => `${origin}/gallery/logos/tokens/${symbol.toLowerCase()}.svg`

/** Development chains and Tron have the neutral logo. */
const networkLogo = (origin: string, name: string) =>
  `${origin}/gallery/logos/networks/${name.endsWith('devnet') || name === 'tron' ? 'other' : name}.svg`

const withLogos = (origin: string, { Token, Network, ...payment }: Pictured) => ({
  ...payment,
  Token: { ...Token, logo: tokenLogo(origin, Token.symbol) },
  Network: { ...Network, logo: networkLogo(origin, Network.shortName) },
})

const listOptions = (origin: string) => ({
  success: true,
  stablecoins: stablecoins.map(({ symbol, Network }) => ({
    symbol,
    logo: tokenLogo(origin, symbol),
    Network: { ...Network, logo: networkLogo(origin, Network.shortName) },
  })),
})
