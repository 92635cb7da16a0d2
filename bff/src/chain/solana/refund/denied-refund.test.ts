import { Keypair } from '@solana/web3.js'
import { mintTestTokens } from '@stablecoin-checkout/rig/devnet/solana/tokens'
import { type LyingNode, openLyingNode } from '@stablecoin-checkout/rig/lying-node'
import { openSolanaStage, type SolanaStage } from '@stablecoin-checkout/rig/solana-stage'
import { plainTransfers } from '@stablecoin-checkout/rig/solana-transfers'
import { afterEach, beforeEach, expect, test } from 'vitest'

let stage: SolanaStage
let liar: LyingNode
beforeEach(async () => {
  stage = await openSolanaStage({
    async nodes(truth) {
      liar = await openLyingNode(truth)
      // Nodes of one host count as one.
      return [liar.url, truth.replace('127.0.0.1', 'localhost')]
    },
  })
  const { connection, tokenOwner } = stage.solana
  await connection.requestAirdrop(stage.merchantAccount.publicKey, 1_000_000_000)
  const tokens = { mint: stage.mint().toBase58(), to: stage.merchantWallet, amount: 100_000_000n }
  await mintTestTokens(connection, tokenOwner, tokens)
})
afterEach(async () => {
  await stage.close()
  await liar.close()
})

function failed(truth: unknown) {
  const { meta, ...rest } = truth as { meta: object }
  return { ...rest, meta: { ...meta, err: { InstructionError: [0, 'Custom'] } } }
}

type Refund = { id: string; status: string; paid: string }

async function ask(path: string, body?: unknown): Promise<Refund> {
  const { apiKey, apiSecret } = stage.merchant
  const response = await stage.app.request(`/api/v1${path}`, {
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    headers: { 'Content-Type': 'application/json', 'X-API-Key': apiKey, 'X-API-Secret': apiSecret },
  })
  return ((await response.json()) as { refund: Refund }).refund
}

test.each([
  ['calls its transaction failed', failed],
  ['has forgotten its transaction', () => null],
])('a detected refund is not undone by one node that %s', async (_, lie) => {
  const { solana, merchantAccount } = stage
  const payment = await stage.create()
  await stage.pay(payment.id)
  await solana.advance(40)
  await stage.find()
  const address = Keypair.generate().publicKey.toBase58()
  const { id } = await ask(`/payments/${payment.id}/refunds`, { amount: '5.00', address })
  await solana.advance(2)
  const transfer = plainTransfers(merchantAccount.publicKey, stage.mint().toBase58(), [[address, 5_000_000n]])
  await solana.send(transfer, merchantAccount)
  await solana.advance(2)
  await stage.findRefunds()
  expect(await ask(`/refunds/${id}`)).toMatchObject({ status: 'confirming' })
  await solana.advance(40)
  liar.lie('getTransaction', lie)
  await stage.findRefunds()
  liar.mend()
  for (let passes = 0; passes < 3; passes++) {
    await stage.findRefunds()
    stage.later(61_000)
  }
  expect(await ask(`/refunds/${id}`)).toMatchObject({ status: 'paid', paid: '5.00' })
})
