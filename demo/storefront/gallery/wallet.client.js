// EVM and Solana wallets without a key, for the states that require a wallet: presses the customer's buttons, in one
// figure after the other, and marks those that show their state with `data-shown`. The state stays: no timer ends it.

const name = 'Fern Wallet'
const pressEveryMs = 50
/**
 * The element's own timeouts: after the first it says that the wallet does not respond, after the second that the
 * service does not.
 */
const slowMs = 15_000
const submitMs = 25_000
const never = new Promise(() => {})

/** The wallet's behaviour for the current figure, and its waiting caller. */
let behaviour = 'waits'
let onAsked = () => {}

/** The element's state when a wallet has not responded for long. */
let alarm = { run: () => {}, timer: 0 }
const { setTimeout: start, fetch: ask } = window

window.setTimeout = (run, ms, ...more) => {
  if (ms === submitMs && behaviour === 'is slow to send') return 0
  const timer = start.call(window, run, ms, ...more)
  if (ms === slowMs) alarm = { run, timer }
  return timer
}

/** Submitting the signature never completes: without a request, because browsers allow only a few at once. */
window.fetch = async (url, init) => {
  if (!String(url).endsWith('/authorize') || behaviour !== 'is slow to send') return await ask.call(window, url, init)
  onAsked('submit')
  return await never
}

/** The customer's answer to the signature prompt. */
async function signed(transaction) {
  const { run, timer } = alarm
  clearTimeout(timer)
  if (behaviour === 'does not answer') run()
  onAsked('sign')
  if (behaviour === 'waits' || behaviour === 'does not answer') return await never
  if (behaviour === 'declines') throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
  return transaction
}

async function sent() {
  clearTimeout(alarm.timer)
  onAsked('send')
  return await never
}

const features = {
  'standard:connect': { version: '1.0.0', connect: async () => ({ accounts }) },
  'solana:signTransaction': {
    version: '1.0.0',
    supportedTransactionVersions: ['legacy'],
    signTransaction: async ({ transaction }) => [{ signedTransaction: await signed(transaction) }],
  },
  'solana:signAndSendTransaction': {
    version: '1.0.0',
    supportedTransactionVersions: ['legacy'],
    signAndSendTransaction: sent,
  },
}
// 32 bytes of 9: the owner of the token account in the gallery's transactions.
const accounts = [
  {
    address: 'cGfHiC6Kgg3FpFZvgwGcswsCRtp4aBP2fzuXRQPizuN',
    chains: ['solana:devnet'],
    features: Object.keys(features),
  },
]
const wallet = { version: '1.0.0', name, icon: 'data:image/svg+xml,', chains: ['solana:devnet'], features, accounts }

const register = ({ register: add }) => add(wallet)
window.addEventListener('wallet-standard:app-ready', ({ detail }) => register(detail))
window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))

const word = (text) => `0x${text.padStart(64, '0')}`
/**
 * A node's answers about a token with 6 decimals and a sufficient balance: `decimals()`, `symbol()`, and every other
 * number.
 */
const calls = {
  '0x313ce567': word('6'),
  '0x95d89b41': `0x${'USDC'.replace(/./g, (one) => one.charCodeAt(0).toString(16)).padEnd(64, '0')}`,
}

async function answer({ method, params = [] }) {
  if (method === 'eth_accounts' || method === 'eth_requestAccounts') return [`0x${'aa'.repeat(20)}`]
  if (method === 'eth_chainId') return '0x7a69'
  if (method === 'eth_signTypedData_v4') return await signed(`0x${'11'.repeat(64)}1b`)
  if (method === 'eth_sendTransaction') return await sent()
  if (method === 'eth_call') return calls[params[0].data.slice(0, 10)] ?? word('ffffffffff')
  throw Object.assign(new Error('The wallet does not support this.'), { code: 4200 })
}

const info = { uuid: 'fern', rdns: 'example.fern', name, icon: wallet.icon }
const announce = () => {
  const detail = Object.freeze({ info, provider: { request: answer } })
  window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
}
// Only where needed: other states show a browser without a wallet.
let isAnnounced = false
function announceOnce() {
  if (isAnnounced) return
  isAnnounced = true
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
}

/** The last call, to the wallet or the service, before the state is reached. */
const lastAsked = { 'is slow to send': 'submit', signs: 'send' }

const pause = () => new Promise((resolve) => start.call(window, resolve, pressEveryMs))

/** Presses a button as soon as it exists. */
async function press(element, find) {
  for (;;) {
    // The element's script may not be loaded yet.
    const button = [...(element.shadowRoot?.querySelectorAll('button') ?? [])].find(find)
    if (button) return button.click()
    await pause()
  }
}

let turn = Promise.resolve()

/** Leads a figure to its state, one figure after the other. */
export function showState(figure) {
  if (figure.dataset.family === 'evm') announceOnce()
  turn = turn.then(() => lead(figure))
}

async function lead(figure) {
  const element = figure.querySelector('stablecoin-checkout')
  behaviour = figure.dataset.wallet
  const last = lastAsked[behaviour] ?? 'sign'
  const asked = new Promise((resolve) => {
    onAsked = (verb) => verb === last && resolve()
  })
  await press(element, (button) => button.matches('.main:not([inert] *)'))
  await press(element, (button) => button.textContent.includes(name))
  await asked
  // The customer's options after declining.
  while (behaviour === 'declines' && !element.shadowRoot.querySelector('button')) await pause()
  figure.dataset.shown = ''
}
