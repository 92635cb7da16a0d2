import { createKeyPairSignerFromBytes } from '@solana/kit'
import { Keypair } from '@solana/web3.js'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { ExactSvmScheme as ExactSvmServer } from '@x402/svm/exact/server'
import { expect, test } from 'vitest'
import { expectBooksToClose } from './harness/books.ts'
import { openStory } from './harness/story.ts'
import { openX402Server } from './harness/x402-server.ts'

const story = await openStory('x402-server-solana', {
  solana: true,
  solanaSettings: { signatureGas: { coinPrice: '50' } },
})
const { devnet } = story
if (!story.onSolana) throw new Error('The story is not on Solana')
const { chain } = story.onSolana
const { network: facts } = devnet.solana

test('x402’s own server sells on Solana once for one proof: it names our fee payer, and no memo of ours', async () => {
  const server = await openX402Server(story, {
    network: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
    scheme: new ExactSvmServer(),
    price: { amount: '0.05', currency: 'USDC', network: 'solana-devnet' },
    asset: { asset: facts.tokens.USDC.address, amount: '50000' },
  })
  try {
    const keypair = Keypair.generate()
    const address = keypair.publicKey.toBase58()
    await chain.finalizing(chain.pay(address, '1.00'))
    const signer = await createKeyPairSignerFromBytes(keypair.secretKey)
    const scheme = new ExactSvmScheme(signer, { rpcUrl: facts.rpcUrl })
    const client = new x402Client().register('solana:*', scheme).setSpendControls(false)
    const response = await chain.finalizing(wrapFetchWithPayment(fetch, client)(server.url))
    expect([response.status, await response.json()]).toEqual([200, { report: 'Sales were up.' }])
    expect(await chain.balance(address)).toBe('0.95')
    expect(await chain.lamports(address)).toBe(0)

    const required = await chain.finalizing(server.required(client))
    expect(required.accepts[0]?.extra).toMatchObject({ feePayer: expect.any(String) })
    expect(required.accepts[0]?.extra).not.toHaveProperty('memo')
    const proof = await client.createPaymentPayload(required)
    const present = () => server.present(client, proof)
    const answers = await chain.finalizing(Promise.all([present(), present(), present(), present(), present()]))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 402, 402, 402, 402])
    expect((await chain.finalizing(present())).status).toBe(402)
    expect(await chain.balance(address)).toBe('0.90')
  } finally {
    await server.close()
  }
})

test('the books close', async () => {
  await expectBooksToClose(story)
})
