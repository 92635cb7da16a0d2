import { randomBytes } from 'node:crypto'
import { xpubAddress } from '@stablecoin-checkout/bff/testing/evm'
import { addressHex } from '@stablecoin-checkout/bff/testing/tron'
import type { Page } from 'playwright-core'
import type { Address } from 'viem'
import { HDKey } from 'viem/accounts'
import { expect, test } from 'vitest'
import { expectAccessible } from './harness/accessible.ts'
import { expectBooksToClose } from './harness/books.ts'
import { openBrowser, type Visit } from './harness/browser.ts'
import { openStorefront } from './harness/storefront.ts'
import { openStory } from './harness/story.ts'
import type { TempoStory } from './harness/tempo.ts'
import type { TronStory } from './harness/tron.ts'

const source = HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/60'/0'").publicExtendedKey
const story = await openStory('rails', {
  tempo: true,
  tron: true,
  settings: { platform: { feeBps: 0 } },
  evmSettings: { deposits: 'xpub' },
  evmWallet: `${source}@${xpubAddress({ source, number: 0 })}`,
})
const { bff, chain } = story
const tempo = story.onTempo as TempoStory
const tron = story.onTron as TronStory
const shop = await openStorefront(story)
const browser = await openBrowser()

const buy = (choice: string, use: (customer: Visit) => Promise<void>, prepare?: (page: Page) => Promise<unknown>) =>
  browser.visit({ url: shop.checkout(choice), origins: [shop.url, bff.url()], ...(prepare && { prepare }) }, use)

async function isPaid({ address, title, orderId }: Visit, deposit: string): Promise<void> {
  await expect.poll(title).toBe('Paid')
  expect(address).toBeDefined()
  const [row] = await bff.query<{ id: string }>('select id from payments where deposit_address = ?', deposit)
  await bff.shows(row?.id ?? '', { outcome: 'paid', settlement: { state: 'settled' }, sweepTxHash: null })
  await expect.poll(async () => (await shop.order(orderId())).state).toBe('paid')
}

test('a customer pays to an address of the merchant’s own wallet, and the money is there with the transfer', () =>
  buy('network=devnet&currency=USDC', async (customer) => {
    await customer.reads('Waiting for your payment')
    const deposit = await customer.address()
    const own = Array.from({ length: 10 }, (_, number) => xpubAddress({ source, number }))
    expect(own).toContain(deposit)
    await customer.press('Pay as the test customer')
    await customer.reads('Payment detected')
    await chain.mine(2)
    await isPaid(customer, deposit)
    expect(chain.format(await chain.balance('USDC', deposit as Address), 'USDC')).toBe('25.00')
  }))

test('a customer pays to a virtual address on Tempo, which the page names as good for this token there alone', () =>
  buy(`network=${tempo.shortName}&currency=USDC`, async (customer) => {
    await customer.reads(`Send only USDC on Tempo Devnet.`)
    await customer.reads('Anything else may be lost.')
    const deposit = await customer.address()
    await customer.press('Pay as the test customer')
    await isPaid(customer, deposit)
  }))

test('a customer without a wallet of Tron sees address and fee, and pays from a wallet that the page does not see', () =>
  buy('network=tron', async (customer) => {
    await customer.reads('Network fee: your wallet pays about 7–14 TRX.')
    expect(await customer.amount()).toBe('25.00 USDT')
    const deposit = await customer.address()
    expect(deposit).toMatch(/^T.{33}$/)
    expect(await customer.page.getByRole('button', { name: 'Pay with wallet' }).count()).toBe(0)
    expect(await customer.page.getByText('Address + amount').count()).toBe(0)
    await customer.portray('tron-deposit')
    await expectAccessible(customer.page, 'light')
    await customer.press('Pay as the test customer')
    await customer.reads('Payment detected')
    await tron.finalize()
    await isPaid(customer, deposit)
  }))

/** A wallet at `window.tron` as TronLink is, whose transfers are made on the chain behind the nodes. */
async function injectTronLink(page: Page): Promise<void> {
  const { blockID } = (await (await fetch(`${tron.nodes[0]?.url}/wallet/getblockbynum?num=0`)).json()) as {
    blockID: string
  }
  await page.exposeFunction('tronTransfer', async (data: string) => {
    const to: Address = `0x${data.slice(32, 72)}`
    return (await tron.transfer(to, BigInt(`0x${data.slice(72)}`))).transactionHash.slice(2)
  })
  await page.addInitScript(
    ({ genesis, customer, usdt, account }) => {
      const word = (hex: string) => hex.padStart(64, '0')
      type Parameter = { value: string }
      const hexOf: Record<string, string> = { [account]: customer }
      Object.assign(window, {
        tron: {
          isTronLink: true,
          request: async ({ method }: { method: string }) => (method === 'eth_requestAccounts' ? [account] : null),
          tronWeb: {
            trx: {
              getBlockByNumber: async () => ({ blockID: genesis }),
              sign: async (transaction: object) => ({ ...transaction, signature: ['00'] }),
              sendRawTransaction: async (signed: {
                raw_data: { contract: { parameter: { value: { data: string } } }[] }
              }) => {
                const data = signed.raw_data.contract[0]?.parameter.value.data ?? ''
                await (window as never as { tronTransfer(data: string): Promise<string> }).tronTransfer(data)
                return { result: true }
              },
            },
            transactionBuilder: {
              triggerConstantContract: async () => ({ constant_result: [word('ffffffff')] }),
              triggerSmartContract: async (
                _: string,
                __: string,
                { feeLimit }: { feeLimit: number },
                [to, amount]: Parameter[],
              ) => {
                const hex =
                  hexOf[to?.value ?? ''] ?? (window as never as { hexOf(text: string): string }).hexOf(to?.value ?? '')
                const value = {
                  owner_address: `41${customer}`,
                  contract_address: `41${usdt}`,
                  data: `a9059cbb${word(hex)}${word(BigInt(amount?.value ?? '0').toString(16))}`,
                }
                const contract = [{ type: 'TriggerSmartContract', parameter: { value } }]
                return { transaction: { txID: '77'.repeat(32), raw_data: { fee_limit: feeLimit, contract } } }
              },
            },
          },
        },
        hexOf: (text: string) => {
          const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
          const whole = [...text].reduce((sum, letter) => sum * 58n + BigInt(alphabet.indexOf(letter)), 0n)
          return (whole >> 32n).toString(16).slice(2)
        },
      })
    },
    {
      genesis: blockID,
      customer: tron.customer.address.slice(2).toLowerCase(),
      account: tron.accountOf(tron.customer.address),
      usdt: addressHex(tron.accountOf(tron.usdt)).slice(2),
    },
  )
}

test('a customer with TronLink pays with one tap', () =>
  buy(
    'network=tron',
    async (customer) => {
      const deposit = await customer.address()
      await customer.press('Pay with wallet')
      await customer.reads('Payment detected')
      await tron.finalize()
      await isPaid(customer, deposit)
    },
    injectTronLink,
  ))

test('the books equal the chains', async () => {
  // With nothing to watch, the service reads the head of a chain four times a minute only.
  await bff.createDeposit({ amount: '1.00', currency: 'USDT', network: 'tron' })
  await tron.finalize()
  await expectBooksToClose(story)
})
