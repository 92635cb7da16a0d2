// The test wallet on Solana: registered by the Wallet Standard, its key on the shop's server, its money on the local
// Solana. Not part of a real shop.

import { askCustomer } from './dialog.client.js'
import { chosen } from './settings.client.js'

const listeners = new Set()
let accounts = []

/** @throws when the customer declines. */
async function approve(title, facts) {
  const shown = { title, facts, account: accounts[0]?.address ?? 'Test customer', network: 'Solana devnet' }
  if (chosen('behaviour') !== 'reject' && (await askCustomer(shown))) return
  throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
}

async function server(path, body) {
  const response = await fetch(`/demo/solana-wallet${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    // An approved transaction is sent even if the page is gone, as by a wallet outside the page.
    keepalive: true,
  })
  const { result, error } = await response.json()
  if (error === undefined) return result
  throw new Error(error)
}

const features = {
  'standard:connect': {
    version: '1.0.0',
    connect: async ({ silent = false } = {}) => {
      if (accounts.length === 0 && !silent) {
        await approve('Connect to this page', [])
        const address = await server('/account', {})
        accounts = [{ address, publicKey: new Uint8Array(32), chains: wallet.chains, features: Object.keys(features) }]
        for (const listener of listeners) listener({ accounts })
      }
      return { accounts }
    },
  },
  'standard:events': {
    version: '1.0.0',
    on: (_event, listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  },
  'solana:signTransaction': {
    version: '1.0.0',
    supportedTransactionVersions: ['legacy', 0],
    signTransaction: async ({ transaction, account, chain }) => {
      if (chosen('behaviour') === 'no-signing') throw new Error('This wallet signs only transactions that it sends.')
      if (account.address !== accounts[0]?.address) throw new Error('This page is not connected to the wallet.')
      const bytes = btoa(String.fromCharCode(...transaction))
      await approve('Sign a transaction', await server('/describe', { transaction: bytes, chain }))
      const signed = await server('/sign', { transaction: bytes, chain })
      return [{ signedTransaction: Uint8Array.from(atob(signed), (character) => character.charCodeAt(0)) }]
    },
  },
  'solana:signAndSendTransaction': {
    version: '1.0.0',
    supportedTransactionVersions: ['legacy', 0],
    signAndSendTransaction: async ({ transaction, account, chain }) => {
      if (account.address !== accounts[0]?.address) throw new Error('This page is not connected to the wallet.')
      const bytes = btoa(String.fromCharCode(...transaction))
      await approve('Send tokens', await server('/describe', { transaction: bytes, chain }))
      const signature = await server('/send', { transaction: bytes, chain, isDropped: chosen('behaviour') === 'drop' })
      return [{ signature: Uint8Array.from(atob(signature), (character) => character.charCodeAt(0)) }]
    },
  },
}

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%232f6f5e'/%3E%3Cpath d='M9 11h14l-3 3H6zM9 18h14l3 3H12z' fill='%23fff'/%3E%3C/svg%3E"
const wallet = Object.freeze({
  version: '1.0.0',
  name: 'Test wallet',
  icon,
  chains: ['solana:devnet'],
  features,
  get accounts() {
    return accounts
  },
})

const register = ({ register: add }) => add(wallet)
window.addEventListener('wallet-standard:app-ready', ({ detail }) => register(detail))
window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
