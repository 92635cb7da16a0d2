import { expect } from '@open-wc/testing'
import { parseAnswer } from '../api/parse-answer.ts'
import type { Payment } from '../payment.ts'
import { paymentId, type Wire, wireAnswer } from '../test/wire.ts'
import { evmWalletLinks, solanaWalletLinks, type WalletLink } from './wallet-links.ts'

const payment = (over: Wire = {}): Payment => {
  const answer = parseAnswer(wireAnswer(over))
  if (!answer) throw new Error('This is no payment.')
  return answer.payment
}
const onChain = (chainId: number) => payment({ Network: { name: 'A network', chainId, type: 'evm' } })
const byName = (links: WalletLink[]) => Object.fromEntries(links.map(({ name, url }) => [name, url]))
const apiBase = 'https://pay.example:8443/shop'
const page = encodeURIComponent(`${apiBase}/pay/${paymentId}`)

suite('a link into a phone’s wallet', () => {
  test('opens the same payment, in each wallet’s format', () => {
    expect(byName(evmWalletLinks(onChain(8453), apiBase))).to.deep.equal({
      MetaMask: `https://link.metamask.io/dapp/pay.example:8443/shop/pay/${paymentId}`,
      'Base (Coinbase Wallet)': `https://go.cb-w.com/dapp?cb_url=${page}`,
      'Trust Wallet': `https://link.trustwallet.com/open_url?coin_id=60&url=${page}`,
      Phantom: `https://phantom.app/ul/browse/${page}?ref=https%3A%2F%2Fpay.example%3A8443`,
      'OKX Wallet': `https://web3.okx.com/download?deeplink=${encodeURIComponent(`okx://wallet/dapp/url?dappUrl=${page}`)}`,
    })
    expect(byName(solanaWalletLinks(payment(), apiBase))).to.deep.equal({
      Phantom: `https://phantom.app/ul/browse/${page}?ref=https%3A%2F%2Fpay.example%3A8443`,
      Solflare: `https://solflare.com/ul/v1/browse/${page}?ref=https%3A%2F%2Fpay.example%3A8443`,
      'Trust Wallet': `https://link.trustwallet.com/open_url?coin_id=501&url=${page}`,
    })
  })

  test('is omitted for a wallet without the network', () => {
    for (const chainId of [1, 137])
      expect(byName(evmWalletLinks(onChain(chainId), apiBase))).to.have.property('Phantom')
    for (const chainId of [10, 56, 42161, 31337])
      expect(byName(evmWalletLinks(onChain(chainId), apiBase))).not.to.have.property('Phantom')
  })

  test('contains no secret: a link that no app opens goes to the wallet’s company', () => {
    const all = [...evmWalletLinks(onChain(1), apiBase), ...solanaWalletLinks(payment(), apiBase)]
    for (const { url } of all) expect(url).not.to.include('secret').and.not.to.include('#')
  })
})
