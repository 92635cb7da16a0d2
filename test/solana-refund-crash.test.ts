import { PublicKey } from '@solana/web3.js'
import { expect, test } from 'vitest'
import { expectBooksToClose } from './harness/books.ts'
import { openStory } from './harness/story.ts'
import type { Failpoint } from './harness/striking-db.ts'
import { until } from './harness/until.ts'

const story = await openStory('solana-refund-crash', { gated: true, solana: true })
const { bff, receiver, merchant } = story
const solana = story.onSolana
if (!solana) throw new Error('The story is not on Solana')
const { chain, gate } = solana

type Refund = { id: string; address: string; status: string; paid: string; paymentUri: string; excess: string }

const headers = {
  'content-type': 'application/json',
  'x-api-key': merchant.apiKey,
  'x-api-secret': merchant.apiSecret,
}

async function post(path: string, body: object) {
  const { status, body: answer } = await bff.ask(`/api/v1${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  expect({ status, answer }).toMatchObject({ status: 200 })
  return answer['refund'] as Refund
}

const read = async (id: string) => (await bff.get(`/refunds/${id}`)).body['refund'] as Refund

async function startAgain(failpoint?: Failpoint): Promise<void> {
  await bff.kill()
  await bff.start({ failpoint })
}

async function onward(what: string, look: () => Promise<boolean>): Promise<void> {
  await until(what, async () => {
    if (await look()) return true
    await chain.advance(2)
    return false
  })
}

/** A deposit that its customer has paid, swept, and a refund of 5.25 of it. */
async function requested() {
  const payment = await bff.createDeposit({ amount: '25.00', network: 'solana-devnet' })
  await onward('the account to be made', () => chain.hasAccount(payment.depositAddress))
  await chain.finalize()
  await chain.pay(payment.depositAddress, '25.00')
  await onward('the sweep', async () => (await bff.read(payment.id))['status'] === 'swept')
  await chain.finalize()
  const address = await chain.newWallet()
  await chain.finalize()
  return { payment, refund: await post(`/payments/${payment.id}/refunds`, { amount: '5.25', address }) }
}

/** As a wallet pays that reads the payment request; confirmed and not final when this returns. @returns the signature. */
async function pay({ address, paymentUri }: Refund): Promise<string> {
  const instructions = chain.transferTo(address, '5.25')
  const reference = new PublicKey(new URL(paymentUri).searchParams.get('reference') ?? '')
  instructions.at(-1)?.keys.push({ pubkey: reference, isSigner: false, isWritable: false })
  const signature = await chain.send(instructions)
  await chain.advance(1)
  return signature
}

/** The refund is paid by the one transfer, once: in the books, at the customer, and for the merchant's server. */
async function expectPaidOnce(paymentId: string, { id, address }: Refund): Promise<void> {
  await chain.finalize()
  await until('the refund to be paid', async () => (await read(id)).status === 'paid')
  expect(await read(id)).toMatchObject({ paid: '5.25', excess: '0.00' })
  expect(await chain.balance(address)).toBe('5.25')
  const sql = 'select state, amount from transfers where payment_id = ?'
  expect(await bff.query(sql, id)).toEqual([{ state: 'confirmed', amount: '5250000' }])
  const events = () => receiver.types(paymentId).filter((type) => type.startsWith('refund.'))
  await expect.poll(events).toEqual(['refund.requested', 'refund.paid'])
  const ids = receiver.tries(paymentId).flatMap((one) => (one.type.startsWith('refund.') ? [one.id] : []))
  expect(new Set(ids).size).toBe(2)
}

const commits = [
  { name: 'its transfer is seen', nth: 1 },
  { name: 'its transfer is final', nth: 2 },
]

for (const { name, nth } of commits) {
  for (const at of ['inside', 'after'] as const) {
    const where = at === 'inside' ? 'before it is committed' : 'the moment it is committed'
    test(`killed when a refund is confirming and ${name}, ${where}: the refund is paid once`, async () => {
      const { payment, refund } = await requested()
      await startAgain({ writes: ['insert into transfers', 'update merchant_refunds'], nth, at })
      await pay(refund)
      if (nth === 2) {
        await until('the refund to be confirming', async () => (await read(refund.id)).status === 'confirming')
        await chain.finalize()
      }
      await until('the service to die', () => bff.isDead())
      await startAgain()
      // What was committed is there at once, and what was not is read from the chain again.
      await expectPaidOnce(payment.id, refund)
    })
  }
}

test('killed when the transaction that the merchant names was read and nothing was stored: named again, the refund is paid once', async () => {
  const { payment, refund } = await requested()
  const transactionHash = await pay(refund)
  gate.hold('getTransaction', 'after')
  const answer = post(`/refunds/${refund.id}/verify`, { transactionHash }).catch(() => 'lost')
  await gate.held('getTransaction')
  await bff.kill()
  gate.release()
  expect(await answer).toBe('lost')
  await startAgain()
  await post(`/refunds/${refund.id}/verify`, { transactionHash })
  await expectPaidOnce(payment.id, refund)
  // Too late to count twice.
  await post(`/refunds/${refund.id}/verify`, { transactionHash })
  expect(await read(refund.id)).toMatchObject({ status: 'paid', paid: '5.25', excess: '0.00' })
})

test('the books equal the chains', async () => {
  await expectBooksToClose(story)
})
