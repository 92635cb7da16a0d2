// A wallet for people without one: announced by EIP-6963, its keys on the shop's server, its money on the devnet. Not
// part of a real shop. Its deliberate faults are chosen in the panel under the card.

import { askCustomer } from './dialog.client.js'
import { add, choose, chosen, connect, isAdded, isConnected, knownChainIds, onChoice } from './settings.client.js'

/** The `behaviour` of an approved transaction, in the server's terms. */
const behaviours = { slow: 'slow', drop: 'drop', replace: 'replace' }

/** Require the customer's approval; other methods are reads, which the server forwards or refuses. */
const asking = new Set(['eth_sendTransaction', 'eth_signTypedData_v4', 'personal_sign', 'wallet_sendCalls'])

const listeners = new Map()
/** Pending methods. */
const open = new Set()
/** Account name to the promise of its address. */
const addresses = new Map()

const hex = (number) => `0x${number.toString(16)}`
const chainId = () => Number(chosen('chainId'))
const labelOf = (name) => document.querySelector(`[data-wallet=${name}] :checked`).textContent

const own = {
  eth_requestAccounts: async () => {
    if (!isConnected()) {
      await approve({ title: 'Connect to this page', facts: [] })
      connect()
      emit('connect', { chainId: hex(chainId()) })
      emit('accountsChanged', await accounts())
    }
    return await accounts()
  },
  eth_accounts: async () => (isConnected() ? await accounts() : []),
  eth_chainId: async () => hex(chainId()),
  wallet_switchEthereumChain: async ([wish]) => {
    const wanted = parseChainId(wish)
    const isUnknown = chosen('behaviour') === 'unknown-network' && !isAdded(wanted)
    if (!knownChainIds().includes(wanted) || isUnknown)
      throw refusal(4902, `This wallet has no chain ${wanted}; add it first.`)
    if (wanted === chainId()) return null
    await approve({ title: `Switch to chain ${wanted}`, facts: [] })
    moveTo(wanted)
    return null
  },
  wallet_addEthereumChain: async ([wish]) => {
    const wanted = parseChainId(wish)
    const { chainName, rpcUrls, nativeCurrency } = wish
    if (typeof chainName !== 'string' || chainName === '') throw refusal(-32602, 'chainName is missing')
    if (!Array.isArray(rpcUrls) || !rpcUrls.every((url) => URL.canParse(url)) || rpcUrls.length === 0) {
      throw refusal(-32602, 'rpcUrls must be a list of addresses')
    }
    if (nativeCurrency?.decimals !== 18 || typeof nativeCurrency.symbol !== 'string') {
      throw refusal(-32602, 'nativeCurrency must have a symbol and 18 decimals')
    }
    if (!knownChainIds().includes(wanted)) throw refusal(-32603, `The test wallet has no node for chain ${wanted}.`)
    await approve({
      title: `Add the network ${chainName}`,
      facts: [
        ['Chain', String(wanted)],
        ['Node', rpcUrls[0]],
      ],
    })
    add(wanted)
    moveTo(wanted)
    return null
  },
  wallet_getCapabilities: async ([address]) => {
    await requireConnected(address)
    const status = chosen('account') === 'smart' ? 'supported' : 'unsupported'
    return Object.fromEntries(knownChainIds().map((known) => [hex(known), { atomic: { status } }]))
  },
}

async function request({ method, params = [] }) {
  // Like real wallets, instead of opening a second window for the same request.
  if (open.has(method) && (asking.has(method) || method === 'eth_requestAccounts')) {
    throw refusal(-32002, `A ${method} is already waiting for the customer.`)
  }
  open.add(method)
  try {
    if (asking.has(method)) await requireConnected()
    if (own[method] !== undefined) return await own[method](params)
    return asking.has(method) ? await askThenDo(method, params) : await server('', method, params)
  } finally {
    open.delete(method)
  }
}

async function askThenDo(method, params) {
  const behaviour = chosen('behaviour')
  if (behaviour === 'no-signing' && method === 'eth_signTypedData_v4') {
    throw refusal(4200, 'This wallet does not sign typed data.')
  }
  // The shown request is executed: an account or network chosen meanwhile applies to the next one.
  const { account, chainId } = stateNow()
  // Listens at once: another behaviour may be chosen before the server has answered.
  const woken = behaviour === 'silent' ? nextBehaviour() : null
  const shown = await server('/describe', method, params)
  await woken
  await approve(shown, behaviour)
  return await server('', method, params, { ...stateNow(), account, chainId })
}

/** A silent wallet asks when another behaviour is chosen, or never. */
const nextBehaviour = () => new Promise((resolve) => onChoice((name) => name === 'behaviour' && resolve()))

/** @throws when the customer declines. */
async function approve({ title, facts }, behaviour = '') {
  const shown = { title, facts, account: labelOf('account'), network: labelOf('chainId') }
  if (behaviour === 'reject' || !(await askCustomer(shown))) throw refusal(4001, 'The customer rejected the request.')
}

async function requireConnected(address) {
  if (!isConnected()) throw refusal(4100, 'This page is not connected to the wallet.')
  const [account] = await accounts()
  if (address !== undefined && String(address).toLowerCase() !== account.toLowerCase()) {
    throw refusal(4100, `This page may not use ${address}; it is connected to ${account}.`)
  }
}

/** The server prepares the account before it returns the address. */
async function accounts() {
  const name = chosen('account')
  if (!addresses.has(name)) addresses.set(name, server('', 'eth_requestAccounts', []))
  try {
    return await addresses.get(name)
  } catch (error) {
    addresses.delete(name)
    throw error
  }
}

function moveTo(wanted) {
  if (chosen('behaviour') === 'stuck-network' || wanted === chainId()) return
  choose('chainId', String(wanted))
  emit('chainChanged', hex(wanted))
}

function parseChainId(wish) {
  if (/^0x[1-9a-f][0-9a-f]*$/.test(wish?.chainId)) return Number(wish.chainId)
  throw refusal(-32602, 'chainId must be a number in hex without leading zeros')
}

const stateNow = () => ({
  account: chosen('account'),
  chainId: chainId(),
  behaviour: behaviours[chosen('behaviour')] ?? 'honest',
})

async function server(path, method, params, state = stateNow()) {
  const response = await fetch(`/demo/wallet${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...state, method, params }),
    // An approved transaction is sent even if the page is gone, as by a wallet outside the page.
    keepalive: true,
  }).catch(() => null)
  // Not 4900: a transaction may have been sent, and the page must not treat this as a refusal.
  if (response === null) throw refusal(-32603, 'The test wallet’s server did not respond.')
  const { result, error } = await response.json()
  if (error === undefined) return result
  throw refusal(error.code, error.message, error.data)
}

function refusal(code, message, data) {
  return Object.assign(new Error(message), data === undefined ? { code } : { code, data })
}

function emit(event, detail) {
  for (const listener of [...(listeners.get(event) ?? [])]) listener(detail)
}

const provider = {
  request,
  on(event, listener) {
    listeners.set(event, [...(listeners.get(event) ?? []), listener])
    return provider
  },
  removeListener(event, listener) {
    listeners.set(
      event,
      (listeners.get(event) ?? []).filter((one) => one !== listener),
    )
    return provider
  },
}

onChoice(async (name) => {
  if (name === 'chainId') emit('chainChanged', hex(chainId()))
  if (name === 'account' && isConnected()) emit('accountsChanged', await accounts())
})

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%235b4b8a'/%3E%3Cpath d='M7 11h18v12H7zM7 11l12-4v4M20 17h5' fill='none' stroke='%23fff' stroke-width='2'/%3E%3C/svg%3E"
const info = { uuid: crypto.randomUUID(), name: 'Test wallet', icon, rdns: 'example.corner-coffee.test-wallet' }
const detail = Object.freeze({ info: Object.freeze(info), provider })

const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
window.addEventListener('eip6963:requestProvider', announce)
announce()
